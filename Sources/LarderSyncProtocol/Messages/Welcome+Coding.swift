extension SyncDecoder {
  /// A case of an enumeration of bytes.
  mutating func tag<Tag: RawRepresentable<UInt8>>(_ what: String) throws(SyncDecodingError) -> Tag {
    let start = reader.position
    let byte = try reader.byte()
    guard let tag = Tag(rawValue: byte) else { throw SyncDecodingError(.unknownTag(UInt64(byte), of: what), at: start) }
    return tag
  }
}

extension Resumption: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    switch self {
    case .incremental: encoder.writer.byte(0)
    case .rebuild(let reason):
      encoder.writer.byte(1)
      encoder.writer.byte(reason.rawValue)
    case .fork(let common):
      encoder.writer.byte(2)
      encoder.writer.varint(common)
    }
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let tag = try decoder.reader.byte()
    switch tag {
    case 0: self = .incremental
    case 1: self = .rebuild(try decoder.tag("reasons to rebuild"))
    case 2: self = .fork(common: try decoder.reader.varint())
    default: throw SyncDecodingError(.unknownTag(UInt64(tag), of: "resumptions"), at: start)
    }
  }
}

extension SessionLimits: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(frameBytes)
    encoder.writer.varint(uploadBytes)
    encoder.writer.varint(UInt64(uploadCommits))
    encoder.writer.varint(UInt64(uploadsInFlight))
    encoder.writer.varint(credit)
    encoder.writer.varint(UInt64(pingSeconds))
    encoder.writer.varint(UInt64(silenceSeconds))
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    frameBytes = try decoder.reader.varint()
    uploadBytes = try decoder.reader.varint()
    uploadCommits = try decoder.reader.varint32()
    uploadsInFlight = try decoder.reader.varint32()
    credit = try decoder.reader.varint()
    pingSeconds = try decoder.reader.varint32()
    silenceSeconds = try decoder.reader.varint32()
  }
}

extension Welcome: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    version.encode(into: &encoder)
    encoder.writer.fixed64(session)
    site.encode(into: &encoder)
    encoder.optionalData(secret)
    encoder.writer.varint(epoch)
    encoder.writer.varint(lastSiteVersion)
    time.encode(into: &encoder)
    resumption.encode(into: &encoder)
    limits.encode(into: &encoder)
    encoder.flag(expands)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    version = try ProtocolVersion(from: &decoder)
    session = try decoder.reader.fixed64()
    site = try SiteID(from: &decoder)
    secret = try decoder.optionalData()
    epoch = try decoder.reader.varint()
    lastSiteVersion = try decoder.reader.varint()
    time = try SyncTime(from: &decoder)
    resumption = try Resumption(from: &decoder)
    limits = try SessionLimits(from: &decoder)
    expands = try decoder.flag()
  }
}
