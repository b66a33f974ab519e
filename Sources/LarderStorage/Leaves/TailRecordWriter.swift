/// Lays out a `TailRecord`, its leaves written where they are to be.
final class TailRecordWriter {
  private let sink: LeafSink
  private let expected: Int
  /// The columns that were added, in order of number.
  private(set) var columns: [ColumnID] = []
  private var sizes: [Int] = []

  /// - Parameter columns: How many columns will be added.
  init(columns: Int) {
    expected = columns
    let head = TailRecord.headerSize + TailRecord.entrySize * columns
    sink = LeafSink(capacity: head + 96 * columns)
    sink.add(head) { $0.initializeMemory(as: UInt8.self, repeating: 0, count: head) }
    self.columns.reserveCapacity(columns)
    sizes.reserveCapacity(columns)
  }

  /// Bytes of the record so far.
  var count: Int { sink.count }

  /// Adds the column that comes next in order of number: `write` adds one leaf, with as many slots as there are rows, or is false, and
  /// then the record is of no use.
  func add(_ column: ColumnID, _ write: (LeafSink) -> Bool) -> Bool {
    let start = sink.count
    guard write(sink) else { return false }
    columns.append(column)
    sizes.append(sink.count - start)
    return true
  }

  /// The record.
  ///
  /// - Parameter key: The record's key as a number: the seed of its checksum.
  func finish(cluster: Int, slots: Range<Int>, key: UInt64) -> [UInt8] {
    precondition(columns.count == expected, "a record has the columns that it has room for")
    return sink.withBytes { record in
      record.storeBytes(of: UInt32(cluster), toByteOffset: 8, as: UInt32.self)
      record.storeBytes(of: UInt16(slots.lowerBound), toByteOffset: 12, as: UInt16.self)
      record.storeBytes(of: UInt16(slots.count), toByteOffset: 14, as: UInt16.self)
      record.storeBytes(of: UInt64(columns.count), toByteOffset: 16, as: UInt64.self)
      var entry = TailRecord.headerSize
      for (column, size) in zip(columns, sizes) {
        record.storeBytes(of: UInt32(column.rawValue), toByteOffset: entry, as: UInt32.self)
        record.storeBytes(of: UInt32(size), toByteOffset: entry + 4, as: UInt32.self)
        entry += TailRecord.entrySize
      }
      let hash = Checksum64.hash(UnsafeRawBufferPointer(rebasing: record[8...]), seed: key)
      record.storeBytes(of: hash, as: UInt64.self)
      return [UInt8](record)
    }
  }
}
