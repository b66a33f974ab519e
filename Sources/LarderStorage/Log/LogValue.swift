import Foundation

/// The canonical bytes of one value: a type tag and the value, the same on every platform (L-21).
enum LogValue {
  static func encode(_ value: StoredValue, into writer: inout LogWriter) {
    switch value {
    case .null: writer.byte(0)
    case .bool(let value):
      writer.byte(ColumnType.bool.rawValue)
      writer.byte(value ? 1 : 0)
    case .int(let value):
      writer.byte(ColumnType.int.rawValue)
      writer.fixed(value)
    case .float(let value):
      writer.byte(ColumnType.float.rawValue)
      writer.fixed(value.isNaN ? Float.nan.bitPattern : value.bitPattern)
    case .double(let value):
      writer.byte(ColumnType.double.rawValue)
      writer.fixed(value.isNaN ? Double.nan.bitPattern : value.bitPattern)
    case .string(let value):
      writer.byte(ColumnType.string.rawValue)
      writer.block(Array(value.utf8))
    case .data(let value):
      writer.byte(ColumnType.data.rawValue)
      writer.block(value)
    case .date(let value):
      writer.byte(ColumnType.date.rawValue)
      writer.fixed(value.seconds)
      writer.fixed(value.nanoseconds)
    case .uuid(let value):
      writer.byte(ColumnType.uuid.rawValue)
      withUnsafeBytes(of: value.uuid) { writer.raw($0) }
    case .objectId(let value):
      writer.byte(ColumnType.objectId.rawValue)
      writer.fixed(value.high)
      writer.fixed(value.low)
    case .decimal128(let value):
      writer.byte(ColumnType.decimal128.rawValue)
      writer.fixed(value.high)
      writer.fixed(value.low)
    case .link(let key):
      writer.byte(ColumnType.link.rawValue)
      writer.fixed(key.rawValue)
    case .object(let link):
      writer.byte(objectTag)
      writer.fixed(link.classID.rawValue)
      writer.fixed(link.key.rawValue)
    case .list(let elements):
      writer.byte(listTag)
      writer.varint(elements.count)
      for element in elements { encode(element, into: &writer) }
    case .dictionary(let entries):
      writer.byte(dictionaryTag)
      writer.varint(entries.count)
      for entry in entries {
        writer.block(Array(entry.key.utf8))
        encode(entry.value, into: &writer)
      }
    }
  }

  // Tags of what only columns of mixed values hold, beside the numbers of column types.
  private static let objectTag: UInt8 = 16
  private static let listTag: UInt8 = 17
  private static let dictionaryTag: UInt8 = 18

  /// Decodes one value, nested at most as deep as values may be.
  static func decode(_ reader: inout LogReader, depth: Int = 0) throws -> StoredValue {
    let tag = try reader.byte()
    switch tag {
    case 0: return .null
    case objectTag:
      return .object(
        ObjectLink(classID: ClassID(rawValue: try reader.fixed()), key: ObjectKey(rawValue: try reader.fixed())))
    case listTag, dictionaryTag:
      guard depth < StoreLayout.maximumNesting else { throw LogReader.damage("a value is nested too deeply") }
      let count = try reader.count()
      if tag == listTag { return .list(StoredList(try (0..<count).map { _ in try decode(&reader, depth: depth + 1) })) }
      return .dictionary(
        StoredDictionary(
          try (0..<count).map { _ in (key: try reader.text(), value: try decode(&reader, depth: depth + 1)) }))
    default: return try decodeScalar(tag, &reader)
    }
  }

  private static func decodeScalar(_ tag: UInt8, _ reader: inout LogReader) throws -> StoredValue {
    switch ColumnType(rawValue: tag) {
    case .bool: return .bool(try reader.byte() != 0)
    case .int: return .int(try reader.fixed())
    case .float: return .float(Float(bitPattern: try reader.fixed()))
    case .double: return .double(Double(bitPattern: try reader.fixed()))
    case .string: return .string(String(decoding: try block(&reader), as: UTF8.self))
    case .data: return .data(Data(try block(&reader)))
    case .date: return .date(Timestamp(seconds: try reader.fixed(), nanoseconds: try reader.fixed()))
    case .uuid:
      var bytes = noUUID
      let view = try reader.raw(16)
      withUnsafeMutableBytes(of: &bytes) { $0.copyMemory(from: view.buffer) }
      return .uuid(UUID(uuid: bytes))
    case .objectId: return .objectId(ObjectIdBytes(high: try reader.fixed(), low: try reader.fixed()))
    case .decimal128: return .decimal128(Decimal128Bits(high: try reader.fixed(), low: try reader.fixed()))
    case .link: return .link(ObjectKey(rawValue: try reader.fixed()))
    case .mixed, nil: throw LogReader.damage("a value of unknown type \(tag)")
    }
  }

  private static func block(_ reader: inout LogReader) throws -> [UInt8] {
    let length = try reader.count()
    return try reader.raw(length).bytes
  }

  private static let noUUID: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}
