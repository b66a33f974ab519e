extension SyncEncoder {
  /// A path, of which the bytes before say whether there are steps after the property.
  mutating func path(_ path: SyncPath) {
    name(path.property)
    guard !path.steps.isEmpty else { return }
    writer.count(path.steps.count)
    for step in path.steps { step.encode(into: &self) }
  }

  mutating func collection(_ collection: SyncCollectionPath) {
    path(collection.slot)
    id(collection.incarnation)
  }
}

extension SyncDecoder {
  mutating func path(hasSteps: Bool) throws(SyncDecodingError) -> SyncPath {
    let property = try name()
    guard hasSteps else { return SyncPath(property) }
    let start = reader.position
    let steps = try array(SyncPathStep.self, eachAtLeast: 3)
    guard !steps.isEmpty else { throw SyncDecodingError(.notCanonical("no steps where there are some"), at: start) }
    let limit = reader.limits.depth
    guard steps.count <= limit else { throw SyncDecodingError(.overLimit("steps of a path", limit), at: start) }
    return SyncPath(property, steps)
  }

  mutating func collection(hasSteps: Bool) throws(SyncDecodingError) -> SyncCollectionPath {
    let slot = try path(hasSteps: hasSteps)
    return SyncCollectionPath(slot, incarnation: try id())
  }
}

extension SyncPathStep: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    switch self {
    case .element(let element, let container):
      encoder.writer.byte(0)
      encoder.id(container)
      encoder.id(element)
    case .key(let key, let container):
      encoder.writer.byte(1)
      encoder.id(container)
      encoder.writer.text(key)
    case .property(let name, let container):
      encoder.writer.byte(2)
      encoder.id(container)
      encoder.name(name)
    }
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let tag = try decoder.reader.byte()
    guard tag < 3 else { throw SyncDecodingError(.unknownTag(UInt64(tag), of: "steps"), at: start) }
    let container = try decoder.id()
    switch tag {
    case 0: self = .element(try decoder.id(), in: container)
    case 1: self = .key(try decoder.reader.text(), in: container)
    default: self = .property(try decoder.name(), in: container)
    }
  }
}

extension SyncPath: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.flag(!steps.isEmpty)
    encoder.path(self)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    self = try decoder.path(hasSteps: try decoder.flag())
  }
}

extension SyncCollectionPath: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    slot.encode(into: &encoder)
    encoder.id(incarnation)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let slot = try SyncPath(from: &decoder)
    self.init(slot, incarnation: try decoder.id())
  }
}
