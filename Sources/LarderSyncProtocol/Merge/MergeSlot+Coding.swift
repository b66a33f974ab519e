extension MergeSlot {
  /// One byte says which parts follow.
  private enum Part {
    static let explicit: UInt8 = 1
    static let lower: UInt8 = 2
    static let adds: UInt8 = 4
    static let fixed: UInt8 = 8
    /// Adds of which some are decimals.
    static let deltas: UInt8 = 16
    /// The explicit value is a creation's, and nothing was assigned.
    static let created: UInt8 = 32
    /// The explicit value is a creation's, and the stamp of an older assignment follows.
    static let assigned: UInt8 = 64
    static let all: UInt8 = 127
  }

  func encode(into encoder: inout SyncEncoder) {
    var parts: UInt8 = 0
    if explicit != nil { parts |= Part.explicit }
    if !lower.isEmpty { parts |= Part.lower }
    let isMixed = !adds.allSatisfy { $0.delta.isInt }
    if !adds.isEmpty { parts |= isMixed ? Part.deltas : Part.adds }
    if !fixed.isEmpty { parts |= Part.fixed }
    let isCreated = explicit.map { $0.stamp != assigned } ?? false
    if isCreated { parts |= assigned == .zero ? Part.created : Part.assigned }
    encoder.writer.byte(parts)
    explicit?.encode(into: &encoder)
    if parts & Part.assigned != 0 { encoder.stamp(assigned) }
    if !lower.isEmpty {
      encoder.writer.count(lower.count)
      for ranked in lower.sorted(by: { $0.rank < $1.rank }) {
        encoder.writer.byte(ranked.rank.rawValue)
        ranked.written.encode(into: &encoder)
      }
    }
    if !adds.isEmpty {
      encoder.writer.count(adds.count)
      for add in adds {
        encoder.stamp(add.stamp)
        if !isMixed, case .int(let delta) = add.delta {
          encoder.writer.signed(delta)
        } else {
          add.delta.encode(into: &encoder)
        }
      }
    }
    fixed.first?.encode(into: &encoder)
  }

  init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let parts = try decoder.reader.byte()
    guard parts & ~Part.all == 0 else {
      throw SyncDecodingError(.unknownTag(UInt64(parts), of: "parts of a slot"), at: start)
    }
    let written = parts & Part.explicit != 0 ? try Written(from: &decoder) : nil
    var assigned = written?.stamp ?? .zero
    if parts & (Part.created | Part.assigned) != 0 {
      let isOne = parts & (Part.created | Part.assigned) != Part.created | Part.assigned
      try decoder.check(written != nil && isOne, "parts of a slot", at: start)
      let older = parts & Part.assigned != 0 ? try decoder.stamp() : .zero
      try decoder.check(older < assigned && (older != .zero || parts & Part.created != 0), "assignments", at: start)
      assigned = older
    }
    self.init(written, assigned: assigned)
    if parts & Part.lower != 0 { try decodeLower(from: &decoder) }
    try decoder.check(parts & (Part.adds | Part.deltas) != Part.adds | Part.deltas, "adds", at: start)
    if parts & (Part.adds | Part.deltas) != 0 { try decodeAdds(from: &decoder, areInts: parts & Part.adds != 0) }
    if parts & Part.fixed != 0 { fixed = [try Container(from: &decoder)] }
  }

  private mutating func decodeLower(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    for _ in 0..<(try decoder.reader.count(eachAtLeast: 3)) {
      let start = decoder.reader.position
      let tag = try decoder.reader.byte()
      guard let rank = ValueRank(rawValue: tag), rank != .explicit else {
        throw SyncDecodingError(.unknownTag(UInt64(tag), of: "ranks"), at: start)
      }
      try decoder.check(lower.last.map { $0.rank < rank } ?? true, "ranks", at: start)
      lower.append(Ranked(rank: rank, written: try Written(from: &decoder)))
    }
  }

  private mutating func decodeAdds(from decoder: inout SyncDecoder, areInts: Bool) throws(SyncDecodingError) {
    let beginning = decoder.reader.position
    for _ in 0..<(try decoder.reader.count(eachAtLeast: 3)) {
      let start = decoder.reader.position
      let stamp = try decoder.stamp()
      try decoder.check(adds.last.map { $0.stamp < stamp } ?? true, "adds", at: start)
      let delta = areInts ? SyncDelta.int(try decoder.reader.signed()) : try SyncDelta(from: &decoder)
      add(Add(stamp: stamp, delta: delta))
    }
    try decoder.check(areInts || !adds.allSatisfy { $0.delta.isInt }, "adds", at: beginning)
  }
}

extension Written {
  private enum Form {
    static let absent: UInt8 = 0
    static let value: UInt8 = 1
    static let container: UInt8 = 2
  }

  func encode(into encoder: inout SyncEncoder) {
    encoder.stamp(stamp)
    if let container = contents.first {
      encoder.writer.byte(Form.container)
      container.encode(into: &encoder)
    } else {
      encoder.writer.byte(value == nil ? Form.absent : Form.value)
      value?.encode(into: &encoder)
    }
  }

  init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    self.init(try decoder.stamp(), nil)
    let start = decoder.reader.position
    switch try decoder.reader.byte() {
    case Form.absent: break
    case Form.value: value = try SyncValue(from: &decoder)
    case Form.container: contents = [try Container(from: &decoder)]
    case let form: throw SyncDecodingError(.unknownTag(UInt64(form), of: "forms of a value"), at: start)
    }
  }
}
