/// The collections of one property of neighbouring objects, read piece by piece.
public struct RealmFileCollections: Sendable {
  /// The number of collections, one for each object.
  public let count: Int

  /// The number of elements of one object's collection, with links that lead nowhere.
  public func elementCount(of row: Int) throws -> Int { 0 }

  /// Calls with the elements of a list or set, up to some thousand at a time, in order.
  public func forEachChunk(of row: Int, _ body: (RealmFileColumn) throws -> Void) throws {}

  /// The entries of a dictionary, ascending by key.
  public func entries(of row: Int) throws -> [RealmFileEntry] { [] }

  /// The whole collection of one object: a list, set or dictionary.
  public func value(of row: Int) throws -> RealmFileValue { .null }
}
