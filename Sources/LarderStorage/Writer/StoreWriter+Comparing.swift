import Foundation
import LarderLMDB

/// Whether a property holds a value already, told without boxing it: what an update that writes differences only asks of each property.
extension StoreWriter {
  /// Comparisons with the stored leaves of a cluster for each of its columns; with more of them a leaf is decoded, which then takes a load.
  private static let comparisonsOfLeaf = 6

  package func holds(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ value: Int64) throws -> Bool {
    try holds(classID, column, key, { $0.int($1) == value }, { $0.int($1) == value })
  }

  package func holds(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ value: Bool) throws -> Bool {
    try holds(classID, column, key, { $0.bool($1) == value }, { $0.bool($1) == value })
  }

  package func holds(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ value: Double) throws -> Bool {
    try holds(classID, column, key, { $0.double($1) == value }, { $0.double($1) == value })
  }

  package func holds(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ value: Timestamp) throws -> Bool {
    try holds(classID, column, key, { $0.date($1) == value }, { $0.date($1) == value })
  }

  package func holds(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ value: UUID) throws -> Bool {
    try holds(classID, column, key, { $0.uuid($1) == value }, { $0.uuid($1) == value })
  }

  /// The same for a text, byte by byte; false for one that is too long for a leaf.
  package func holds(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ value: String) throws -> Bool {
    try holds(
      classID, column, key, { !$0.isLarge($1) && value.isSame(as: $0.bytes($1)) },
      { !$0.isLarge($1) && value.isSame(as: $0.bytes($1)) })
  }

  @inline(__always)
  private func holds(
    _ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, _ inBuffer: (ColumnBuffer, Int) -> Bool,
    _ inLeaf: (LeafView, Int) -> Bool
  ) throws -> Bool {
    let owner = try classWriter(classID)
    let (number, slot) = locate(key)
    let cluster = try cluster(owner, number)
    let place = Int(column.rawValue)
    if place >= cluster.columns.count || cluster.columns[place] == nil {
      if let leaf = cluster.storedLeaf(column) {
        return slot < leaf.count && !leaf.isNull(slot) && inLeaf(leaf, slot)
      }
      if cluster.comparisons < Self.comparisonsOfLeaf * cluster.columns.count {
        cluster.comparisons += 1
        guard let leaf = try storedLeaf(owner, column, cluster: number), slot < leaf.count else { return false }
        // What this transaction has written to LMDB may move with its next write.
        if !owner.written.contains(number) { cluster.keep(leaf, column) }
        return !leaf.isNull(slot) && inLeaf(leaf, slot)
      }
    }
    let buffer = try self.column(owner, column, cluster).buffer
    return slot < buffer.count && !buffer.isNull(slot) && inBuffer(buffer, slot)
  }
}
