import LarderSyncProtocol

/// The encoding: one byte for whether the object was there, the number of values, and the values by name in ascending order.
extension ObjectSummary: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.byte(isAlive ? 1 : 0)
    encoder.writer.count(values.count)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      encoder.name(name)
      value.encode(into: &encoder)
    }
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let flag = try decoder.reader.byte()
    guard flag <= 1 else { throw decoder.reader.error(.unknownTag(UInt64(flag), of: "flags")) }
    self.init(isAlive: flag == 1)
    let count = try decoder.reader.count(eachAtLeast: 2)
    var last: SyncText?
    for _ in 0..<count {
      let name = try decoder.name()
      if let last, last >= name {
        throw decoder.reader.error(.notCanonical("properties are not in ascending order"))
      }
      values[name] = try SyncValue(from: &decoder)
      last = name
    }
  }
}
