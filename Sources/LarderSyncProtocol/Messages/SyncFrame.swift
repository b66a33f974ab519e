/// A message as it is sent: its length, its kind, flags, fields of newer versions, and its own fields.
///
/// Without compression a frame has one string of bytes, and decoding those gives the frame.
public struct SyncFrame: Hashable, Sendable {
  /// The message.
  public let message: SyncMessage
  /// Fields that another minor version added and this one left unread, by number.
  public let extensions: [SyncExtension]

  /// A frame; of several extensions with one number the last one counts.
  public init(_ message: SyncMessage, extensions: [SyncExtension] = []) {
    self.message = message
    self.extensions = extensions.sortedAndUnique(by: \.number)
  }

  private enum Flag {
    static let compressed: UInt8 = 1
    static let extended: UInt8 = 2
  }

  /// The bytes of the frame. `site` is the device's site; uploads need it, and downloads with markers.
  public func encoded(site: SiteID? = nil, compression: BodyCompression? = nil) -> [UInt8] {
    var flags = extensions.isEmpty ? 0 : Flag.extended
    var body = encodedBody(site: site)
    if let compression, body.count >= compression.minimumBytes, let shorter = compression.compress(body),
      shorter.count < body.count
    {
      var writer = ByteWriter(capacity: shorter.count + 10)
      writer.count(body.count)
      writer.raw(shorter)
      body = writer.bytes
      flags |= Flag.compressed
    }
    var head = ByteWriter(capacity: 16)
    head.varint(message.kind)
    head.byte(flags)
    var frame = ByteWriter(capacity: body.count + 24)
    frame.count(head.bytes.count + body.count)
    frame.raw(head.bytes)
    frame.raw(body)
    return frame.bytes
  }

  private func encodedBody(site: SiteID?) -> [UInt8] {
    var encoder = SyncEncoder(site: Self.site(of: message.kind, in: site), capacity: 256)
    if !extensions.isEmpty {
      encoder.writer.count(extensions.count)
      for field in extensions {
        encoder.writer.varint(field.number)
        encoder.writer.data(field.bytes)
      }
    }
    message.encodeBody(into: &encoder)
    return encoder.writer.bytes
  }

  /// The author of what uploads have, and of the markers of downloads. All other bytes mean the same in every session.
  private static func site(of kind: UInt64, in session: SiteID?) -> SiteID? {
    kind == 6 || kind == 9 ? session : nil
  }

  /// The frame of bytes, all of which have to belong to it. `site` is the device's site, with which it was encoded.
  public init(
    decoding bytes: [UInt8], limits: DecodingLimits = .standard, site: SiteID? = nil,
    compression: BodyCompression? = nil
  ) throws(SyncDecodingError) {
    var reader = ByteReader(bytes, limits: limits)
    try self.init(from: &reader, site: site, compression: compression)
    try reader.finish()
  }

  /// The frame with which bytes begin. The limits of the reader are those of each frame.
  public init(
    from reader: inout ByteReader, site: SiteID? = nil, compression: BodyCompression? = nil
  ) throws(SyncDecodingError) {
    let start = reader.position
    let length = try reader.varint()
    let limit = reader.limits.frameBytes
    guard length <= UInt64(limit) else { throw SyncDecodingError(.overLimit("bytes of a frame", limit), at: start) }
    var decoder = SyncDecoder(reader: try reader.stretch(Int(length)), site: nil)
    let kind = try decoder.reader.varint()
    let flags = try decoder.reader.byte()
    guard flags <= Flag.compressed | Flag.extended else {
      throw SyncDecodingError(.unknownTag(UInt64(flags), of: "flags of frames"), at: decoder.reader.position - 1)
    }
    if flags & Flag.compressed != 0 { decoder.reader = try Self.expanded(&decoder.reader, compression) }
    decoder.author.site = Self.site(of: kind, in: site)
    let extensions = flags & Flag.extended == 0 ? [] : try decoder.extensions()
    self.init(try SyncMessage(kind: kind, from: &decoder), extensions: extensions)
    try decoder.reader.finish()
  }

  private static func expanded(
    _ reader: inout ByteReader, _ compression: BodyCompression?
  ) throws(SyncDecodingError) -> ByteReader {
    let limits = reader.limits
    let count = try reader.varint()
    guard count <= UInt64(limits.frameBytes) else {
      throw reader.error(.overLimit("bytes of an expanded frame", limits.frameBytes))
    }
    let compressed = try reader.raw(reader.left)
    guard let compression, let body = compression.expand(compressed, Int(count)), body.count == Int(count) else {
      throw reader.error(.notExpandable)
    }
    return ByteReader(body, limits: limits)
  }
}
