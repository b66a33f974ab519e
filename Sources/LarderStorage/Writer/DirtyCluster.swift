/// One cluster of a class as the transaction sees it: who is present, and the columns it has decoded.
final class DirtyCluster {
  let number: Int
  @exclusivity(unchecked) var presence: Bitmap
  @exclusivity(unchecked) var isPresenceDirty = false
  @exclusivity(unchecked) var encodedPresence: OwnedLeaf?
  /// By column number: leaves of the base version, kept at hand for comparisons and deletions until the cluster is written to LMDB.
  @exclusivity(unchecked) private var storedLeaves: ContiguousArray<LeafView?> = []
  /// By column number; nil: not decoded, the stored leaf holds.
  @exclusivity(unchecked) var columns: [DirtyColumn?]
  /// No slot below this one has changed since the cluster was last written.
  @exclusivity(unchecked) private(set) var lowestChange = Int.max
  /// The rows that are stored apart from the leaves, and the columns in which they hold something.
  @exclusivity(unchecked) var tail: (start: Int, columns: [ColumnID])?

  /// Objects in it when it was written last.
  @exclusivity(unchecked) private var writtenCount: Int

  init(number: Int, presence: Bitmap, columnCount: Int) {
    self.number = number
    self.presence = presence
    writtenCount = presence.popcount
    self.columns = [DirtyColumn?](repeating: nil, count: columnCount)
  }

  var isDirty: Bool { isPresenceDirty || columns.contains { $0?.isDirty ?? false } }

  func isDirty(_ column: ColumnID) -> Bool {
    let number = Int(column.rawValue)
    return number < columns.count && columns[number]?.isDirty ?? false
  }

  /// The number of times that values were compared with its stored leaves.
  @exclusivity(unchecked) var comparisons = 0

  /// Bytes of its texts and data that the transaction has counted.
  @exclusivity(unchecked) var countedBytes = 0

  /// Estimated bytes of decoded columns.
  var decodedBytes: Int { columns.reduce(0) { $0 + ($1?.bytes ?? 0) } }

  /// Bytes of texts and data that have come since it was asked last.
  func grownBytes() -> Int {
    let now = columns.reduce(0) { $0 + ($1?.ownBytes ?? 0) }
    defer { countedBytes = now }
    return max(0, now - countedBytes)
  }

  /// A leaf that is kept at hand.
  @inline(__always)
  func storedLeaf(_ column: ColumnID) -> LeafView? {
    let number = Int(column.rawValue)
    return number < storedLeaves.count ? storedLeaves[number] : nil
  }

  /// Keeps a leaf of the base version at hand.
  func keep(_ leaf: LeafView, _ column: ColumnID) {
    let number = Int(column.rawValue)
    if storedLeaves.isEmpty { storedLeaves = ContiguousArray(repeating: nil, count: columns.count) }
    if number < storedLeaves.count { storedLeaves[number] = leaf }
  }

  private func forgetLeaves() {
    if !storedLeaves.isEmpty { storedLeaves = [] }
  }

  /// To be called before anything of a slot changes.
  @inline(__always)
  func willChange(_ slot: Int) {
    if slot < lowestChange { lowestChange = slot }
  }

  /// To be called before each change of a column's buffer.
  @inline(__always)
  func willChange(_ column: DirtyColumn, _ slot: Int) {
    willChange(slot)
    column.willChange()
  }

  /// All changes were written.
  func wasWritten() {
    if isPresenceDirty { writtenCount = presence.popcount }
    isPresenceDirty = false
    encodedPresence = nil
    forgetLeaves()
    lowestChange = .max
  }

  /// Notes that what it shows was committed.
  func becomeBase() {
    encodedPresence = nil
    forgetLeaves()
    for (number, column) in columns.enumerated() {
      column?.encoded = nil
      // Its leaf is of a version that may end.
      if let column, !column.isDecoded { columns[number] = nil }
    }
  }

  func presenceWillChange(_ slot: Int) {
    willChange(slot)
    isPresenceDirty = true
    encodedPresence = nil
  }

  /// True if so many objects were deleted that the leaves are to be encoded without their values: their number has fallen below a power of two since
  /// it was written last. A cluster is encoded ten times at most for that, however slowly it empties.
  var hasShrunk: Bool {
    guard isPresenceDirty else { return false }
    return presence.popcount.leadingZeroBitCount > writtenCount.leadingZeroBitCount
  }

  /// One more than the highest slot that holds an object.
  var slots: Int { (presence.last ?? -1) + 1 }
}
