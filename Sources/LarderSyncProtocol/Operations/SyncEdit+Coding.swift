extension SyncEdit {
  /// The kind in the first byte of an operation.
  var kind: UInt8 {
    switch self {
    case .create: 0
    case .delete: 1
    case .set: 2
    case .add: 3
    case .setInsert: 4
    case .setRemove: 5
    case .setClear: 6
    case .mapPut: 7
    case .mapRemove: 8
    case .mapClear: 9
    case .listInsert: 10
    case .listMove: 11
    case .listRemove: 12
    }
  }

  /// The edit without its kind.
  func encodePayload(into encoder: inout SyncEncoder) {
    if let collection { encoder.collection(collection) } else if let path { encoder.path(path) }
    switch self {
    case .create(let properties): encoder.array(properties)
    case .delete, .setClear, .mapClear: break
    case .set(_, let value), .setInsert(_, let value), .setRemove(_, let value): value.encode(into: &encoder)
    case .add(_, let delta): delta.encode(into: &encoder)
    case .mapPut(_, let key, let value):
      encoder.writer.text(key)
      value.encode(into: &encoder)
    case .mapRemove(_, let key): encoder.writer.text(key)
    case .listInsert(_, let values, let first, let left, let right):
      encoder.id(first)
      encoder.place(left)
      encoder.place(right)
      encoder.array(values)
    case .listMove(_, let element, let position, let left, let right):
      encoder.id(element)
      encoder.id(position)
      encoder.place(left)
      encoder.place(right)
    case .listRemove(_, let runs): encoder.array(runs)
    }
  }

  /// The edit of a kind that is known.
  init(_ head: OperationHead, from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    switch head.kind {
    case 0: self = .create(try decoder.array(eachAtLeast: 3))
    case 1: self = .delete
    case 2:
      let path = try decoder.path(hasSteps: head.hasSteps)
      self = .set(path, try SyncValue(from: &decoder))
    case 3:
      let path = try decoder.path(hasSteps: head.hasSteps)
      self = .add(path, try SyncDelta(from: &decoder))
    default: self = try SyncEdit(collection: head, from: &decoder)
    }
  }

  private init(collection head: OperationHead, from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    guard head.kind <= 12 else { throw decoder.reader.error(.unknownTag(UInt64(head.kind), of: "operations")) }
    let path = try decoder.collection(hasSteps: head.hasSteps)
    switch head.kind {
    case 4: self = .setInsert(path, try decoder.setElement())
    case 5: self = .setRemove(path, try decoder.setElement())
    case 6: self = .setClear(path)
    case 7:
      let key = try decoder.reader.text()
      self = .mapPut(path, key, try SyncValue(from: &decoder))
    case 8: self = .mapRemove(path, try decoder.reader.text())
    case 9: self = .mapClear(path)
    case 10:
      let first = try decoder.id()
      let (left, right) = (try decoder.place(), try decoder.place())
      self = .listInsert(path, try decoder.values(from: first), first: first, left: left, right: right)
    case 11:
      let (element, position) = (try decoder.id(), try decoder.id())
      let (left, right) = (try decoder.place(), try decoder.place())
      self = .listMove(path, element, position: position, left: left, right: right)
    default: self = .listRemove(path, try decoder.array(eachAtLeast: 2))
    }
  }
}

extension SyncDecoder {
  /// The values of elements with consecutive names.
  mutating func values(from first: OperationID) throws(SyncDecodingError) -> [SyncValue] {
    let start = reader.position
    let values = try array(SyncValue.self)
    guard let count = UInt32(exactly: values.count), first.advanced(by: max(count, 1) - 1) != nil else {
      throw SyncDecodingError(.overflow, at: start)
    }
    return values
  }
}

extension SyncDelta: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    switch self {
    case .int(let value):
      encoder.writer.byte(0)
      encoder.writer.signed(value)
    case .decimal(let value):
      encoder.writer.byte(1)
      value.encode(into: &encoder)
    }
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    self = try decoder.flag() ? .decimal(try SyncDecimal(from: &decoder)) : .int(try decoder.reader.signed())
  }
}

extension CreatedProperty: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.name(name)
    encoder.writer.byte(rank.rawValue)
    value.encode(into: &encoder)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let name = try decoder.name()
    let start = decoder.reader.position
    let byte = try decoder.reader.byte()
    guard let rank = ValueRank(rawValue: byte) else {
      throw SyncDecodingError(.unknownTag(UInt64(byte), of: "ranks"), at: start)
    }
    self.init(name, try SyncValue(from: &decoder), rank: rank)
  }
}
