import Foundation

/// Writes files of Realm's node by node, for what no sample has.
struct NodeWriter {
  enum Slot {
    case empty
    case reference(Int)
    case number(Int)

    var element: Int64 {
      switch self {
      case .empty: 0
      case .reference(let offset): Int64(offset)
      case .number(let value): Int64(value) << 1 | 1
      }
    }
  }

  struct Column {
    var name: String
    var type: Int
    var attributes = 0
    /// The kind of a dictionary's keys.
    var keyType = 0
    /// For links and backlinks: the other table, and the column there.
    var target: Int?
    var targetColumn: Int64 = 0
    var enumeration: Int?
    /// The place in clusters; nil for the place among the columns.
    var leafIndex: Int?

    func key(_ index: Int) -> Int64 { Int64(leafIndex ?? index) | Int64(type) << 16 | Int64(index + 1) << 30 }
  }

  private(set) var bytes = [UInt8](repeating: 0, count: 24)

  // MARK: Nodes

  mutating func node(
    _ payload: [UInt8], count: Int, layout: Int, width: Int, isInner: Bool = false, hasReferences: Bool = false,
    isMarked: Bool = false
  ) -> Int {
    let offset = bytes.count
    let code = width == 0 ? 0 : width.trailingZeroBitCount + 1
    let flags = (isInner ? 0x80 : 0) | (hasReferences ? 0x40 : 0) | (isMarked ? 0x20 : 0) | layout << 3 | code
    bytes += [
      0x41, 0x41, 0x41, 0x41, UInt8(flags), UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF),
    ]
    bytes += payload
    bytes += [UInt8](repeating: 0, count: (8 - payload.count % 8) % 8)
    return offset
  }

  mutating func integers(
    _ values: [Int64], isInner: Bool = false, hasReferences: Bool = false, isMarked: Bool = false
  ) -> Int {
    let (least, most) = (values.min() ?? 0, values.max() ?? 0)
    let width: Int
    switch (least, most) {
    case (0, 0): width = 0
    case (0..., ...1): width = 1
    case (0..., ...3): width = 2
    case (0..., ...15): width = 4
    case ((-128)..., ...127): width = 8
    case ((-32_768)..., ...32_767): width = 16
    case (Int64(Int32.min)..., ...Int64(Int32.max)): width = 32
    default: width = 64
    }
    var payload = [UInt8](repeating: 0, count: (values.count * width + 7) / 8)
    for (index, value) in values.enumerated() {
      if width >= 8 {
        for byte in 0..<width / 8 {
          payload[index * width / 8 + byte] = UInt8(truncatingIfNeeded: value >> Int64(8 * byte))
        }
      } else if width > 0 {
        payload[index * width / 8] |= UInt8(value) << UInt8(index * width % 8)
      }
    }
    return node(
      payload, count: values.count, layout: 0, width: width, isInner: isInner, hasReferences: hasReferences,
      isMarked: isMarked)
  }

  mutating func slots(_ slots: [Slot], isInner: Bool = false, isMarked: Bool = false) -> Int {
    integers(slots.map(\.element), isInner: isInner, hasReferences: true, isMarked: isMarked)
  }

  mutating func blob(_ content: [UInt8]) -> Int { node(content, count: content.count, layout: 2, width: 1) }

  mutating func blocks(_ values: [[UInt8]], isMarked: Bool = false) -> Int {
    node(values.flatMap { $0 }, count: values.count, layout: 1, width: values.first?.count ?? 0, isMarked: isMarked)
  }

  /// Texts of up to 62 bytes.
  mutating func texts(_ values: [String?]) -> Int {
    var width = 1
    while values.contains(where: { ($0?.utf8.count ?? 0) >= width }) { width *= 2 }
    return blocks(
      values.map { text in
        guard let text else { return [UInt8](repeating: 0, count: width - 1) + [UInt8(width)] }
        let padding = width - 1 - text.utf8.count
        return Array(text.utf8) + [UInt8](repeating: 0, count: padding) + [UInt8(padding)]
      })
  }

  /// Texts of any length, one after the other.
  mutating func longTexts(_ values: [String]) -> Int {
    var end: Int64 = 0
    let ends = values.map { (text: String) -> Int64 in
      end += Int64(text.utf8.count + 1)
      return end
    }
    return slots([
      .reference(integers(ends)), .reference(blob(values.flatMap { Array($0.utf8) + [0] })),
      .reference(integers(values.map { _ in 0 })),
    ])
  }

  // MARK: Objects

  /// A group of objects with the keys from 0 on.
  mutating func cluster(count: Int, _ columns: [Int]) -> Int {
    slots([.number(count)] + columns.map { .reference($0) })
  }

  /// A group of objects with keys of their own.
  mutating func cluster(keys: [Int64], _ columns: [Int]) -> Int {
    slots([.reference(integers(keys))] + columns.map { .reference($0) })
  }

  mutating func table(key: Int, _ columns: [Column], root: Int, kind: Int = 0, primaryKey: Int64 = 0) -> Int {
    let isBacklink = { (column: Column) in column.type == 14 }
    let keys = columns.enumerated().map { $1.key($0) }
    let places = (columns.enumerated().map { $1.leafIndex ?? $0 }.max() ?? -1) + 1
    var targets = [Int64](repeating: 0x7FFF_FFFF, count: places)
    var targetColumns = [Int64](repeating: .max, count: places)
    for (index, column) in columns.enumerated() {
      guard let target = column.target else { continue }
      targets[column.leafIndex ?? index] = Int64(target)
      targetColumns[column.leafIndex ?? index] = column.targetColumn
    }
    let enumerations = columns.filter { !isBacklink($0) }.map { column in
      column.enumeration.map { Slot.reference($0) } ?? .empty
    }
    let spec = slots([
      .reference(integers(columns.map { Int64($0.type | $0.keyType << 16) })),
      .reference(texts(columns.filter { !isBacklink($0) }.map(\.name))),
      .reference(integers(columns.map { Int64($0.attributes) })), .empty, .reference(slots(enumerations)),
      .reference(integers(keys)),
    ])
    return slots([
      .reference(spec), .empty, .reference(root), .number(key), .empty, .number(places), .number(1),
      .reference(integers(targets)), .reference(integers(targetColumns)), .empty, .empty, .number(Int(primaryKey)),
      .number(kind), .empty,
    ])
  }

  /// The whole file: the tables of some classes.
  mutating func file(_ classes: [(String, Int)], format: Int = 24) -> [UInt8] {
    let names = texts(classes.map { "class_\($0.0)" })
    let tables = slots(classes.map { .reference($0.1) })
    let size = bytes.count + 64
    let top = slots([.reference(names), .reference(tables), .number(size)])
    var result = bytes + [UInt8](repeating: 0, count: max(0, size - bytes.count))
    for index in 0..<8 { result[index] = UInt8(truncatingIfNeeded: top >> (8 * index)) }
    result.replaceSubrange(16..<20, with: Array("T-DB".utf8))
    result[20] = UInt8(format)
    return result
  }
}
