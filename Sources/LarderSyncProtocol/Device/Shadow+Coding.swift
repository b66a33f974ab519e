extension Shadow {
  /// The shadow without what a path makes again where it is missing: containers that are there from the beginning and in which nothing has a
  /// name. Nil when nothing is left.
  var essential: Shadow? {
    var result = self
    result.children = children.compactMapValues(\.essential)
    let isEmpty = result.children.isEmpty && table.runs.isEmpty && table.removed.isEmpty && table.moves.isEmpty
    return isEmpty && incarnation == .root ? nil : result
  }
}

extension Shadow: SyncCodable {
  func encode(into encoder: inout SyncEncoder) {
    encoder.writer.byte(kind.rawValue)
    encoder.id(incarnation)
    if kind == .list { table.encode(into: &encoder) }
    encoder.writer.count(children.count)
    for (slot, child) in children.sorted(by: { $0.key < $1.key }) {
      switch slot {
      case .name(let name):
        encoder.flag(false)
        encoder.writer.text(name)
      case .element(let id):
        encoder.flag(true)
        encoder.id(id)
      }
      child.encode(into: &encoder)
    }
  }

  init(from decoder: inout SyncDecoder) throws(SyncDecodingError) { try self.init(from: &decoder, depth: 0) }

  private init(from decoder: inout SyncDecoder, depth: Int) throws(SyncDecodingError) {
    let start = decoder.reader.position
    guard depth <= decoder.reader.limits.depth else {
      throw SyncDecodingError(.overLimit("containers within each other", decoder.reader.limits.depth), at: start)
    }
    let tag = try decoder.reader.byte()
    guard let kind = Container.Kind(rawValue: tag) else {
      throw SyncDecodingError(.unknownTag(UInt64(tag), of: "containers"), at: start)
    }
    self.init(kind, try decoder.id())
    if kind == .list { table = try SideTable(from: &decoder) }
    for _ in 0..<(try decoder.reader.count(eachAtLeast: 4)) {
      let slot: Slot = try decoder.flag() ? .element(try decoder.id()) : .name(try decoder.reader.text())
      children[slot] = try Shadow(from: &decoder, depth: depth + 1)
    }
  }
}

extension Shadow.Slot: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.name(let left), .name(let right)): left < right
    case (.element(let left), .element(let right)): left < right
    case (.name, .element): true
    case (.element, .name): false
    }
  }
}

extension SideTable: SyncCodable {
  func encode(into encoder: inout SyncEncoder) {
    encoder.writer.count(runs.count)
    for run in runs {
      let isMoved = run.position != run.element
      encoder.writer.byte((run.isBase ? 1 : 0) | (run.isShown ? 2 : 0) | (isMoved ? 4 : 0))
      encoder.writer.varint(UInt64(run.count))
      encoder.id(run.position)
      if isMoved { encoder.id(run.element) }
    }
    encoder.writer.count(removed.count)
    for id in removed.sorted() { encoder.id(id) }
    encoder.writer.count(moves.count)
    for (element, positions) in moves.sorted(by: { $0.key < $1.key }) {
      encoder.id(element)
      encoder.writer.count(positions.count)
      for id in positions { encoder.id(id) }
    }
  }

  init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    var runs: [Run] = []
    for _ in 0..<(try decoder.reader.count(eachAtLeast: 3)) {
      let flags = try decoder.reader.byte()
      let count = try decoder.reader.varint32()
      let position = try decoder.id()
      runs.append(
        Run(
          position: position, element: flags & 4 == 0 ? position : try decoder.id(), count: count,
          isBase: flags & 1 != 0, isShown: flags & 2 != 0))
    }
    var removed: Set<OperationID> = []
    for _ in 0..<(try decoder.reader.count(eachAtLeast: 1)) { removed.insert(try decoder.id()) }
    var moves: [OperationID: [OperationID]] = [:]
    for _ in 0..<(try decoder.reader.count(eachAtLeast: 2)) {
      let element = try decoder.id()
      for _ in 0..<(try decoder.reader.count(eachAtLeast: 1)) { moves[element, default: []].append(try decoder.id()) }
    }
    self.init(runs: runs, removed: removed, moves: moves)
  }
}
