/// The findings of `RealmFile.verifyLinks`.
public struct RealmFileLinkReport: Hashable, Sendable {
  /// Links that lead to objects.
  public internal(set) var links = 0
  /// Links to objects that never arrived, by `Class.property`: they read as nil, and are not in lists and sets of links.
  public internal(set) var unresolved: [String: Int] = [:]
  /// The properties of objects with those links, in the order of the file; no more than `mostOrigins`.
  public internal(set) var origins: [Origin] = []
  /// The differences between the links of a class and what the file says of where links come from, as sentences. Empty for a sound file.
  public internal(set) var faults: [String] = []

  /// A property of an object with links to objects that never arrived.
  public struct Origin: Hashable, Sendable {
    /// The object's class.
    public let className: String
    /// The property that links.
    public let property: String
    /// The object's key in the file.
    public let key: Int64
    /// The number of such links in the property.
    public let count: Int
  }

  /// So many are listed one by one: a damaged file may have millions.
  public static let mostOrigins = 10_000

  mutating func note(_ origin: Origin) {
    unresolved["\(origin.className).\(origin.property)", default: 0] += origin.count
    if origins.count < Self.mostOrigins { origins.append(origin) }
  }
}
