import LarderStorage

/// The first objects by criteria among all that a scan finds, sorted part by part: neither the keys of all nor their words are ever in
/// memory, whose pages the system would have to give for each query.
///
/// What is first of all is first in its part, so that the parts' first ones are all that the last sort looks at. Objects come in the
/// order of keys, which is that of ties.
struct FirstSorted {
  /// Objects of a part: four megabytes with their words, used again for the next one. Each part sorts some thousand words to find its first
  /// ones, so that smaller parts take longer.
  static let part = 1 << 18
  /// Beyond that many, sorting each part's first ones takes as long as sorting all.
  static let most = 1 << 10

  private let sorter: Sorter
  private let limit: Int
  private let part: Int
  private var waiting: [ObjectKey] = []
  /// The first of the parts before, ascending.
  private var first: [ObjectKey] = []

  /// - Returns: Nil where all are to be sorted at once.
  init?(_ sorter: Sorter, limit: Int, part: Int = Self.part) {
    guard limit > 0, limit <= Self.most, !sorter.sortKeys.isEmpty else { return nil }
    self.sorter = sorter
    self.limit = limit
    self.part = part
  }

  /// The first `limit` of all that a scan finds, sorted.
  func apply(_ scan: Scan) throws -> [ObjectKey] {
    var run = self
    let context = scan.context
    try scan.forEachCluster { cluster, words in
      KeySet.append(cluster, words, clusterSize: context.clusterSize, stride: context.stride, to: &run.waiting)
      if run.waiting.count >= run.part { try run.sortPart() }
      return true
    }
    return try sorter.apply(run.first + run.waiting, limit: limit)
  }

  private mutating func sortPart() throws {
    first += try sorter.apply(waiting, limit: limit).sorted()
    waiting.removeAll(keepingCapacity: true)
    if first.count >= part { first = try sorter.apply(first, limit: limit).sorted() }
  }
}
