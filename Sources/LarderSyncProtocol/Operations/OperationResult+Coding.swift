extension OperationResult: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    switch self {
    case .plain: encoder.writer.byte(0)
    case .at(let left):
      encoder.writer.byte(1)
      encoder.place(left)
    case .lost: encoder.writer.byte(2)
    case .echo: encoder.writer.byte(3)
    case .whole: encoder.writer.byte(4)
    case .noop: encoder.writer.byte(5)
    case .noRow: encoder.writer.byte(6)
    case .refused(let reason):
      encoder.writer.byte(7)
      encoder.writer.byte(reason.rawValue)
    }
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let tag = try decoder.reader.byte()
    switch tag {
    case 0: self = .plain
    case 1: self = .at(left: try decoder.place())
    case 2: self = .lost
    case 3: self = .echo
    case 4: self = .whole
    case 5: self = .noop
    case 6: self = .noRow
    case 7: self = .refused(try RefusalReason(from: &decoder))
    default: throw SyncDecodingError(.unknownTag(UInt64(tag), of: "results"), at: start)
    }
  }
}

extension RefusalReason: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) { encoder.writer.byte(rawValue) }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let byte = try decoder.reader.byte()
    guard let reason = RefusalReason(rawValue: byte) else {
      throw SyncDecodingError(.unknownTag(UInt64(byte), of: "reasons"), at: start)
    }
    self = reason
  }
}

extension OwnMarker: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(siteVersion)
    encoder.array(results)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let siteVersion = try decoder.reader.varint()
    let start = decoder.reader.position
    let results = try decoder.array(OperationResult.self)
    self.init(siteVersion: siteVersion, results: results)
    guard self.results.count == results.count else {
      throw SyncDecodingError(.notCanonical("results that are all plain"), at: start)
    }
  }
}
