extension SyncValue: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.byte(rank)
    switch self {
    case .null, .bool: break
    case .int(let value): encoder.writer.signed(value)
    case .float(let value): encoder.writer.fixed32(value.canonicalBits)
    case .double(let value): encoder.writer.fixed64(value.canonicalBits)
    case .decimal(let value): value.encode(into: &encoder)
    case .string(let value): encoder.writer.text(value)
    case .data(let value): encoder.writer.data(value)
    case .date(let value): value.encode(into: &encoder)
    case .objectID(let value): value.encode(into: &encoder)
    case .uuid(let value): value.encode(into: &encoder)
    case .link(let value): value.encode(into: &encoder)
    case .embedded(let value): value.encode(into: &encoder)
    case .list(let value): value.encode(into: &encoder)
    case .set(let value): value.encode(into: &encoder)
    case .map(let value): value.encode(into: &encoder)
    }
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let tag = try decoder.reader.byte()
    switch tag {
    case 0: self = .null
    case 1: self = .bool(false)
    case 2: self = .bool(true)
    case 3: self = .int(try decoder.reader.signed())
    case 4: self = .float(try Float(from: &decoder))
    case 5: self = .double(try Double(from: &decoder))
    case 6: self = .decimal(try SyncDecimal(from: &decoder))
    case 7: self = .string(try decoder.reader.text())
    case 8: self = .data(try decoder.reader.data())
    case 9: self = .date(try SyncDate(from: &decoder))
    case 10: self = .objectID(try SyncObjectID(from: &decoder))
    case 11: self = .uuid(try SyncUUID(from: &decoder))
    case 12: self = .link(try ObjectName(from: &decoder))
    default: self = try SyncValue(container: tag, from: &decoder, at: start)
    }
  }

  private init(container tag: UInt8, from decoder: inout SyncDecoder, at start: Int) throws(SyncDecodingError) {
    let limit = decoder.reader.limits.depth
    guard decoder.depth < limit else {
      throw SyncDecodingError(.overLimit("containers within each other", limit), at: start)
    }
    decoder.depth += 1
    switch tag {
    case 13: self = .embedded(try SyncEmbedded(from: &decoder))
    case 14: self = .list(try SyncList(from: &decoder))
    case 15: self = .set(try SyncSet(from: &decoder))
    case 16: self = .map(try SyncMap(from: &decoder))
    default: throw SyncDecodingError(.unknownTag(UInt64(tag), of: "values"), at: start)
    }
    decoder.depth -= 1
  }
}

extension Float {
  init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let bits = try decoder.reader.fixed32()
    self.init(bitPattern: bits)
    guard canonicalBits == bits else { throw SyncDecodingError(.notCanonical("a NaN of other bits"), at: start) }
  }
}

extension Double {
  init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let bits = try decoder.reader.fixed64()
    self.init(bitPattern: bits)
    guard canonicalBits == bits else { throw SyncDecodingError(.notCanonical("a NaN of other bits"), at: start) }
  }
}

extension SyncDecimal: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.fixed64(high)
    encoder.writer.fixed64(low)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let (high, low) = (try decoder.reader.fixed64(), try decoder.reader.fixed64())
    self.init(high: high, low: low)
    guard self.high == high, self.low == low else {
      throw SyncDecodingError(.notCanonical("a NaN of other bits"), at: start)
    }
  }
}

extension SyncDate: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.signed(seconds)
    encoder.writer.varint(UInt64(nanoseconds))
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let seconds = try decoder.reader.signed()
    let start = decoder.reader.position
    guard let date = SyncDate(seconds: seconds, nanoseconds: try decoder.reader.varint32()) else {
      throw SyncDecodingError(.overflow, at: start)
    }
    self = date
  }
}
