extension CellDelta: SyncCodable {
  private var kind: UInt8 {
    switch self {
    case .set: 0
    case .add: 1
    case .setInsert: 2
    case .setRemove: 3
    case .mapPut: 4
    case .mapRemove: 5
    case .listInsert: 6
    case .listMove: 7
    case .listRemove: 8
    }
  }

  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.byte(OperationHead(kind: kind, path: path).byte)
    switch self {
    case .set(let path, let value):
      encoder.path(path)
      value.encode(into: &encoder)
    case .add(let path, let delta):
      encoder.path(path)
      delta.encode(into: &encoder)
    case .setInsert(let path, let values), .setRemove(let path, let values):
      encoder.collection(path)
      encoder.array(values)
    case .mapPut(let path, let key, let value):
      encoder.collection(path)
      encoder.writer.text(key)
      value.encode(into: &encoder)
    case .mapRemove(let path, let keys):
      encoder.collection(path)
      encoder.writer.count(keys.count)
      for key in keys { encoder.writer.text(key) }
    case .listInsert(let path, let values, let first, let left):
      encoder.collection(path)
      encoder.id(first)
      encoder.place(left)
      encoder.array(values)
    case .listMove(let path, let element, let position, let left):
      encoder.collection(path)
      encoder.id(element)
      encoder.id(position)
      encoder.place(left)
    case .listRemove(let path, let runs):
      encoder.collection(path)
      encoder.array(runs)
    }
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let head = OperationHead(try decoder.reader.byte())
    guard head.key == 0, !head.isSameObject, head.kind <= 8 else {
      throw SyncDecodingError(.unknownTag(UInt64(head.byte), of: "deltas"), at: start)
    }
    guard head.kind > 1 else {
      let path = try decoder.path(hasSteps: head.hasSteps)
      self = head.kind == 0 ? .set(path, try SyncValue(from: &decoder)) : .add(path, try SyncDelta(from: &decoder))
      return
    }
    let path = try decoder.collection(hasSteps: head.hasSteps)
    switch head.kind {
    case 2: self = .setInsert(path, try decoder.setValues())
    case 3: self = .setRemove(path, try decoder.setValues())
    case 4:
      let key = try decoder.reader.text()
      self = .mapPut(path, key, try SyncValue(from: &decoder))
    case 5: self = .mapRemove(path, try decoder.texts())
    case 6:
      let (first, left) = (try decoder.id(), try decoder.place())
      self = .listInsert(path, try decoder.values(from: first), first: first, left: left)
    case 7:
      let (element, position) = (try decoder.id(), try decoder.id())
      self = .listMove(path, element, position: position, left: try decoder.place())
    default: self = .listRemove(path, try decoder.array(eachAtLeast: 2))
    }
  }
}

extension SyncDecoder {
  /// Values of a set in any order.
  fileprivate mutating func setValues() throws(SyncDecodingError) -> [SyncValue] {
    let count = try reader.count()
    var values: [SyncValue] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try setElement()) }
    return values
  }

  fileprivate mutating func texts() throws(SyncDecodingError) -> [SyncText] {
    let count = try reader.count()
    var texts: [SyncText] = []
    texts.reserveCapacity(count)
    for _ in 0..<count { texts.append(try reader.text()) }
    return texts
  }
}
