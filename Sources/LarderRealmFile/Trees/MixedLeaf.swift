import Foundation

/// Leaves of values of any type: a number for each says its type and where in the leaf's other parts it is.
extension ValueReader {
  func mixedElements(_ root: Int, nested: Int, _ visits: inout Visits) throws -> [RealmFileValue] {
    var result: [RealmFileValue] = []
    _ = try ElementTree(root: root).forEachLeaf(nodes, &visits) { node, visits in
      let values = try mixed(node, count: .atMost(ElementTree.mostInLeaf), nested: nested, &visits)
      try visits.keep(values.count, nodes)
      result += values
      return values.count
    }
    return result
  }

  /// - Parameter nested: In how many collections the leaf is that are values themselves.
  func mixed(_ node: Node, count: ElementCount, nested: Int, _ visits: inout Visits) throws -> [RealmFileValue] {
    let leaf = try MixedLeaf(node, self, count: count)
    return try leaf.elements.enumerated().map { place, element in
      if nested == 0 { visits.place = place }
      return try leaf.value(element, self, nested: nested, &visits)
    }
  }
}

private struct MixedLeaf {
  /// No part has more elements: two for each value, and some that are left of earlier ones.
  private static let most = ElementCount.atMost(4 * ElementTree.mostInLeaf)

  let offset: Int
  let elements: [Int64]
  private var words: [Int64] = []
  private var pairs: [Int64] = []
  private var texts: TextLeaf?
  private var references: [Int64] = []

  init(_ node: Node, _ reader: ValueReader, count: ElementCount) throws {
    let nodes = reader.nodes
    offset = node.offset
    let parts = try nodes.slots(node)
    guard (1...6).contains(parts.count), !node.isInner, let first = parts.first else {
      throw nodes.damaged("values of any type have \(parts.count) parts, not 4 or 6", at: offset)
    }
    let composites = try nodes.node(nodes.reference(first, "the types of values"))
    try nodes.expect(composites.count, count, composites)
    elements = try nodes.integers(composites)
    func part(_ index: Int) throws -> Node? {
      guard index < parts.count else { return nil }
      let offset = try nodes.optionalReference(parts[index], "a part of values of any type")
      guard let node = try offset.map({ try nodes.node($0) }) else { return nil }
      try nodes.expect(node.count, Self.most, node)
      return node
    }
    if let node = try part(1) { words = try nodes.integers(node) }
    if let node = try part(2) { pairs = try nodes.integers(node) }
    if let node = try part(3) { texts = try TextLeaf(node, isTerminated: true, count: Self.most, reader: nodes) }
    if let node = try part(4) { references = try nodes.slots(node) }
  }

  func value(_ element: Int64, _ reader: ValueReader, nested: Int, _ visits: inout Visits) throws -> RealmFileValue {
    if element == 0 { return .null }
    let nodes = reader.nodes
    let index = element >> 8
    switch element & 31 - 1 {
    case 0: return .int(element >> 5 & 7 == 0 ? index : try word(index, nodes))
    case 1: return .bool(index != 0)
    case 2:
      guard let text = String(validating: try bytes(index, nodes), as: UTF8.self) else {
        throw nodes.damaged("a text is not in UTF-8", at: offset)
      }
      return .string(text)
    case 4: return .data(Array(try bytes(index, nodes)))
    case 8:
      let (seconds, nanoseconds) = try pair(index, nodes)
      return .date(try nodes.date(seconds, nanoseconds, offset))
    case 9: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: try word(index, nodes))))
    case 10: return .double(Double(bitPattern: UInt64(bitPattern: try word(index, nodes))))
    case 11:
      let (low, high) = try pair(index, nodes)
      return .decimal(RealmFileDecimal(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low)))
    case 15: return .objectId(RealmFileObjectId(bytes: try bytes(index, nodes, count: 12)))
    case 16: return try link(index, reader, &visits)
    case 17: return .uuid(UUID(bytes: try bytes(index, nodes, count: 16)))
    case 19, 21: return try collection(element & 31 == 22, index, reader, nested, &visits)
    case let type: throw nodes.damaged("a value has the type \(type), which there is not", at: offset)
    }
  }

  private func link(_ index: Int64, _ reader: ValueReader, _ visits: inout Visits) throws -> RealmFileValue {
    let (table, key) = try pair(index, reader.nodes)
    // What it leads to never arrived.
    if key < 0 {
      visits.unresolved[visits.place, default: 0] += 1
      return .null
    }
    guard let target = reader.context.classIndexes[table] else {
      throw reader.nodes.damaged("a link leads into table \(table), which is no class", at: offset)
    }
    return .link(RealmFileLink(classIndex: target, key: key))
  }

  private func collection(
    _ isDictionary: Bool, _ index: Int64, _ reader: ValueReader, _ nested: Int, _ visits: inout Visits
  ) throws -> RealmFileValue {
    let root = try root(index, reader, nested)
    if isDictionary {
      return .dictionary(
        try root.map { try reader.entries($0, hasIntegerKeys: false, nested: nested + 1, &visits) } ?? [])
    }
    return .list(try root.map { try reader.mixedElements($0, nested: nested + 1, &visits) } ?? [])
  }

  /// Returns the place of a collection; nil for one that has never had an element.
  private func root(_ index: Int64, _ reader: ValueReader, _ nested: Int) throws -> Int? {
    guard reader.context.format >= 24 else {
      throw reader.nodes.damaged("a value is a collection, which format \(reader.context.format) has not", at: offset)
    }
    guard nested < Visits.mostNested else {
      throw reader.nodes.damaged("collections are more than \(Visits.mostNested) levels deep", at: offset)
    }
    guard index >= 0, index < references.count else { throw missing(reader.nodes) }
    return try reader.nodes.optionalReference(references[Int(index)], "a collection")
  }

  private func word(_ index: Int64, _ reader: NodeReader) throws -> Int64 {
    guard index >= 0, index < words.count else { throw missing(reader) }
    return words[Int(index)]
  }

  private func pair(_ index: Int64, _ reader: NodeReader) throws -> (Int64, Int64) {
    guard index >= 0, index < pairs.count / 2 else { throw missing(reader) }
    return (pairs[2 * Int(index)], pairs[2 * Int(index) + 1])
  }

  private func bytes(_ index: Int64, _ reader: NodeReader, count: Int? = nil) throws -> ArraySlice<UInt8> {
    guard let texts, index >= 0, index < texts.count else { throw missing(reader) }
    // An empty text is kept as nothing.
    let bytes = try texts.value(Int(index), reader) ?? []
    guard count == nil || bytes.count == count else {
      throw reader.damaged("a value of \(count ?? 0) bytes has \(bytes.count)", at: offset)
    }
    return bytes
  }

  private func missing(_ reader: NodeReader) -> RealmFileError {
    reader.damaged("a value is not where its type says", at: offset)
  }
}
