/// One cluster of a class as the transaction sees it: who is present, and the columns it has decoded.
final class DirtyCluster {
  let number: Int
  @exclusivity(unchecked) var presence: Bitmap
  @exclusivity(unchecked) var isPresenceDirty = false
  @exclusivity(unchecked) var encodedPresence: OwnedLeaf?
  /// The stored leaf of the primary key, kept at hand for deletions until something is written to LMDB.
  @exclusivity(unchecked) var storedKeys: LeafView?
  /// By column number; nil: not decoded, the stored leaf holds.
  @exclusivity(unchecked) var columns: [DirtyColumn?]

  init(number: Int, presence: Bitmap, columnCount: Int) {
    self.number = number
    self.presence = presence
    self.columns = [DirtyColumn?](repeating: nil, count: columnCount)
  }

  var isDirty: Bool { isPresenceDirty || columns.contains { $0?.isDirty ?? false } }

  func isDirty(_ column: ColumnID) -> Bool {
    let number = Int(column.rawValue)
    return number < columns.count && columns[number]?.isDirty ?? false
  }

  /// Estimated bytes of decoded columns.
  var decodedBytes: Int { columns.reduce(0) { $0 + ($1?.bytes ?? 0) } }

  /// What it shows was committed.
  func becomeBase() {
    encodedPresence = nil
    storedKeys = nil
    for column in columns { column?.encoded = nil }
  }

  func presenceWillChange() {
    isPresenceDirty = true
    encodedPresence = nil
  }

  /// One more than the highest slot that holds an object.
  var slots: Int { (presence.last ?? -1) + 1 }
}
