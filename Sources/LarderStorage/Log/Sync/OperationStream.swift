import LarderLMDB

/// The operations of one commit in the table `ops`: one stream of bytes, cut into parts under (version, part).
enum OperationStream {
  /// Bytes of the stream in a part.
  static let partSize = 16_352
  private static let headSize = 16

  static func key(_ version: UInt64, _ part: UInt64) -> KeyBytes { KeyBytes(version, part) }

  /// The version of an entry's key.
  static func version(of key: ByteView) throws -> UInt64 {
    guard key.count == 16 else { throw LogReader.damage("a key of operations has \(key.count) bytes, not 16") }
    return key.loadBigEndian(0)
  }

  private static func seed(_ version: UInt64, _ part: UInt64) -> UInt64 { version &* 0x9E37_79B9_7F4A_7C15 ^ part }

  /// A part: checksum, length with the highest bit set in the last part, zeros, and the bytes.
  static func encode(_ bytes: ArraySlice<UInt8>, version: UInt64, part: UInt64, isLast: Bool) -> [UInt8] {
    var writer = LogWriter(capacity: headSize + bytes.count + 8)
    writer.fixed(UInt32(bytes.count) | (isLast ? lastBit : 0))
    writer.fixed(UInt32(0))
    writer.raw(bytes)
    writer.pad()
    let sum = writer.bytes.withUnsafeBytes { Checksum64.hash($0, seed: seed(version, part)) }
    var result = LogWriter(capacity: headSize + bytes.count + 8)
    result.fixed(sum)
    result.raw(writer.bytes)
    return result.bytes
  }

  private static let lastBit: UInt32 = 1 << 31

  /// The bytes of a part that is intact.
  static func decode(
    _ view: ByteView, version: UInt64, part: UInt64
  ) throws -> (bytes: ByteView, isLast: Bool) {
    guard view.count >= headSize, view.count % 8 == 0,
      view.load(0, as: UInt64.self)
        == Checksum64.hash(view.slice(8, view.count - 8).buffer, seed: seed(version, part))
    else { throw LogReader.damage("part \(part) of the operations of version \(version) is damaged") }
    let word: UInt32 = view.load(8)
    let count = Int(word & ~lastBit)
    guard count <= view.count - headSize else {
      throw LogReader.damage("part \(part) of the operations of version \(version) has an impossible length")
    }
    return (view.slice(headSize, count), word & lastBit != 0)
  }
}

/// Writes the operations of one commit.
struct OperationStreamWriter {
  private let table: Table
  private let version: UInt64
  private let transaction: WriteTransaction
  private var waiting: [UInt8] = []
  private var part: UInt64 = 0
  private var previous: OperationObject?
  private(set) var isEmpty = true

  /// Nothing is written before the first operation.
  init(_ table: Table, version: UInt64, time: HybridTime, in transaction: WriteTransaction) {
    self.table = table
    self.version = version
    self.transaction = transaction
    var head = LogWriter()
    head.fixed(time.rawValue)
    waiting = head.bytes
  }

  mutating func append(_ operation: StoreOperation) throws {
    var writer = LogWriter()
    operation.encode(into: &writer, after: previous)
    var length = LogWriter()
    length.varint(writer.bytes.count)
    waiting += length.bytes
    waiting += writer.bytes
    previous = operation.object
    isEmpty = false
    var start = 0
    while waiting.count - start > OperationStream.partSize {
      try put(waiting[start..<start + OperationStream.partSize], isLast: false)
      start += OperationStream.partSize
    }
    waiting.removeSubrange(..<start)
  }

  mutating func finish() throws {
    if !isEmpty { try put(waiting[...], isLast: true) }
  }

  private mutating func put(_ bytes: ArraySlice<UInt8>, isLast: Bool) throws {
    let value = OperationStream.encode(bytes, version: version, part: part, isLast: isLast)
    try transaction.put(table, OperationStream.key(version, part), value, append: true)
    part += 1
  }
}

/// Reads the operations of one commit, a part at a time.
struct OperationStreamReader {
  let version: UInt64
  private let cursor: any CursorReading
  private var bytes: [UInt8] = []
  private var position = 0
  private var part: UInt64 = 0
  private var isLast = false
  private var previous: OperationObject?
  private(set) var time = HybridTime.zero

  /// - Parameter first: The first part, where the cursor is. The cursor is beyond the last one when all operations have been read.
  init(_ first: Entry, _ cursor: any CursorReading) throws {
    version = try OperationStream.version(of: first.key)
    self.cursor = cursor
    try take(first)
    while bytes.count < 8, !isLast { try takeNext() }
    var head: UInt64 = 0
    guard bytes.count >= 8 else { throw LogReader.damage("the operations of version \(version) have no time") }
    for byte in bytes[..<8].reversed() { head = head << 8 | UInt64(byte) }
    time = HybridTime(rawValue: head)
    position = 8
  }

  private mutating func take(_ entry: Entry) throws {
    guard try OperationStream.version(of: entry.key) == version, entry.key.loadBigEndian(8, as: UInt64.self) == part
    else { throw LogReader.damage("part \(part) of the operations of version \(version) is missing") }
    let found = try OperationStream.decode(entry.value, version: version, part: part)
    bytes.removeSubrange(..<position)
    position = 0
    bytes += found.bytes.bytes
    isLast = found.isLast
    part += 1
  }

  private mutating func takeNext() throws {
    guard let next = try cursor.next() else {
      throw LogReader.damage("part \(part) of the operations of version \(version) is missing")
    }
    try take(next)
  }

  /// The next operation; nil after the last one.
  mutating func next() throws -> StoreOperation? {
    while true {
      if let length = Self.varint(bytes[position...]) {
        let start = position + length.size
        if start + length.value <= bytes.count {
          position = start + length.value
          return try decode(start..<position)
        }
      } else if position == bytes.count, isLast {
        return nil
      }
      guard !isLast else { throw LogReader.damage("the operations of version \(version) end too early") }
      try takeNext()
    }
  }

  private mutating func decode(_ range: Range<Int>) throws -> StoreOperation {
    let operation = try Array(bytes[range]).withView { view in
      var reader = LogReader(view)
      let operation = try StoreOperation(decoding: &reader, after: previous)
      guard reader.isAtEnd else { throw LogReader.damage("an operation of version \(version) is too long") }
      return operation
    }
    previous = operation.object
    return operation
  }

  /// A varint at the start of bytes with its size; nil when it goes on beyond them. A length of 32 bits at most.
  private static func varint(_ bytes: ArraySlice<UInt8>) -> (value: Int, size: Int)? {
    var value = 0
    for (index, byte) in bytes.prefix(5).enumerated() {
      value |= Int(byte & 0x7F) << (7 * index)
      if byte < 0x80 { return (value, index + 1) }
    }
    return bytes.count >= 5 ? (.max >> 1, 5) : nil
  }
}
