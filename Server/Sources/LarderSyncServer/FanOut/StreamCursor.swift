import LarderSyncProtocol

/// The position of a device in the log, as the bytes that it keeps and gives back: a form, the number of parts, and for each its number, its version,
/// and the random number of the commit that has this version.
///
/// A version alone says nothing of a log that was replaced by an older one and continued: another commit has that version there. The
/// random number tells the two apart.
struct StreamCursor: Hashable, Sendable {
  /// The version in the tenant's first part.
  var version: UInt64
  /// The random number of the commit with that version; nil for version 0, and in cursors of servers that gave none.
  var nonce: UInt64?

  init(version: UInt64, nonce: UInt64? = nil) {
    self.version = version
    self.nonce = nonce
  }

  private static let form: UInt8 = 1
  private static let boundForm: UInt8 = 2

  /// The bytes.
  var bytes: [UInt8] {
    var writer = ByteWriter(capacity: 24)
    writer.byte(nonce == nil ? Self.form : Self.boundForm)
    writer.varint(1)
    writer.varint(UInt64(PartID.first.number))
    writer.varint(version)
    if let nonce { writer.fixed64(nonce) }
    return writer.bytes
  }

  /// Decodes a cursor; nil for bytes that no hub made, and for tenants with other parts.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes, limits: .handshake)
    guard let form = try? reader.byte(), form == Self.form || form == Self.boundForm,
      let count = try? reader.varint(), count == 1, let part = try? reader.varint(),
      part == UInt64(PartID.first.number), let version = try? reader.varint()
    else { return nil }
    self.version = version
    if form == Self.boundForm {
      guard let nonce = try? reader.fixed64() else { return nil }
      self.nonce = nonce
    }
    guard reader.left == 0 else { return nil }
  }
}
