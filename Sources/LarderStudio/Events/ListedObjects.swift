import LarderExchange

/// The limit of objects that a piece lists: of a change of a whole class a page gets the first ones, and their number.
enum ListedObjects {
  /// Of each kind of change at most.
  static let most = 1_000

  /// Returns the numbers of objects where not all are listed; else nil.
  static func total(_ deleted: Int, _ inserted: Int, _ modified: Int) -> JSONValue? {
    guard max(deleted, inserted, modified) > most else { return nil }
    return ["deleted": .init(deleted), "inserted": .init(inserted), "modified": .init(modified)]
  }
}
