import Foundation
import LarderLMDB
import Testing

@testable import LarderStorage

/// Calls `body` with the leaf that the bytes are; also checks length and checksum.
func withLeaf<R>(_ bytes: [UInt8], key: UInt64, _ body: (LeafView) throws -> R) throws -> R {
  try bytes.withUnsafeBytes { buffer in
    let view = ByteView(base: try #require(buffer.baseAddress), count: buffer.count)
    #expect(buffer.count % 8 == 0)
    #expect(LeafView.verify(view, key: key))
    return try body(LeafView(view))
  }
}

/// Returns true if two values are the same bits (NaN equals itself, zeros differ by sign).
func isSame(_ left: StoredValue, _ right: StoredValue) -> Bool {
  switch (left, right) {
  case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
  case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
  case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
  default: left == right
  }
}

@Suite struct LeafRoundTripTests {
  /// Sets, encodes, and compares the view, and a buffer decoded from it, with the values.
  func roundTrip(_ type: ColumnType, _ values: [StoredValue], sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    let buffer = ColumnBuffer(type: type, capacity: max(values.count, 1))
    for (slot, value) in values.enumerated() { buffer.set(slot, value) }
    let leaf = buffer.encode(key: 42, softLimit: .max)
    #expect(leaf.evicted.isEmpty)
    try withLeaf(leaf.bytes, key: 42) { view in
      #expect(view.problem() == nil, sourceLocation: sourceLocation)
      #expect(view.type == type, sourceLocation: sourceLocation)
      #expect(view.count == values.count, sourceLocation: sourceLocation)
      #expect(view.nullCount == values.count { $0.isNull }, sourceLocation: sourceLocation)
      let copy = ColumnBuffer(decoding: view, capacity: values.count)
      var wrong = 0
      for (slot, value) in values.enumerated() {
        if try !isSame(view.value(slot), value) || !isSame(copy.value(slot), value) { wrong += 1 }
        if view.isNull(slot) != value.isNull { wrong += 1 }
      }
      #expect(wrong == 0, "\(type)", sourceLocation: sourceLocation)
      #expect(copy.encode(key: 42, softLimit: .max).bytes == leaf.bytes, "\(type)", sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: LeafSamples.storedTypes) func `edges of every type`(type: ColumnType) throws {
    let edges = LeafSamples.edges(type)
    try roundTrip(type, edges)
    for edge in edges { try roundTrip(type, [edge]) }
    try roundTrip(type, edges.flatMap { [$0, .null] })
    try roundTrip(type, [.null] + edges)
    try roundTrip(type, [])
    try roundTrip(type, [.null])
  }

  @Test(arguments: LeafSamples.storedTypes) func `every count at a word or page boundary`(type: ColumnType) throws {
    var random = LeafRandom(seed: 7)
    for count in [1, 7, 8, 9, 63, 64, 65, 495, 496, 497] {
      let values = (0..<count).map { _ in LeafSamples.random(type, spread: 12, using: &random) }
      try roundTrip(type, values)
      try roundTrip(type, values.map { random.next() % 3 == 0 ? .null : $0 })
      try roundTrip(type, values.map { _ in .null })
    }
  }
}
