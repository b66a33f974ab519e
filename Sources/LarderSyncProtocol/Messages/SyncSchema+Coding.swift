extension SyncEncoder {
  mutating func optionalName(_ name: SyncText?) {
    flag(name != nil)
    if let name { self.name(name) }
  }
}

extension SyncDecoder {
  mutating func optionalName() throws(SyncDecodingError) -> SyncText? {
    try flag() ? try name() : nil
  }
}

extension SchemaProperty: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.name(name)
    encoder.writer.byte(type.rawValue)
    encoder.writer.byte(collection.rawValue)
    encoder.flag(isOptional)
    encoder.optionalName(target)
    encoder.writer.byte(merge.rawValue)
    encoder.flag(isQueryable)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    name = try decoder.name()
    type = try decoder.tag("types")
    collection = try decoder.tag("collections")
    isOptional = try decoder.flag()
    target = try decoder.optionalName()
    merge = try decoder.tag("ways to merge")
    isQueryable = try decoder.flag()
  }
}

extension SchemaClass: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.name(name)
    encoder.writer.byte(kind.rawValue)
    encoder.optionalName(primaryKey)
    encoder.array(properties)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let name = try decoder.name()
    let kind: SchemaClassKind = try decoder.tag("kinds of classes")
    let primaryKey = try decoder.optionalName()
    let start = decoder.reader.position
    let properties = try decoder.array(SchemaProperty.self, eachAtLeast: 7)
    for (first, second) in zip(properties, properties.dropFirst()) {
      try decoder.check(first.name < second.name, "properties", at: start)
    }
    self.init(name, kind: kind, primaryKey: primaryKey, properties: properties)
  }
}

extension SyncSchema: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(version)
    encoder.array(classes)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let version = try decoder.reader.varint()
    let start = decoder.reader.position
    let classes = try decoder.array(SchemaClass.self, eachAtLeast: 4)
    for (first, second) in zip(classes, classes.dropFirst()) {
      try decoder.check(first.name < second.name, "classes", at: start)
    }
    self.init(version: version, classes: classes)
  }
}
