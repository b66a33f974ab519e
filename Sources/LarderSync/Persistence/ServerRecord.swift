import LarderStorage
import LarderSyncProtocol

/// The record that a store keeps of its server, besides the device.
struct ServerRecord: Hashable, Sendable {
  static let stateName = "server"
  private static let form: UInt64 = 1

  /// The store that the record was written in: a copy of it has another identity, and must not speak as the same site (Y-68).
  var storeID: String
  /// The secret that proves that the device is its site; nil before the server has given it one.
  var secret: [UInt8]?
  /// The position of the device in the server's log; only the server understands it.
  var cursor: [UInt8]?
  /// The time when both sides had last sent each other everything, in milliseconds since 1970.
  var lastSynced: UInt64?

  init(storeID: String) { self.storeID = storeID }
}

extension ServerRecord: SyncCodable {
  func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(Self.form)
    encoder.writer.text(SyncText(storeID))
    for bytes in [secret, cursor] {
      encoder.writer.byte(bytes == nil ? 0 : 1)
      if let bytes { encoder.writer.data(bytes) }
    }
    encoder.writer.varint(lastSynced ?? 0)
  }

  init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let form = try decoder.reader.varint()
    guard form == Self.form else { throw SyncDecodingError(.unknownTag(form, of: "records of servers"), at: start) }
    storeID = try decoder.reader.text().string
    secret = try decoder.optionalBytes()
    cursor = try decoder.optionalBytes()
    let synced = try decoder.reader.varint()
    lastSynced = synced == 0 ? nil : synced
  }
}

extension SyncDecoder {
  fileprivate mutating func optionalBytes() throws(SyncDecodingError) -> [UInt8]? {
    let start = reader.position
    switch try reader.byte() {
    case 0: return nil
    case 1: return try reader.data()
    case let tag: throw SyncDecodingError(.unknownTag(UInt64(tag), of: "flags"), at: start)
    }
  }
}
