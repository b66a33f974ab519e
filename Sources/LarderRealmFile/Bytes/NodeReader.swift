/// Follows references: the one way from an offset to a node, with all that must hold of it.
struct NodeReader: Sendable {
  let source: ByteSource
  let limit: WorkLimit
  /// The class and property that are read, for messages.
  var place: String

  init(source: ByteSource, limit: WorkLimit, place: String) {
    self.source = source
    self.limit = limit
    self.place = place
  }

  /// A reader of the same file with the same limit, for another place.
  func at(_ place: String) -> NodeReader { NodeReader(source: source, limit: limit, place: place) }

  /// An error that says what is wrong where.
  func damaged(_ what: String, at offset: Int? = nil) -> RealmFileError {
    let position = offset.map { " (offset \($0))" } ?? ""
    return RealmFileError(.damaged, "\(source.path) is damaged: \(place)\(position): \(what); use a backup of the file")
  }

  /// The node at an offset.
  func node(_ offset: Int) throws -> Node {
    guard offset > 0, offset % 8 == 0 else { throw damaged("a reference to offset \(offset) leads to no node") }
    guard source.holds(offset, Node.headerSize) else {
      throw damaged("a reference leads after the end of the file, which has \(source.size) bytes", at: offset)
    }
    let header = try source.word(at: offset)
    let flags = UInt8(truncatingIfNeeded: header >> 32)
    let count = Int(header >> 40 & 0xFF) << 16 | Int(header >> 48 & 0xFF) << 8 | Int(header >> 56)
    let width = (1 << Int(flags & 7)) >> 1
    let layout: Node.Layout
    let size: Int
    switch flags >> 3 & 3 {
    case 0: (layout, size) = (.integers, IntegerUnpacking.size(width: width, count: count))
    case 1: (layout, size) = (.blocks, count * width)
    case 2: (layout, size) = (.bytes, count)
    default:
      throw RealmFileError(
        .unsupportedFormat,
        "\(source.path): \(place) (offset \(offset)) is in the compressed form of format 25, which was never released; "
          + "write the file again with a released version of Realm, or use a backup of it")
    }
    guard source.holds(offset + Node.headerSize, size) else {
      throw damaged("\(count) elements do not fit into the file, which has \(source.size) bytes", at: offset)
    }
    guard limit.take(elements: count, bytes: size) else {
      throw damaged("more is referred to than the file can hold, so parts of it are referred to repeatedly", at: offset)
    }
    return Node(
      offset: offset, isInner: flags & 0x80 != 0, hasReferences: flags & 0x40 != 0, isMarked: flags & 0x20 != 0,
      layout: layout, width: width, count: count, payload: try source.read(at: offset + Node.headerSize, count: size))
  }

  /// The elements of a node that must be one of references.
  func slots(_ node: Node) throws -> [Int64] {
    guard node.hasReferences, node.layout == .integers else {
      throw damaged("a list of references is none", at: node.offset)
    }
    return node.integers
  }

  /// The elements of a node that must be one of integers.
  func integers(_ node: Node) throws -> [Int64] {
    guard !node.hasReferences, !node.isInner, node.layout == .integers else {
      throw damaged("an array of integers is none", at: node.offset)
    }
    return node.integers
  }

  /// The integers of a node, which must be as many as its neighbours have.
  func integers(_ node: Node, count: Int) throws -> [Int64] {
    try expect(node.count, .exactly(count), node)
    return try integers(node)
  }

  /// Refuses another number of elements than the neighbours have.
  func expect(_ count: Int, _ expected: ElementCount, _ node: Node) throws {
    switch expected {
    case .exactly(let expected):
      if count == expected { return }
      throw damaged("there are \(count) values where there must be \(expected)", at: node.offset)
    case .atMost(let most):
      if count <= most { return }
      throw damaged("there are \(count) values where there can be \(most)", at: node.offset)
    }
  }

  /// The offset that an element refers to.
  func reference(_ element: Int64, _ what: String) throws -> Int {
    guard case .reference(let offset) = Slot(element) else { throw damaged("\(what) is missing") }
    return offset
  }

  /// The offset that an element refers to; nil when it is empty.
  func optionalReference(_ element: Int64, _ what: String) throws -> Int? {
    switch Slot(element) {
    case .empty: return nil
    case .reference(let offset): return offset
    case .number: throw damaged("\(what) is a number, not a reference")
    }
  }

  /// The number that an element is.
  func number(_ element: Int64, _ what: String) throws -> UInt64 {
    guard case .number(let value) = Slot(element) else { throw damaged("\(what) is no number") }
    return value
  }
}
