// An object's state as the bytes that a database keeps: what is written is in one order, so that equal states are equal bytes.
extension ObjectState: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.byte(Self.format)
    encoder.stamp(created)
    encoder.stamp(deleted)
    encoder.writer.varint(touchedVersion)
    root.encodeContent(into: &encoder)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let format = try decoder.reader.byte()
    guard format == Self.format else {
      throw SyncDecodingError(.unknownTag(UInt64(format), of: "forms of an object's state"), at: start)
    }
    created = try decoder.stamp()
    deleted = try decoder.stamp()
    touchedVersion = try decoder.reader.varint()
    root = Container(.object, .root)
    try root.decodeContent(from: &decoder)
  }

  private static var format: UInt8 { 1 }
}

extension SyncEncoder {
  mutating func stamp(_ stamp: Stamp) {
    writer.varint(stamp.time.rawValue)
    guard stamp != .zero else { return }
    site(stamp.site)
    writer.varint(UInt64(stamp.operation))
  }
}

extension SyncDecoder {
  mutating func stamp() throws(SyncDecodingError) -> Stamp {
    let time = SyncTime(rawValue: try reader.varint())
    guard time.rawValue != 0 else { return .zero }
    let site = try site()
    return Stamp(time: time, site: site, operation: try reader.varint32())
  }
}

extension Container {
  func encode(into encoder: inout SyncEncoder) {
    encoder.writer.byte(kind.rawValue)
    encoder.id(incarnation)
    encodeContent(into: &encoder)
  }

  init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let tag = try decoder.reader.byte()
    guard let kind = Kind(rawValue: tag) else {
      throw SyncDecodingError(.unknownTag(UInt64(tag), of: "kinds of containers"), at: start)
    }
    self.init(kind, try decoder.id())
    guard decoder.depth < decoder.reader.limits.depth else {
      throw SyncDecodingError(.overLimit("levels of containers", decoder.reader.limits.depth), at: start)
    }
    decoder.depth += 1
    try decodeContent(from: &decoder)
    decoder.depth -= 1
  }

  fileprivate func encodeContent(into encoder: inout SyncEncoder) {
    switch kind {
    case .object: encodeEntries(into: &encoder)
    case .map:
      encoder.stamp(cleared)
      encodeEntries(into: &encoder)
    case .set:
      encoder.stamp(cleared)
      encoder.writer.count(members.count)
      for member in members.sorted(by: { $0.value < $1.value }) {
        member.value.encode(into: &encoder)
        encoder.stamp(member.stamp)
        encoder.flag(member.isPresent)
      }
    case .list: list.encode(into: &encoder)
    }
  }

  private func encodeEntries(into encoder: inout SyncEncoder) {
    // A slot that was only looked for says nothing.
    let kept = entries.filter { !$0.slot.isVacant }
    encoder.writer.count(kept.count)
    for entry in kept {
      encoder.name(entry.name)
      entry.slot.encode(into: &encoder)
    }
  }

  fileprivate mutating func decodeContent(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    switch kind {
    case .object: try decodeEntries(from: &decoder)
    case .map:
      cleared = try decoder.stamp()
      try decodeEntries(from: &decoder)
    case .set:
      cleared = try decoder.stamp()
      let count = try decoder.reader.count(eachAtLeast: 3)
      for _ in 0..<count {
        let start = decoder.reader.position
        let value = try SyncValue(from: &decoder)
        try decoder.check(members.last.map { $0.value < value } ?? true, "members", at: start)
        let stamp = try decoder.stamp()
        members.append(Member(value: value, stamp: stamp, isPresent: try decoder.flag()))
      }
    case .list: list = try ListTree(from: &decoder)
    }
  }

  private mutating func decodeEntries(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let count = try decoder.reader.count(eachAtLeast: 2)
    entries.reserveCapacity(count)
    for _ in 0..<count {
      let start = decoder.reader.position
      let name = try decoder.name()
      try decoder.check(entries.last.map { $0.name < name } ?? true, "names", at: start)
      entries.append(Entry(name: name, slot: try MergeSlot(from: &decoder)))
    }
  }
}
