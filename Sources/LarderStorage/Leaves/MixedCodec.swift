import Foundation

/// The bytes of a mixed value: a tag and the value, the same on every platform (L-21).
///
/// Text, data and the contents of collections go to the end, so the length is known from outside: the leaf's offsets, or the
/// block that a nested value is in. `docs/file-format.md` has the table.
enum MixedCodec {
  /// Tags of what no column type means.
  private enum Tag {
    static let null: UInt8 = 0
    static let object: UInt8 = 16
    static let list: UInt8 = 17
    static let dictionary: UInt8 = 18
  }

  // MARK: - Encoding

  static func encode(_ value: StoredValue) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(MixedSize.of(value))
    append(value, &bytes)
    return bytes
  }

  private static func append(_ value: StoredValue, _ bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(Tag.null)
    case .bool(let value): bytes += [ColumnType.bool.rawValue, value ? 1 : 0]
    case .int(let value): append(.int, value, &bytes)
    case .float(let value): append(.float, value.isNaN ? Float.nan.bitPattern : value.bitPattern, &bytes)
    case .double(let value): append(.double, value.isNaN ? Double.nan.bitPattern : value.bitPattern, &bytes)
    case .string(let value):
      bytes.append(ColumnType.string.rawValue)
      bytes.append(contentsOf: value.utf8)
    case .data(let value):
      bytes.append(ColumnType.data.rawValue)
      bytes.append(contentsOf: value)
    case .date(let value):
      append(.date, value.seconds, &bytes)
      append(value.nanoseconds, &bytes)
    case .uuid(let value):
      bytes.append(ColumnType.uuid.rawValue)
      withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
    case .objectId(let value):
      append(.objectId, value.high, &bytes)
      append(value.low, &bytes)
    case .decimal128(let value):
      append(.decimal128, value.high, &bytes)
      append(value.low, &bytes)
    case .link: preconditionFailure("links of mixed values name their class")
    case .object(let link):
      bytes.append(Tag.object)
      append(link.classID.rawValue, &bytes)
      append(link.key.rawValue, &bytes)
    case .list(let list):
      bytes.append(Tag.list)
      append(varint: list.id, &bytes)
      append(varint: UInt64(list.count), &bytes)
      for element in list { append(block: element, &bytes) }
    case .dictionary(let entries):
      bytes.append(Tag.dictionary)
      append(varint: entries.id, &bytes)
      append(varint: UInt64(entries.count), &bytes)
      for entry in entries {
        append(varint: UInt64(entry.key.utf8.count), &bytes)
        bytes.append(contentsOf: entry.key.utf8)
        append(block: entry.value, &bytes)
      }
    }
  }

  private static func append(block value: StoredValue, _ bytes: inout [UInt8]) {
    append(varint: UInt64(MixedSize.of(value)), &bytes)
    append(value, &bytes)
  }

  private static func append(_ type: ColumnType, _ value: some FixedWidthInteger, _ bytes: inout [UInt8]) {
    bytes.append(type.rawValue)
    append(value, &bytes)
  }

  private static func append(_ value: some FixedWidthInteger, _ bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private static func append(varint value: UInt64, _ bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  // MARK: - Decoding

  /// The value; throws `.corrupted` for bytes that `encode` does not give, and never traps. No bytes, as slots without an
  /// object have them, are null.
  static func decode(_ bytes: UnsafeRawBufferPointer) throws(StorageError) -> StoredValue {
    if bytes.isEmpty { return .null }
    var reader = Reader(bytes: bytes)
    return try reader.value(depth: 0)
  }

  private struct Reader {
    let bytes: UnsafeRawBufferPointer
    var offset = 0

    var rest: Int { bytes.count - offset }

    static func damage(_ what: String) -> StorageError {
      LeafView.damaged("holds a mixed value that \(what)")
    }

    mutating func fixed<T: FixedWidthInteger>(_ type: T.Type = T.self) throws(StorageError) -> T {
      guard rest >= MemoryLayout<T>.size else { throw Self.damage("is cut short") }
      defer { offset += MemoryLayout<T>.size }
      return T(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
    }

    mutating func varint() throws(StorageError) -> UInt64 {
      var value: UInt64 = 0
      var shift: UInt64 = 0
      while true {
        let next = try fixed(UInt8.self)
        guard shift < 63 || (shift == 63 && next <= 1) else { throw Self.damage("has a number that is too long") }
        value |= UInt64(next & 0x7F) << shift
        if next < 0x80 { return value }
        shift += 7
      }
    }

    /// A number of things that take a byte or more each.
    mutating func count() throws(StorageError) -> Int {
      let value = try varint()
      guard value <= UInt64(rest) else { throw Self.damage("is cut short") }
      return Int(value)
    }

    mutating func block() throws(StorageError) -> UnsafeRawBufferPointer {
      let length = try count()
      defer { offset += length }
      return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
    }

    mutating func text() throws(StorageError) -> String { try Self.text(block()) }

    static func text(_ bytes: UnsafeRawBufferPointer) throws(StorageError) -> String {
      guard let text = String(validating: bytes, as: UTF8.self) else { throw damage("is text, but not UTF-8") }
      return text
    }

    mutating func value(depth: Int) throws(StorageError) -> StoredValue {
      let value = try content(depth: depth)
      guard rest == 0 else { throw Self.damage("is followed by something") }
      return value
    }

    private mutating func remainder() -> UnsafeRawBufferPointer {
      defer { offset = bytes.count }
      return UnsafeRawBufferPointer(rebasing: bytes[offset...])
    }

    private mutating func content(depth: Int) throws(StorageError) -> StoredValue {
      let tag = try fixed(UInt8.self)
      switch tag {
      case Tag.null: return .null
      case Tag.object:
        return .object(ObjectLink(classID: ClassID(rawValue: try fixed()), key: ObjectKey(rawValue: try fixed())))
      case Tag.list, Tag.dictionary:
        guard depth < StoreLayout.maximumNesting else { throw Self.damage("is nested too deeply") }
        return try tag == Tag.list ? list(depth: depth) : dictionary(depth: depth)
      default: break
      }
      switch ColumnType(rawValue: tag) {
      case .bool: return .bool(try fixed(UInt8.self) != 0)
      case .int: return .int(try fixed())
      case .float: return .float(Float(bitPattern: try fixed()))
      case .double: return .double(Double(bitPattern: try fixed()))
      case .string: return .string(try Self.text(remainder()))
      case .data: return .data(Data(remainder()))
      case .date: return .date(Timestamp(seconds: try fixed(), nanoseconds: try fixed()))
      case .uuid:
        guard rest >= 16 else { throw Self.damage("is cut short") }
        defer { offset += 16 }
        return .uuid(UUID(uuid: bytes.loadUnaligned(fromByteOffset: offset, as: uuid_t.self)))
      case .objectId: return .objectId(ObjectIdBytes(high: try fixed(), low: try fixed()))
      case .decimal128: return .decimal128(Decimal128Bits(high: try fixed(), low: try fixed()))
      case .link, .mixed, nil: throw Self.damage("has the unknown tag \(tag)")
      }
    }

    private mutating func list(depth: Int) throws(StorageError) -> StoredValue {
      var list = StoredList()
      list.id = try varint()
      let count = try count()
      list.elements.reserveCapacity(count)
      for _ in 0..<count {
        var reader = Reader(bytes: try block())
        list.elements.append(try reader.value(depth: depth + 1))
      }
      return .list(list)
    }

    private mutating func dictionary(depth: Int) throws(StorageError) -> StoredValue {
      var entries = StoredDictionary()
      entries.id = try varint()
      for _ in 0..<(try count()) {
        let key = try text()
        var reader = Reader(bytes: try block())
        guard entries.append(key, try reader.value(depth: depth + 1)) else {
          throw Self.damage("has keys out of order")
        }
      }
      return .dictionary(entries)
    }
  }
}

extension StoredValue {
  /// A string, data or mixed value from its bytes; throws `.corrupted` for bytes that are no mixed value.
  package init(bytes: [UInt8], type: ColumnType) throws(StorageError) {
    switch type {
    case .data: self = .data(Data(bytes))
    case .mixed:
      let decoded = bytes.withUnsafeBytes { bytes in Result { () throws(StorageError) in try MixedCodec.decode(bytes) }
      }
      self = try decoded.get()
    default: self = .string(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// The bytes of a mixed value.
  package var mixedBytes: [UInt8] { MixedCodec.encode(self) }
}
