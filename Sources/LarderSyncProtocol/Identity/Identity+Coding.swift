extension SiteID: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) { write(to: &encoder.writer) }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) { try self.init(from: &decoder.reader) }

  func write(to writer: inout ByteWriter) {
    writer.fixed64(high)
    writer.fixed64(low)
  }

  init(from reader: inout ByteReader) throws(SyncDecodingError) {
    self.init(high: try reader.fixed64(), low: try reader.fixed64())
  }
}

extension SyncTime: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) { encoder.writer.fixed64(rawValue) }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    self.init(rawValue: try decoder.reader.fixed64())
  }
}

extension Stamp: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    time.encode(into: &encoder)
    encoder.site(site)
    encoder.writer.varint(UInt64(operation))
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let time = try SyncTime(from: &decoder)
    let site = try decoder.site()
    self.init(time: time, site: site, operation: try decoder.reader.varint32())
  }
}

extension OperationID: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) { encoder.id(self) }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) { self = try decoder.id() }
}

extension OperationIDRun: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.id(first)
    encoder.writer.varint(UInt64(count))
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let first = try decoder.id()
    guard let run = OperationIDRun(first: first, count: try decoder.reader.runLength()) else {
      throw SyncDecodingError(.overflow, at: start)
    }
    self = run
  }
}

extension SyncUUID: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.fixed64(high)
    encoder.writer.fixed64(low)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    self.init(high: try decoder.reader.fixed64(), low: try decoder.reader.fixed64())
  }
}

extension SyncObjectID: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.fixed64(high)
    encoder.writer.fixed32(low)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    self.init(high: try decoder.reader.fixed64(), low: try decoder.reader.fixed32())
  }
}

extension PrimaryKey: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.byte(rank)
    encodePayload(into: &encoder)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    self = try PrimaryKey(rank: try decoder.reader.byte(), from: &decoder)
  }

  /// The key without its kind.
  func encodePayload(into encoder: inout SyncEncoder) {
    switch self {
    case .int(let value): encoder.writer.signed(value)
    case .string(let value): encoder.writer.text(value)
    case .objectID(let value): value.encode(into: &encoder)
    case .uuid(let value): value.encode(into: &encoder)
    }
  }

  /// A key of a kind that is known.
  init(rank: UInt8, from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    switch rank {
    case 0: self = .int(try decoder.reader.signed())
    case 1: self = .string(try decoder.reader.text())
    case 2: self = .objectID(try SyncObjectID(from: &decoder))
    case 3: self = .uuid(try SyncUUID(from: &decoder))
    default: throw decoder.reader.error(.unknownTag(UInt64(rank), of: "primary keys"))
    }
  }
}

extension ObjectName: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.name(className)
    key.encode(into: &encoder)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let className = try decoder.name()
    self.init(className: className, key: try PrimaryKey(from: &decoder))
  }
}
