/// The estimated costs of the two ways of following a query, in nanoseconds. Measured once, rounded: the choice needs the right order of magnitude.
enum FollowCost {
  /// So many changed objects are followed one by one whatever the query is: it may be one that no index and no kernel answers.
  static let alwaysFollowed = 256
  /// Reading an object in both versions, and its place in the one and the other.
  private static let placed = 8_000.0
  /// The same without a sort, where the key is the place.
  private static let looked = 3_000.0
  /// An object that a scan passes.
  private static let scanned = 1.5
  /// A result that is found, packed and compared with the result before.
  private static let found = 20.0
  /// A result that is sorted.
  private static let sorted = 70.0

  static func following(_ changed: Int, isSorted: Bool) -> Double { Double(changed) * (isSorted ? placed : looked) }

  static func rerun(objects: Int, results: Int, isSorted: Bool) -> Double {
    Double(objects) * scanned + Double(results) * (isSorted ? found + sorted : found)
  }
}
