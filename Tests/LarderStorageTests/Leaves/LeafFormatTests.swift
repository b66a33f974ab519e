import Foundation
import Testing

@testable import LarderStorage

/// Tests the choices of the encoder, and what the header says about them.
@Suite struct LeafFormatTests {
  func integers(_ values: [Int64?], present: Bitmap? = nil, _ body: (LeafView) throws -> Void) throws {
    let buffer = ColumnBuffer(type: .int, capacity: values.count)
    for (slot, value) in values.enumerated() { buffer.set(slot, value.map { .int($0) } ?? .null) }
    try withLeaf(buffer.encode(key: 1, present: present).bytes, key: 1, body)
  }

  @Test func `integers take as many bytes as their range needs`() throws {
    let spreads: [(Int64, Int)] = [
      (0, 0), (255, 1), (256, 2), (65_535, 2), (65_536, 4), (0xFFFF_FFFF, 4), (0x1_0000_0000, 8),
    ]
    for (spread, width) in spreads {
      for base in [Int64.min, -1, 0, 1_000_000] {
        try integers([base, base + spread, base, base]) { leaf in
          #expect(leaf.width == width, "\(spread)")
          #expect(leaf.integerRange == base...(base + spread))
          #expect((0..<4).map { leaf.int($0) } == [base, base + spread, base, base])
        }
      }
    }
    try integers([.max, .min]) { leaf in #expect(leaf.integerRange == Int64.min...Int64.max) }
  }

  @Test func `an arithmetic sequence takes sixteen bytes`() throws {
    for (first, step) in [(Int64(0), Int64(1)), (1_000_000, 3), (50, -7), (.max, -1)] as [(Int64, Int64)] {
      let values = (0..<496).map { first + step * Int64($0) }
      try integers(values) { leaf in
        #expect(leaf.bytes.count == 48)
        #expect(leaf.width == 0)
        #expect(leaf.step == step)
        #expect((0..<496).map { leaf.int($0) } == values)
        #expect(leaf.integerRange == values.min()!...values.max()!)
        let copy = ColumnBuffer(decoding: leaf, capacity: 496)
        #expect((0..<496).map { copy.int($0) } == values)
      }
    }
  }

  @Test func `a sequence may have holes, a broken one is no sequence`() throws {
    var values = (0..<100).map { Optional(Int64($0) * 5) }
    values[50] = nil
    try integers(values) { leaf in
      #expect(leaf.step == 5)
      #expect(leaf.isNull(50))
      #expect(leaf.int(99) == 495)
    }
    values[99] = 7
    try integers(values) { leaf in
      #expect(leaf.step == 0)
      #expect(leaf.int(99) == 7)
      #expect(leaf.int(98) == 490)
    }
  }

  @Test func `nulls and absent slots widen nothing`() throws {
    let buffer = ColumnBuffer(type: .int, capacity: 8)
    for slot in 0..<8 { buffer.setInt(slot, 1_000 + Int64(slot % 3)) }
    buffer.setInt(3, .max)
    buffer.setInt(4, .min)
    buffer.setNull(4)
    var present = Bitmap(count: 8, repeating: true)
    present.clear(3)
    try withLeaf(buffer.encode(key: 1, present: present).bytes, key: 1) { leaf in
      #expect(leaf.width == 1)
      #expect(leaf.integerRange == 1_000...1_002)
      #expect(leaf.nullCount == 2)
      #expect(leaf.isNull(3) && leaf.isNull(4) && !leaf.isNull(5))
    }
  }

  @Test func `absent slots alone need no null bitmap, and cost no bytes`() throws {
    let buffer = ColumnBuffer(type: .string, capacity: 16)
    for slot in 0..<16 { buffer.setString(slot, "value \(slot)") }
    var present = Bitmap(count: 16, repeating: true)
    for slot in 0..<16 where slot != 9 { present.clear(slot) }
    try withLeaf(buffer.encode(key: 1, present: present).bytes, key: 1) { leaf in
      #expect(!leaf.hasNulls)
      #expect(leaf.base == 7)
      #expect(leaf.string(9) == "value 9")
      #expect(leaf.string(8) == "")
    }
    try withLeaf(buffer.encode(key: 1, present: Bitmap(count: 8)).bytes, key: 1) { leaf in #expect(leaf.base == 0) }
  }

  @Test func `a cluster's leaves fit their pages`() throws {
    let doubles = ColumnBuffer(type: .double, capacity: StoreLayout.defaultClusterSize)
    let floats = ColumnBuffer(type: .float, capacity: StoreLayout.defaultClusterSize)
    for slot in 0..<StoreLayout.defaultClusterSize {
      doubles.setDouble(slot, Double(slot))
      floats.setFloat(slot, Float(slot))
    }
    doubles.setNull(5)
    // Two overflow pages with a null bitmap, one without.
    #expect(doubles.encode(key: 0).bytes.count <= 2 * 4_096 - 16)
    #expect(floats.encode(key: 0).bytes.count <= 4_096 - 16)
  }

  @Test func `ranges of floating numbers leave NaN out`() throws {
    for type in [ColumnType.float, .double] {
      func range(_ values: [Double?]) throws -> (ClosedRange<Double>?, Bool) {
        let buffer = ColumnBuffer(type: type, capacity: 8)
        for (slot, value) in values.enumerated() {
          buffer.set(slot, value.map { type == .double ? .double($0) : .float(Float($0)) } ?? .null)
        }
        return try withLeaf(buffer.encode(key: 0).bytes, key: 0) { ($0.doubleRange, $0.hasNaN) }
      }
      #expect(try range([1, -2, 0.5]) == (-2...1, false))
      #expect(try range([.nan, 3, nil, -1]) == (-1...3, true))
      #expect(try range([.nan]) == (nil, true))
      #expect(try range([nil, nil]) == (nil, false))
      #expect(try range([.infinity, -.infinity]) == (-.infinity ... .infinity, false))
      #expect(try range([.infinity]) == (.infinity ... .infinity, false))
    }
  }

  @Test func `NaN keeps its bits`() throws {
    let buffer = ColumnBuffer(type: .double, capacity: 2)
    let signalling = Double(bitPattern: 0x7FF0_0000_0000_0001)
    buffer.setDouble(0, signalling)
    buffer.setDouble(1, -.nan)
    try withLeaf(buffer.encode(key: 0).bytes, key: 0) { leaf in
      #expect(leaf.double(0).bitPattern == signalling.bitPattern)
      #expect(leaf.double(1).bitPattern == (-Double.nan).bitPattern)
    }
  }

  @Test func `nanoseconds are stored only where there are some`() throws {
    let buffer = ColumnBuffer(type: .date, capacity: 10)
    for slot in 0..<10 { buffer.setDate(slot, Timestamp(seconds: 1_700_000_000 + Int64(slot * slot))) }
    #expect(buffer.encode(key: 0).bytes.count == 32 + 16)
    buffer.setDate(3, Timestamp(seconds: 1_700_000_000, nanoseconds: 1))
    #expect(buffer.encode(key: 0).bytes.count == 32 + 16 + 40)
    buffer.setDate(3, Timestamp(seconds: 1_700_000_000))
    #expect(buffer.encode(key: 0).bytes.count == 32 + 16)
  }

  @Test func `offsets take one, two or four bytes`() throws {
    for (length, count, width) in [(20, 496, 1), (36, 16, 1), (37, 16, 2), (300, 200, 2), (1_000, 70, 4)] {
      let buffer = ColumnBuffer(type: .string, capacity: count)
      let text = (0..<count).map { String(repeating: Character(Unicode.Scalar(UInt8(97 + $0 % 26))), count: length) }
      for (slot, text) in text.enumerated() { buffer.setString(slot, text) }
      try withLeaf(buffer.encode(key: 0, softLimit: .max).bytes, key: 0) { leaf in
        #expect(leaf.width == width, "\(count) strings of \(length)")
        #expect((0..<count).map { leaf.string($0) } == text)
      }
    }
  }

  @Test func `a presence bitmap is a leaf without a type`() throws {
    for count in [0, 1, 8, 64, 495, 496, 65_535] {
      var bitmap = Bitmap(count: count)
      for slot in Swift.stride(from: 0, to: count, by: 3) { bitmap.set(slot) }
      try withLeaf(EncodedLeaf.presence(bitmap, key: 77), key: 77) { leaf in
        #expect(leaf.type == nil)
        #expect(leaf.bitmap() == bitmap)
        #expect(leaf.bitmap(capacity: count + 10).popcount == bitmap.popcount)
        #expect(throws: StorageError.self) { try leaf.value(0) }
      }
    }
  }

  @Test func `the largest leaf`() throws {
    let buffer = ColumnBuffer(type: .int, capacity: 65_535, isOptional: true)
    buffer.setInt(65_534, -5)
    buffer.setInt(0, 300)
    try withLeaf(buffer.encode(key: 0).bytes, key: 0) { leaf in
      #expect(leaf.count == 65_535)
      #expect(leaf.nullCount == 65_533)
      #expect(leaf.int(65_534) == -5)
      #expect(leaf.int(0) == 300)
    }
  }

  @Test func `equal values give equal bytes, whatever the history`() throws {
    let direct = ColumnBuffer(type: .string, capacity: 20)
    let crooked = ColumnBuffer(type: .string, capacity: 40)
    for slot in 0..<20 { direct.setString(slot, "value number \(slot)") }
    for slot in (0..<20).reversed() { crooked.setString(slot, "something else that is longer, \(slot)") }
    for slot in 0..<20 { crooked.setNull(slot) }
    for slot in (0..<20).reversed() { crooked.setString(slot, "value number \(slot)") }
    #expect(direct.encode(key: 8).bytes == crooked.encode(key: 8).bytes)
  }
}
