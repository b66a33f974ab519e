import Foundation

/// Leaves of ObjectIds, UUIDs and decimal numbers.
extension NodeReader {
  func objectIds(_ node: Node, isOptional: Bool, count: ElementCount) throws -> [RealmFileObjectId?] {
    try fixed(node, size: 12, count: count).map { bytes in
      try bytes.map(RealmFileObjectId.init(bytes:)) ?? absent(isOptional, node)
    }
  }

  func uuids(_ node: Node, isOptional: Bool, count: ElementCount) throws -> [UUID?] {
    try fixed(node, size: 16, count: count).map { bytes in try bytes.map(UUID.init(bytes:)) ?? absent(isOptional, node)
    }
  }

  /// Values of `size` bytes in groups of eight, each with a byte before it whose bits say which are null.
  private func fixed(_ node: Node, size: Int, count: ElementCount) throws -> [ArraySlice<UInt8>?] {
    guard node.count > 0 else {
      try expect(0, count, node)
      return []
    }
    guard !node.hasReferences, !node.isInner, node.layout == .blocks, node.width == 1 else {
      throw damaged("values are not \(size) bytes each", at: node.offset)
    }
    let group = 8 * size + 1
    let groups = (node.count + group - 1) / group
    let (values, rest) = (node.count - groups).quotientAndRemainder(dividingBy: size)
    guard rest == 0 else {
      throw damaged("\(node.count) bytes are no whole number of values of \(size) bytes", at: node.offset)
    }
    try expect(values, count, node)
    return (0..<values).map { index in
      let start = index / 8 * group
      if node.payload[start] >> UInt8(index % 8) & 1 == 1 { return nil }
      let first = start + 1 + index % 8 * size
      return node.payload[first..<first + size]
    }
  }

  func decimals(_ node: Node, isOptional: Bool, count: ElementCount) throws -> [RealmFileDecimal?] {
    try expect(node.count, count, node)
    guard node.count > 0 else { return [] }
    guard !node.hasReferences, !node.isInner, node.layout == .blocks else {
      throw damaged("decimal numbers are none", at: node.offset)
    }
    let words =
      node.width == 0
      ? []
      : IntegerUnpacking.unsigned(
        node.payload, width: min(8, node.width) * 8, count: node.count * max(1, node.width / 8))
    switch node.width {
    case 0:
      let zero: RealmFileDecimal? =
        node.isMarked ? RealmFileDecimal(high: 0x3040 << 48, low: 0) : try absent(isOptional, node)
      return [RealmFileDecimal?](repeating: zero, count: node.count)
    case 4:
      return try words.map {
        if $0 == 0x7C00_00AA { return try absent(isOptional, node) }
        return RealmFileDecimal(bits32: $0)
      }
    case 8:
      return try words.map {
        if $0 == 0x7C00_0000_0000_00AA { return try absent(isOptional, node) }
        return RealmFileDecimal(bits64: $0)
      }
    case 16:
      return try (0..<node.count).map { index in
        let number = RealmFileDecimal(high: words[2 * index + 1], low: words[2 * index])
        if number.high == 0x7C00 << 48 && number.low == 0xAA { return try absent(isOptional, node) }
        return number
      }
    default: throw damaged("decimal numbers have \(node.width) bytes", at: node.offset)
    }
  }
}

extension RealmFileObjectId {
  /// - Parameter bytes: 12 of them.
  init(bytes: ArraySlice<UInt8>) {
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.dropFirst(8).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension UUID {
  /// - Parameter bytes: 16 of them.
  init(bytes: ArraySlice<UInt8>) {
    let b = Array(bytes)
    self.init(
      uuid: (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]))
  }
}
