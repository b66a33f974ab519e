extension SyncOperation: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) { encode(into: &encoder, after: nil) }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    self = try SyncOperation(from: &decoder, after: nil)
  }

  /// The operation, without its object when that is the one of the operation before.
  func encode(into encoder: inout SyncEncoder, after previous: ObjectName?) {
    var head = OperationHead(kind: edit.kind, path: edit.path)
    if object == previous {
      head.isSameObject = true
      encoder.writer.byte(head.byte)
    } else {
      head.key = object.key.rank
      encoder.writer.byte(head.byte)
      encoder.name(object.className)
      object.key.encodePayload(into: &encoder)
    }
    edit.encodePayload(into: &encoder)
  }

  init(from decoder: inout SyncDecoder, after previous: ObjectName?) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let head = OperationHead(try decoder.reader.byte())
    guard head.kind >= 2 || !head.hasSteps else {
      throw SyncDecodingError(.notCanonical("steps without a path"), at: start)
    }
    if head.isSameObject {
      guard let previous, head.key == 0 else {
        throw SyncDecodingError(.notCanonical("no object before, or a kind of key without a key"), at: start)
      }
      object = previous
    } else {
      let className = try decoder.name()
      object = ObjectName(className: className, key: try PrimaryKey(rank: head.key, from: &decoder))
      guard object != previous else {
        throw SyncDecodingError(.notCanonical("the object of the operation before is named again"), at: start)
      }
    }
    edit = try SyncEdit(head, from: &decoder)
  }
}

extension SyncCommit: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(siteVersion)
    encoder.writer.fixed64(time.rawValue)
    encoder.writer.fixed64(nonce)
    encoder.writer.count(operations.count)
    let author = encoder.author
    encoder.author.siteVersion = siteVersion
    var previous: ObjectName?
    for (index, operation) in operations.enumerated() {
      encoder.author.operation = UInt32(truncatingIfNeeded: index)
      operation.encode(into: &encoder, after: previous)
      previous = operation.object
    }
    encoder.author = author
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    siteVersion = try decoder.reader.varint()
    time = try SyncTime(from: &decoder)
    nonce = try decoder.reader.fixed64()
    let count = try decoder.reader.count()
    let author = decoder.author
    decoder.author.siteVersion = siteVersion
    var operations: [SyncOperation] = []
    operations.reserveCapacity(count)
    for index in 0..<count {
      decoder.author.operation = UInt32(truncatingIfNeeded: index)
      operations.append(try SyncOperation(from: &decoder, after: operations.last?.object))
    }
    decoder.author = author
    self.operations = operations
  }
}
