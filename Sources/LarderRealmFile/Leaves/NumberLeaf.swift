/// Leaves of integers, truth values, binary numbers, moments and links.
extension NodeReader {
  /// - Parameter count: How many values there must be.
  func ints(_ node: Node, isOptional: Bool, count: ElementCount) throws -> [Int64?] {
    guard isOptional else {
      try expect(node.count, count, node)
      return try integers(node).map { $0 }
    }
    try expect(max(0, node.count - 1), count, node)
    let elements = try integers(node)
    // The first element is what means null in the others.
    guard let null = elements.first else { throw damaged("the mark of null is missing", at: node.offset) }
    return elements.dropFirst().map { $0 == null ? nil : $0 }
  }

  func bools(_ node: Node, isOptional: Bool, count: ElementCount) throws -> [Bool?] {
    try expect(node.count, count, node)
    return try integers(node).map {
      switch $0 {
      case 0: return false
      case 1: return true
      case 3 where isOptional: return nil
      default: throw damaged("\($0) is no truth value", at: node.offset)
      }
    }
  }

  func floats(_ node: Node, isOptional: Bool, count: ElementCount) throws -> [Float?] {
    try words(node, width: 4, count: count).map { word in
      if isOptional && word == 0x7FC0_00AA { return nil }
      return Float(bitPattern: UInt32(truncatingIfNeeded: word))
    }
  }

  func doubles(_ node: Node, isOptional: Bool, count: ElementCount) throws -> [Double?] {
    try words(node, width: 8, count: count).map { word in
      if isOptional && word == 0x7FF8_0000_0000_00AA { return nil }
      return Double(bitPattern: word)
    }
  }

  /// Elements of 4 or 8 bytes.
  private func words(_ node: Node, width: Int, count: ElementCount) throws -> [UInt64] {
    try expect(node.count, count, node)
    guard node.count > 0 else { return [] }
    guard !node.hasReferences, !node.isInner, node.layout == .blocks, node.width == width else {
      throw damaged("numbers are not \(width) bytes each", at: node.offset)
    }
    return IntegerUnpacking.unsigned(node.payload, width: width * 8, count: node.count)
  }

  func dates(_ node: Node, isOptional: Bool, count: ElementCount) throws -> [RealmFileDate?] {
    let parts = try slots(node)
    guard parts.count == 2 else { throw damaged("moments have \(parts.count) parts, not 2", at: node.offset) }
    let seconds = try ints(self.node(reference(parts[0], "the seconds")), isOptional: true, count: count)
    let nanoseconds = try integers(self.node(reference(parts[1], "the nanoseconds")), count: seconds.count)
    return try zip(seconds, nanoseconds).map { seconds, nanoseconds in
      guard let seconds else { return try absent(isOptional, node) }
      return try date(seconds, nanoseconds, node.offset)
    }
  }

  func date(_ seconds: Int64, _ nanoseconds: Int64, _ offset: Int) throws -> RealmFileDate {
    guard (-999_999_999...999_999_999).contains(nanoseconds), seconds.signum() * nanoseconds.signum() >= 0 else {
      throw damaged("\(seconds) seconds and \(nanoseconds) nanoseconds are no moment", at: offset)
    }
    return RealmFileDate(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }

  /// Nil where a value may be missing.
  func absent<Value>(_ isOptional: Bool, _ node: Node) throws -> Value? {
    guard isOptional else { throw damaged("a value is missing that must be there", at: node.offset) }
    return nil
  }

  /// Keys of objects: -1 for none, smaller ones for objects that never arrived.
  ///
  /// - Parameter isInTree: Whether it is a leaf of a list or set, where keys are stored as they are; else they have 1 added.
  func links(_ node: Node, isInTree: Bool, count: ElementCount) throws -> [Int64] {
    try expect(node.count, count, node)
    let elements = try integers(node)
    guard isInTree else { return elements.map { $0 &- 1 } }
    guard !elements.contains(-1) else { throw damaged("a list or set of links has an empty one", at: node.offset) }
    return elements
  }
}
