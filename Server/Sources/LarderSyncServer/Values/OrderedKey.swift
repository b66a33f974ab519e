import LarderSyncProtocol

/// Primary keys as the rows of objects have them. The protocol's bytes of a key are short and not in the order of keys; these are, because pages
/// of a bootstrap are ranges in that order.
///
/// The kind of the key as a byte, and an integer as eight bytes with the sign turned around, a text as its UTF-8, or the bytes of an identifier.
enum OrderedKey {
  /// The bytes of a primary key.
  static func bytes(_ key: PrimaryKey) -> [UInt8] {
    var writer = ByteWriter(capacity: 17)
    switch key {
    case .int(let value):
      writer.byte(0)
      writer.fixed64(UInt64(bitPattern: value) ^ 1 << 63)
    case .string(let text):
      writer.byte(1)
      writer.raw(text.string.utf8)
    case .objectID(let id):
      writer.byte(2)
      writer.fixed64(id.high)
      writer.fixed32(id.low)
    case .uuid(let id):
      writer.byte(3)
      writer.fixed64(id.high)
      writer.fixed64(id.low)
    }
    return writer.bytes
  }

  /// The primary key of bytes; nil for those that are none.
  static func key(_ bytes: [UInt8]) -> PrimaryKey? {
    var reader = ByteReader(bytes)
    guard let key = try? key(&reader), reader.left == 0 else { return nil }
    return key
  }

  private static func key(_ reader: inout ByteReader) throws(SyncDecodingError) -> PrimaryKey? {
    switch try reader.byte() {
    case 0: return .int(Int64(bitPattern: try reader.fixed64() ^ 1 << 63))
    case 1:
      let bytes = try reader.raw(reader.left)
      return String(validating: bytes, as: UTF8.self).map { .string(SyncText($0)) }
    case 2: return .objectID(SyncObjectID(high: try reader.fixed64(), low: try reader.fixed32()))
    case 3: return .uuid(SyncUUID(high: try reader.fixed64(), low: try reader.fixed64()))
    default: return nil
    }
  }
}
