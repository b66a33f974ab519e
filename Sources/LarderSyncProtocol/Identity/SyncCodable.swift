/// A type with canonical bytes: one string of bytes per value on every platform, and no other bytes that mean it.
public protocol SyncCodable {
  /// Writes the value.
  func encode(into encoder: inout SyncEncoder)
  /// Reads a value, and throws when there is none, or not in its only form.
  init(from decoder: inout SyncDecoder) throws(SyncDecodingError)
}

extension SyncCodable {
  /// The canonical bytes of the value by itself. Names of what `site` made are short then, and the decoder has to be given that site.
  public func encoded(site: SiteID? = nil) -> [UInt8] {
    var encoder = SyncEncoder(site: site)
    encode(into: &encoder)
    return encoder.writer.bytes
  }

  /// The value of canonical bytes, all of which have to belong to it.
  public init(decoding bytes: [UInt8], limits: DecodingLimits = .standard, site: SiteID? = nil)
    throws(SyncDecodingError)
  {
    var decoder = SyncDecoder(bytes, limits: limits, site: site)
    self = try Self(from: &decoder)
    try decoder.reader.finish()
  }
}

extension SyncEncoder {
  /// A number of values, and the values.
  mutating func array(_ values: [some SyncCodable]) {
    writer.count(values.count)
    for value in values { value.encode(into: &self) }
  }

  /// Writes whether there is a value, and the value.
  mutating func optional(_ value: (some SyncCodable)?) {
    writer.byte(value == nil ? 0 : 1)
    value?.encode(into: &self)
  }

  mutating func flag(_ value: Bool) {
    writer.byte(value ? 1 : 0)
  }
}

extension SyncDecoder {
  /// A number of values that take at least so many bytes each, and the values.
  mutating func array<Value: SyncCodable>(
    _ type: Value.Type = Value.self, eachAtLeast minimum: Int = 1
  ) throws(SyncDecodingError) -> [Value] {
    let count = try reader.count(eachAtLeast: minimum)
    var values: [Value] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try Value(from: &self)) }
    return values
  }

  mutating func optional<Value: SyncCodable>(_ type: Value.Type = Value.self) throws(SyncDecodingError) -> Value? {
    try flag() ? try Value(from: &self) : nil
  }

  mutating func flag() throws(SyncDecodingError) -> Bool {
    let start = reader.position
    let byte = try reader.byte()
    guard byte <= 1 else { throw SyncDecodingError(.unknownTag(UInt64(byte), of: "flags"), at: start) }
    return byte == 1
  }

  /// Throws unless a value follows another one in an order without equals.
  func check(_ isAscending: Bool, _ what: String, at start: Int) throws(SyncDecodingError) {
    guard isAscending else { throw SyncDecodingError(.notCanonical("\(what) are not in ascending order"), at: start) }
  }
}
