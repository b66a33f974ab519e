extension SyncList: SyncCodable {
  /// The names as the fewest runs in which those of elements and of places each follow one another, and then the values. A run begins with twice
  /// its length, plus 1 when places have other names than elements.
  public func encode(into encoder: inout SyncEncoder) {
    encoder.id(incarnation)
    encoder.writer.count(entries.count)
    var start = 0
    while start < entries.count {
      var end = start + 1
      while end < entries.count, entries[end - 1].precedesDirectly(entries[end]) { end += 1 }
      let first = entries[start]
      let isMoved = first.element != first.position
      encoder.writer.varint(UInt64(end - start) << 1 | (isMoved ? 1 : 0))
      encoder.id(first.element)
      if isMoved { encoder.id(first.position) }
      start = end
    }
    for entry in entries { entry.value.encode(into: &encoder) }
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let incarnation = try decoder.id()
    let count = try decoder.reader.count()
    var runs: [Run] = []
    var named = 0
    while named < count {
      let run = try Run(after: runs.last, atMost: count - named, from: &decoder)
      runs.append(run)
      named += Int(run.length)
    }
    var entries: [SyncListEntry] = []
    entries.reserveCapacity(count)
    for run in runs {
      for offset in 0..<run.length {
        let value = try SyncValue(from: &decoder)
        entries.append(SyncListEntry(element: run.element(offset), position: run.position(offset), value: value))
      }
    }
    self.init(incarnation: incarnation, entries: entries)
  }
}

/// Consecutive names of elements with consecutive names of places.
private struct Run {
  let first: OperationID
  let firstPosition: OperationID
  let length: UInt32

  init(after last: Run?, atMost most: Int, from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let head = try decoder.reader.varint()
    guard head >> 1 > 0, head >> 1 <= UInt64(most) else {
      throw SyncDecodingError(.countTooLarge(head >> 1), at: start)
    }
    first = try decoder.id()
    let isMoved = head & 1 == 1
    firstPosition = isMoved ? try decoder.id() : first
    guard !isMoved || firstPosition != first else {
      throw SyncDecodingError(.notCanonical("a place with the name of its element"), at: start)
    }
    guard let length = UInt32(exactly: head >> 1), first.advanced(by: length - 1) != nil,
      firstPosition.advanced(by: length - 1) != nil
    else { throw SyncDecodingError(.overflow, at: start) }
    self.length = length
    if let last, last.element(last.length - 1).precedesDirectly(first),
      last.position(last.length - 1).precedesDirectly(firstPosition)
    {
      throw SyncDecodingError(.notCanonical("a run that continues the one before"), at: start)
    }
  }

  func element(_ offset: UInt32) -> OperationID { first.unchecked(offset) }

  func position(_ offset: UInt32) -> OperationID { firstPosition.unchecked(offset) }
}

extension OperationID {
  /// The name a number of places later, which is known to be there.
  fileprivate func unchecked(_ offset: UInt32) -> OperationID {
    OperationID(site: site, siteVersion: siteVersion, operation: operation, index: index + offset)
  }
}

extension SyncListEntry {
  fileprivate func precedesDirectly(_ other: SyncListEntry) -> Bool {
    element.precedesDirectly(other.element) && position.precedesDirectly(other.position)
  }
}
