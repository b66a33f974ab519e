import LarderStorage

/// The place of a scan: all that SQLite's calls for each row and value need, as plain memory, so that they take no counting of references.
struct RowState {
  /// True if rows are elements of collections, which `TableRows` reads.
  let isElements: Bool
  /// For each column of a table of objects where its values are, as far as that was asked for.
  let cells: UnsafeMutablePointer<UnsafeMutablePointer<LeafCell>?>
  /// The objects that are visited.
  private var keys: UnsafePointer<ObjectKey>?
  private var count = 0
  private(set) var place = 0
  /// The object at `place`.
  private(set) var key: UInt64 = 0
  /// Elements that were visited before.
  var elements: Int64 = 0
  /// The last plan that looks for one object; -1 for none.
  var keyPlan: Int32 = -1

  init(_ table: SQLTable) {
    isElements = table.isElements
    cells = .allocate(capacity: table.columns.count)
    cells.initialize(repeating: nil, count: table.columns.count)
  }

  func deallocate() { cells.deallocate() }

  var isAtEnd: Bool { place >= count }

  var objectKey: ObjectKey { ObjectKey(rawValue: key) }

  /// The row's number: the object's key; of elements their count so far, which no statement can rely on.
  var number: Int64 { isElements ? elements : Int64(bitPattern: key) }

  /// Goes to the first of some objects, which must stay where they are until the next scan.
  mutating func begin(_ objects: UnsafeBufferPointer<ObjectKey>) {
    (keys, count) = (objects.baseAddress, objects.count)
    go(to: 0)
  }

  /// Goes to the only object.
  mutating func begin(_ only: UInt64) { (keys, count, place, key) = (nil, 1, 0, only) }

  @inline(__always)
  mutating func go(to new: Int) {
    place = new
    if new < count, let keys { key = keys[new].rawValue }
  }
}
