import LarderSyncProtocol

/// The bytes that a device keeps and gives back to continue a bootstrap: the version where it began, and what its order of pages depends on. A token
/// grants no right: pages are read by the view that the device has a right to now.
struct BootstrapToken: Hashable, Sendable {
  /// The epoch of the log.
  var epoch: Int64
  /// The version after which records follow the bootstrap.
  var start: UInt64
  /// The random number of the commit at that version; nil where there is none.
  var nonce: UInt64?
  /// The device's last commit at that version.
  var ownAtStart: UInt64
  /// The version of the schema, whose classes are sent in order.
  var schema: UInt64
  /// True if the bootstrap has everything that is in the view.
  var isFull: Bool

  init(epoch: Int64, start: UInt64, nonce: UInt64? = nil, ownAtStart: UInt64, schema: UInt64, isFull: Bool) {
    self.epoch = epoch
    self.start = start
    self.nonce = nonce
    self.ownAtStart = ownAtStart
    self.schema = schema
    self.isFull = isFull
  }

  private static let form: UInt8 = 1
  private static let boundForm: UInt8 = 2

  /// The bytes.
  var bytes: [UInt8] {
    var writer = ByteWriter(capacity: 40)
    writer.byte(nonce == nil ? Self.form : Self.boundForm)
    for number in [UInt64(bitPattern: epoch), start, ownAtStart, schema] { writer.varint(number) }
    writer.byte(isFull ? 1 : 0)
    if let nonce { writer.fixed64(nonce) }
    return writer.bytes
  }

  /// Decodes a token; nil for bytes that no hub made.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes, limits: .handshake)
    guard let form = try? reader.byte(), form == Self.form || form == Self.boundForm, let epoch = try? reader.varint(),
      let start = try? reader.varint(), let own = try? reader.varint(), let schema = try? reader.varint(),
      let full = try? reader.byte(), full <= 1
    else { return nil }
    let nonce = form == Self.boundForm ? try? reader.fixed64() : nil
    guard reader.left == 0, form == Self.form || nonce != nil else { return nil }
    self.init(
      epoch: Int64(bitPattern: epoch), start: start, nonce: nonce, ownAtStart: own, schema: schema, isFull: full == 1)
  }
}

/// A bootstrap that a device keeps a part of.
struct KeptBootstrap: Hashable, Sendable {
  let token: BootstrapToken
  let position: BootstrapPosition

  /// The bootstrap of a device that goes on with the log, or needs everything; nil when it began elsewhere or in another log.
  ///
  /// - Parameters:
  ///   - version: How far the device's stream has come; nil when it needs everything.
  ///   - part: The log.
  ///   - anchors: What the log has at the version at which the bootstrap began.
  init?(_ position: BootstrapPosition?, at version: UInt64?, in part: PartRecord, _ anchors: LogAnchors) {
    guard let position, let token = BootstrapToken(position.resumption), token.epoch == part.epoch,
      token.start >= UInt64(clamping: part.floor), token.start <= UInt64(clamping: part.head),
      token.isFull ? version == nil : version == token.start, anchors.agree(token.start, token.nonce)
    else { return nil }
    self.token = token
    self.position = position
  }
}
