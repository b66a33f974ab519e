extension SyncEncoder {
  /// Properties by name.
  mutating func properties(_ properties: [SyncProperty]) {
    writer.count(properties.count)
    for property in properties {
      name(property.name)
      property.value.encode(into: &self)
    }
  }
}

extension SyncDecoder {
  mutating func properties() throws(SyncDecodingError) -> [SyncProperty] {
    let count = try reader.count(eachAtLeast: 2)
    var properties: [SyncProperty] = []
    properties.reserveCapacity(count)
    for _ in 0..<count {
      let start = reader.position
      let name = try name()
      if let last = properties.last { try check(last.name < name, "properties", at: start) }
      properties.append(SyncProperty(name, try SyncValue(from: &self)))
    }
    return properties
  }

  /// A value that a set may hold.
  mutating func setElement() throws(SyncDecodingError) -> SyncValue {
    let start = reader.position
    let value = try SyncValue(from: &self)
    guard !value.isContainer else { throw SyncDecodingError(.notCanonical("a container in a set"), at: start) }
    return value
  }

  /// The values of a set in their order.
  mutating func setElements() throws(SyncDecodingError) -> [SyncValue] {
    let count = try reader.count()
    var values: [SyncValue] = []
    values.reserveCapacity(count)
    for _ in 0..<count {
      let start = reader.position
      let value = try setElement()
      if let last = values.last { try check(last < value, "values of a set", at: start) }
      values.append(value)
    }
    return values
  }
}

extension SyncEmbedded: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.id(incarnation)
    encoder.properties(properties)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let incarnation = try decoder.id()
    self.init(incarnation: incarnation, properties: try decoder.properties())
  }
}

extension SyncSet: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.id(incarnation)
    encoder.array(values)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let incarnation = try decoder.id()
    self.init(incarnation: incarnation, values: try decoder.setElements())
  }
}

extension SyncMap: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.id(incarnation)
    encoder.writer.count(entries.count)
    for entry in entries {
      encoder.writer.text(entry.key)
      entry.value.encode(into: &encoder)
    }
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let incarnation = try decoder.id()
    let count = try decoder.reader.count(eachAtLeast: 2)
    var entries: [SyncMapEntry] = []
    entries.reserveCapacity(count)
    for _ in 0..<count {
      let start = decoder.reader.position
      let key = try decoder.reader.text()
      if let last = entries.last { try decoder.check(last.key < key, "keys of a map", at: start) }
      entries.append(SyncMapEntry(key, try SyncValue(from: &decoder)))
    }
    self.init(incarnation: incarnation, entries: entries)
  }
}
