/// A leaf of texts or byte strings: four forms in one file, chosen for each leaf by its longest value.
struct TextLeaf {
  private enum Form {
    /// Blocks of equal size, whose last byte says how much of them is padding.
    case short(width: Int)
    /// All values one after the other.
    case medium(ends: [Int64], nulls: [Int64]?)
    /// A node for each value.
    case large([Int64])
  }

  private let node: Node
  private let bytes: [UInt8]
  private let form: Form
  /// True if a zero byte ends each value of more than a few bytes.
  private let isTerminated: Bool
  let count: Int

  init(_ node: Node, isTerminated: Bool, count: ElementCount, reader: NodeReader) throws {
    self.node = node
    self.isTerminated = isTerminated
    guard !node.isInner else { throw reader.damaged("texts are a node of a tree", at: node.offset) }
    if !node.hasReferences {
      guard isTerminated, node.layout == .blocks, node.width <= 64 else {
        throw reader.damaged("texts have a form that there is not", at: node.offset)
      }
      try reader.expect(node.count, count, node)
      (form, bytes, self.count) = (.short(width: node.width), node.payload, node.count)
    } else if node.isMarked {
      try reader.expect(node.count, count, node)
      (form, bytes, self.count) = (.large(try reader.slots(node)), [], node.count)
    } else {
      let parts = try reader.slots(node)
      guard parts.count == 2 || parts.count == 3 else {
        throw reader.damaged("texts have \(parts.count) parts, not 3", at: node.offset)
      }
      let ends = try reader.node(reader.reference(parts[0], "where texts end"))
      try reader.expect(ends.count, count, node)
      let blob = try reader.node(reader.reference(parts[1], "what texts hold"))
      guard blob.layout == .bytes, !blob.hasReferences, !blob.isInner else {
        throw reader.damaged("what texts hold is no array of bytes", at: blob.offset)
      }
      var nulls: [Int64]?
      if parts.count == 3, let offset = try reader.optionalReference(parts[2], "which texts are null") {
        nulls = try reader.integers(reader.node(offset), count: ends.count)
      }
      (form, bytes, self.count) = (.medium(ends: try reader.integers(ends), nulls: nulls), blob.payload, ends.count)
    }
  }

  /// The bytes of a value; nil for null.
  func value(_ index: Int, _ reader: NodeReader) throws -> ArraySlice<UInt8>? {
    switch form {
    case .short(let width):
      if width == 0 { return nil }
      let start = index * width
      let padding = Int(bytes[start + width - 1])
      if padding == width { return nil }
      guard padding < width else { throw reader.damaged("the length of a text is impossible", at: node.offset) }
      return bytes[start..<start + width - 1 - padding]
    case .medium(let ends, let nulls):
      if let nulls, nulls[index] != 0 { return nil }
      let (start, end) = (index == 0 ? 0 : ends[index - 1], ends[index])
      guard start >= 0, start <= end, end <= bytes.count else {
        throw reader.damaged("texts do not follow each other", at: node.offset)
      }
      return try unterminated(bytes[Int(start)..<Int(end)], reader)
    case .large(let references):
      guard let offset = try reader.optionalReference(references[index], "a text") else { return nil }
      let blob = try reader.node(offset)
      guard blob.layout == .bytes, !blob.hasReferences, !blob.isInner, !blob.isMarked else {
        throw reader.damaged("a text is no array of bytes", at: offset)
      }
      return try unterminated(blob.payload[...], reader)
    }
  }

  private func unterminated(_ bytes: ArraySlice<UInt8>, _ reader: NodeReader) throws -> ArraySlice<UInt8> {
    guard isTerminated else { return bytes }
    guard bytes.last == 0 else { throw reader.damaged("a text does not end with a zero byte", at: node.offset) }
    return bytes.dropLast()
  }

  /// A value as text.
  func text(_ index: Int, _ reader: NodeReader) throws -> String? {
    guard let bytes = try value(index, reader) else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw reader.damaged("a text is not in UTF-8", at: node.offset)
    }
    return text
  }
}

extension NodeReader {
  func strings(_ node: Node, isOptional: Bool, count: ElementCount) throws -> [String?] {
    let leaf = try TextLeaf(node, isTerminated: true, count: count, reader: self)
    return try (0..<leaf.count).map { try leaf.text($0, self) ?? (isOptional ? nil : "") }
  }

  func datas(_ node: Node, isOptional: Bool, count: ElementCount) throws -> [[UInt8]?] {
    let leaf = try TextLeaf(node, isTerminated: false, count: count, reader: self)
    return try (0..<leaf.count).map { try leaf.value($0, self).map { Array($0) } ?? (isOptional ? nil : []) }
  }

  /// Names of tables or columns.
  func names(_ node: Node) throws -> [String] {
    guard !node.hasReferences else { throw damaged("names have the form of long texts", at: node.offset) }
    return try strings(node, isOptional: false, count: .atMost(1 << 16)).map { $0 ?? "" }
  }

  /// Texts that the leaf names by their number in a list of the file's.
  func strings(_ node: Node, of list: [String?], isOptional: Bool, count: ElementCount) throws -> [String?] {
    try expect(node.count, count, node)
    return try integers(node).map { element in
      guard element >= 0, element < list.count else {
        throw damaged("text \(element) of a list of \(list.count) does not exist", at: node.offset)
      }
      return list[Int(element)] ?? (isOptional ? nil : "")
    }
  }
}
