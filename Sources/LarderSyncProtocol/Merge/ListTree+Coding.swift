// The places of a list in their order, each with the element that it belongs to. What follows from the place before is not written, so that a run
// of elements that came together takes a byte for each beside their values.
extension ListTree {
  /// The flags in the byte before a place.
  private struct Form: OptionSet {
    let rawValue: UInt8
    /// The element was at an earlier place.
    static let knownElement = Form(rawValue: 1)
    static let otherElementID = Form(rawValue: 2)
    static let dead = Form(rawValue: 4)
    /// The element is at another place now.
    static let elsewhere = Form(rawValue: 8)
    static let inserted = Form(rawValue: 16)
    /// The place is the right child of the one before, of the same operation.
    static let chained = Form(rawValue: 32)
    static let placed = Form(rawValue: 64)
    /// The element's slot is a value as old as the element.
    static let plainValue = Form(rawValue: 128)
  }

  func encode(into encoder: inout SyncEncoder) {
    encoder.writer.count(order.count)
    var ranks = [Int](repeating: 0, count: nodes.count)
    for (rank, node) in order.enumerated() { ranks[Int(node)] = rank }
    var numbers = [Int](repeating: -1, count: elements.count)
    var next = 0
    for (rank, node) in order.enumerated() {
      let previous = rank == 0 ? nil : order[rank - 1]
      let element = Int(nodes[Int(node)].element)
      let form = form(node, after: previous, isKnown: numbers[element] >= 0)
      encoder.writer.byte(form.rawValue)
      if !form.contains(.chained) { encodePlace(node, ranks, into: &encoder) }
      if form.contains(.knownElement) {
        encoder.writer.count(numbers[element])
      } else {
        numbers[element] = next
        next += 1
        encodeElement(element, form, ranks, into: &encoder)
      }
    }
  }

  private func form(_ index: Int32, after previous: Int32?, isKnown: Bool) -> Form {
    let node = nodes[Int(index)]
    var form: Form = isChained(index, to: previous) ? .chained : []
    if isKnown { return form.union(.knownElement) }
    let element = elements[Int(node.element)]
    if elementIDs[Int(node.element)] != positions[Int(index)] { form.insert(.otherElementID) }
    if element.isDead { form.insert(.dead) }
    if element.place != index { form.insert(.elsewhere) }
    if element.inserted != predicted(index, form, previous) { form.insert(.inserted) }
    if element.placed != element.inserted { form.insert(.placed) }
    if let written = element.slot.explicit, written.value != nil, written.stamp == element.inserted,
      element.slot.lower.isEmpty, element.slot.adds.isEmpty, element.slot.fixed.isEmpty
    {
      form.insert(.plainValue)
    }
    return form
  }

  private func isChained(_ index: Int32, to previous: Int32?) -> Bool {
    guard let previous else { return false }
    let node = nodes[Int(index)]
    return node.parent == previous && node.side == .right && node.stamp == nodes[Int(previous)].stamp
      && positions[Int(previous)].precedesDirectly(positions[Int(index)])
  }

  /// Returns the time when an element was inserted, as far as the place says it.
  private func predicted(_ index: Int32, _ form: Form, _ previous: Int32?) -> Stamp {
    guard form.contains(.chained), let previous else { return nodes[Int(index)].stamp }
    return elements[Int(nodes[Int(previous)].element)].inserted
  }

  private func encodePlace(_ index: Int32, _ ranks: [Int], into encoder: inout SyncEncoder) {
    let node = nodes[Int(index)]
    encoder.id(positions[Int(index)])
    encoder.stamp(node.stamp)
    encoder.writer.count(node.parent == -1 ? 0 : ranks[Int(node.parent)] + 1)
    encoder.flag(node.side == .right)
  }

  private func encodeElement(_ index: Int, _ form: Form, _ ranks: [Int], into encoder: inout SyncEncoder) {
    let element = elements[index]
    if form.contains(.otherElementID) { encoder.id(elementIDs[index]) }
    if form.contains(.elsewhere) { encoder.writer.count(ranks[Int(element.place)]) }
    if form.contains(.inserted) { encoder.stamp(element.inserted) }
    if form.contains(.placed) { encoder.stamp(element.placed) }
    if form.contains(.plainValue) {
      element.slot.explicit?.value?.encode(into: &encoder)
    } else if !form.contains(.dead) {
      element.slot.encode(into: &encoder)
    }
  }

  init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let start = decoder.reader.position
    let count = try decoder.reader.count()
    var parts = Parts()
    for rank in 0..<count {
      let form = Form(rawValue: try decoder.reader.byte())
      try Self.decodePlace(rank, form, count, &parts, from: &decoder)
      let element: Int
      if form.contains(.knownElement) {
        let at = decoder.reader.position
        element = Int(try decoder.reader.varint32())
        guard element < parts.elements.count else { throw SyncDecodingError(.countTooLarge(UInt64(element)), at: at) }
      } else {
        element = parts.elements.count
        try Self.decodeElement(rank, form, count, &parts, from: &decoder)
      }
      parts.nodes[rank].element = Int32(element)
    }
    guard let tree = ListTree(parts) else {
      throw SyncDecodingError(.notCanonical("places of a list are not in the order of their tree"), at: start)
    }
    self = tree
  }

  private static func decodePlace(
    _ rank: Int, _ form: Form, _ count: Int, _ parts: inout Parts, from decoder: inout SyncDecoder
  ) throws(SyncDecodingError) {
    if form.contains(.chained) {
      guard rank > 0, let id = parts.positions[rank - 1].advanced(by: 1) else {
        throw decoder.reader.error(.notCanonical("a place follows none"))
      }
      parts.positions.append(id)
      parts.nodes.append(
        Node(stamp: parts.nodes[rank - 1].stamp, parent: Int32(rank - 1), side: .right, element: 0))
      return
    }
    parts.positions.append(try decoder.id())
    let stamp = try decoder.stamp()
    let at = decoder.reader.position
    let parent = Int(try decoder.reader.varint32())
    guard parent <= count else { throw SyncDecodingError(.countTooLarge(UInt64(parent)), at: at) }
    let side: Side = try decoder.flag() ? .right : .left
    parts.nodes.append(Node(stamp: stamp, parent: Int32(parent) - 1, side: side, element: 0))
  }

  private static func decodeElement(
    _ rank: Int, _ form: Form, _ count: Int, _ parts: inout Parts, from decoder: inout SyncDecoder
  ) throws(SyncDecodingError) {
    let id = form.contains(.otherElementID) ? try decoder.id() : parts.positions[rank]
    var place = rank
    if form.contains(.elsewhere) {
      let at = decoder.reader.position
      place = Int(try decoder.reader.varint32())
      guard place < count else { throw SyncDecodingError(.countTooLarge(UInt64(place)), at: at) }
    }
    var inserted = parts.nodes[rank].stamp
    if form.contains(.inserted) {
      inserted = try decoder.stamp()
    } else if form.contains(.chained) {
      inserted = parts.elements[Int(parts.nodes[rank - 1].element)].inserted
    }
    let placed = form.contains(.placed) ? try decoder.stamp() : inserted
    var slot = MergeSlot()
    if form.contains(.plainValue) {
      slot = MergeSlot(Written(inserted, nil))
      slot.explicit!.value = try SyncValue(from: &decoder)
    } else if !form.contains(.dead) {
      slot = try MergeSlot(from: &decoder)
    }
    parts.elementIDs.append(id)
    parts.elements.append(
      Element(
        inserted: inserted, isDead: form.contains(.dead), place: Int32(place), placed: placed, slot: slot))
  }
}
