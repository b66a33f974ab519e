import LarderExchange

/// How many objects a piece lists: of a change of a whole class a page gets the first ones, and how many there are.
enum ListedObjects {
  /// Of each kind of change at most.
  static let most = 1_000

  /// How many there are where not all are listed; else nil.
  static func total(_ deleted: Int, _ inserted: Int, _ modified: Int) -> JSONValue? {
    guard max(deleted, inserted, modified) > most else { return nil }
    return ["deleted": .init(deleted), "inserted": .init(inserted), "modified": .init(modified)]
  }
}
