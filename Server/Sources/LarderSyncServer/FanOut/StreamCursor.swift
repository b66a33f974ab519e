import LarderSyncProtocol

/// How far a device has come, as the bytes that it keeps and gives back: a form, the number of parts, and for each its number and its version.
struct StreamCursor: Hashable, Sendable {
  /// The version in the tenant's first part.
  var version: UInt64

  init(version: UInt64) { self.version = version }

  private static let form: UInt8 = 1

  /// The bytes.
  var bytes: [UInt8] {
    var writer = ByteWriter(capacity: 12)
    writer.byte(Self.form)
    writer.varint(1)
    writer.varint(UInt64(PartID.first.number))
    writer.varint(version)
    return writer.bytes
  }

  /// What bytes say; nil for bytes that no hub made, and for tenants with other parts.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes, limits: .handshake)
    guard let form = try? reader.byte(), form == Self.form, let count = try? reader.varint(), count == 1,
      let part = try? reader.varint(), part == UInt64(PartID.first.number), let version = try? reader.varint(),
      reader.left == 0
    else { return nil }
    self.version = version
  }
}
