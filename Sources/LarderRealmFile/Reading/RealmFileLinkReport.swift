/// What `RealmFile.verifyLinks` found.
public struct RealmFileLinkReport: Hashable, Sendable {
  /// Links that lead to objects.
  public internal(set) var links = 0
  /// Links to objects that never arrived, by `Class.property`: they read as nil, and are not in lists and sets of links.
  public internal(set) var unresolved: [String: Int] = [:]
  /// Where the links of a class and what the file says of where links come from differ, as sentences. Empty for a sound file.
  public internal(set) var faults: [String] = []
}
