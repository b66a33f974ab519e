import LarderLMDB

/// The backlinks through one link column: which objects link to a target.
package struct BacklinkView {
  private let reader: PairReader

  package init(_ reader: PairReader) { self.reader = reader }

  /// Keys of the objects that link to the target, ascending, once for each link.
  package func keys(to target: ObjectKey) throws -> [ObjectKey] {
    try reader.keys(equalTo: .integer(target.rawValue))
  }

  /// Number of links to the target.
  package func count(to target: ObjectKey) throws -> Int {
    try reader.count(equalTo: .integer(target.rawValue))
  }

  /// Number of all links. O(blocks).
  package func linkCount() throws -> Int { try reader.entryCount() }
}
