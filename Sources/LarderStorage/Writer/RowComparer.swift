import Foundation
import LarderLMDB

/// Tells whether properties of one row after another hold values already, without boxing them: what an update that writes differences
/// only asks of each property.
///
/// It holds on to the cluster of the row, so that most answers cost no look-up and no reference count. Whatever may take the cluster away
/// changes the writer's stamp; then the cluster is looked for again.
package final class RowComparer {
  // Owned by the writer, which cannot go before it.
  private let writer: Unmanaged<StoreWriter>
  private let owner: ClassWriter
  @exclusivity(unchecked) private var stamp = UInt64.max
  @exclusivity(unchecked) private var key = UInt64.max
  @exclusivity(unchecked) private var slot = 0
  /// The cluster of the key. The writer keeps it while the stamp holds.
  @exclusivity(unchecked) private var cluster: Unmanaged<DirtyCluster>?

  /// Comparisons with the stored leaves of a cluster for each of its columns that find none at hand; with more of them a leaf is decoded.
  private static let comparisonsOfLeaf = 6

  init(_ writer: StoreWriter, _ owner: ClassWriter) {
    self.writer = Unmanaged.passUnretained(writer)
    self.owner = owner
  }

  package func holds(_ column: ColumnID, _ key: ObjectKey, _ value: Int64) throws -> Bool {
    try holds(column, key, { $0.int($1) == value }, { $0.int($1) == value })
  }

  package func holds(_ column: ColumnID, _ key: ObjectKey, _ value: Bool) throws -> Bool {
    try holds(column, key, { $0.bool($1) == value }, { $0.bool($1) == value })
  }

  package func holds(_ column: ColumnID, _ key: ObjectKey, _ value: Double) throws -> Bool {
    try holds(column, key, { $0.double($1) == value }, { $0.double($1) == value })
  }

  package func holds(_ column: ColumnID, _ key: ObjectKey, _ value: Timestamp) throws -> Bool {
    try holds(column, key, { $0.date($1) == value }, { $0.date($1) == value })
  }

  package func holds(_ column: ColumnID, _ key: ObjectKey, _ value: UUID) throws -> Bool {
    try holds(column, key, { $0.uuid($1) == value }, { $0.uuid($1) == value })
  }

  /// The same for a text, byte by byte; false for one that is too long for a leaf.
  package func holds(_ column: ColumnID, _ key: ObjectKey, _ value: String) throws -> Bool {
    try holds(
      column, key, { !$0.isLarge($1) && value.isSame(as: $0.bytes($1)) },
      { !$0.isLarge($1) && value.isSame(as: $0.bytes($1)) })
  }

  package func holdsNull(_ column: ColumnID, _ key: ObjectKey) throws -> Bool {
    try writer._withUnsafeGuaranteedRef { try $0.value(owner.descriptor.id, column, key).isNull }
  }

  @inline(__always)
  private func holds(
    _ column: ColumnID, _ key: ObjectKey, _ inBuffer: (ColumnBuffer, Int) -> Bool, _ inLeaf: (LeafView, Int) -> Bool
  ) throws -> Bool {
    if key.rawValue != self.key || stamp != writer._withUnsafeGuaranteedRef({ $0.viewStamp }) { try find(key) }
    guard let cluster else { return false }
    let place = Int(column.rawValue)
    return try cluster._withUnsafeGuaranteedRef { cluster in
      if place >= cluster.columns.count || cluster.columns[place] == nil,
        let leaf = try cluster.storedLeaf(column) ?? leafAtHand(column, cluster)
      {
        return slot < leaf.count && !leaf.isNull(slot) && inLeaf(leaf, slot)
      }
      let known = try writer._withUnsafeGuaranteedRef { try $0.column(owner, column, cluster) }
      if !known.isDecoded, let leaf = known.unchangedLeaf(slot) {
        return slot < leaf.count && !leaf.isNull(slot) && inLeaf(leaf, slot)
      }
      let buffer = known.buffer
      return slot < buffer.count && !buffer.isNull(slot) && inBuffer(buffer, slot)
    }
  }

  /// Takes the cluster of a row.
  private func find(_ key: ObjectKey) throws {
    cluster = nil
    try writer._withUnsafeGuaranteedRef { writer in
      let (number, slot) = writer.locate(key)
      // Loading one may write others out, which changes the stamp.
      cluster = Unmanaged.passUnretained(try writer.cluster(owner, number))
      self.slot = slot
      self.key = key.rawValue
      stamp = writer.viewStamp
    }
  }

  /// The stored leaf of a column that is not decoded; nil when the column is to be decoded.
  private func leafAtHand(_ column: ColumnID, _ cluster: DirtyCluster) throws -> LeafView? {
    guard cluster.comparisons < Self.comparisonsOfLeaf * cluster.columns.count else { return nil }
    cluster.comparisons += 1
    return try writer._withUnsafeGuaranteedRef { writer in
      guard let leaf = try writer.storedLeaf(owner, column, cluster: cluster.number) else { return nil }
      // What this transaction has written to LMDB may move with its next write.
      if !owner.written.contains(cluster.number) { cluster.keep(leaf, column) }
      return leaf
    }
  }
}
