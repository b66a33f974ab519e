import Foundation
import Testing

@testable import LarderStorage

@Suite struct ColumnBufferTests {
  /// Random edits on a buffer and on an array of values, compared through leaves as it goes.
  @Test(arguments: LeafSamples.storedTypes) func `agrees with an array under random edits`(type: ColumnType) throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("column edit seed \(seed) for \(type)")
    var random = LeafRandom(seed: seed)
    for round in 0..<6 {
      let isOptional = round % 2 == 0
      let capacity = [8, 100, 496][round % 3]
      let spread = Int(random.next() % 60)
      var buffer = ColumnBuffer(type: type, capacity: capacity, isOptional: isOptional)
      var model: [StoredValue] = []
      for step in 0..<400 {
        edit(&buffer, &model, capacity: capacity, spread: spread, using: &random)
        #expect(buffer.count == model.count)
        guard step % 40 == 0 else { continue }
        #expect(buffer.nullCount == model.count { $0.isNull })
        let different = (0..<model.count).filter { !isSame(buffer.value($0), model[$0]) }
        #expect(different.isEmpty, "seed \(seed), step \(step)")
        let leaf = buffer.encode(key: seed, softLimit: .max)
        try withLeaf(leaf.bytes, key: seed) { view in
          let wrong = try (0..<model.count).filter { try !isSame(view.value($0), model[$0]) }
          #expect(wrong.isEmpty, "seed \(seed), step \(step)")
          if random.next() % 2 == 0 {
            buffer = ColumnBuffer(decoding: view, capacity: capacity, isOptional: isOptional)
          }
        }
      }
    }
  }

  func edit(
    _ buffer: inout ColumnBuffer, _ model: inout [StoredValue], capacity: Int, spread: Int,
    using random: inout LeafRandom
  ) {
    let value: StoredValue =
      random.next() % 4 == 0 ? .null : LeafSamples.random(buffer.type, spread: spread, using: &random)
    switch random.next() % 6 {
    case 0 where model.count < capacity:
      let position = Int(random.next() % UInt64(model.count + 1))
      buffer.insert(at: position, value)
      model.insert(value, at: position)
    case 1 where !model.isEmpty:
      let start = Int(random.next() % UInt64(model.count))
      let end = min(model.count, start + Int(random.next() % 4))
      buffer.remove(start..<end)
      model.removeSubrange(start..<end)
    case 2 where model.count + 3 < capacity:
      let slot = model.count + Int(random.next() % 3)
      buffer.set(slot, value)
      while model.count < slot { model.append(buffer.isOptional ? .null : LeafSamples.zero(buffer.type)) }
      model.append(value)
    case 3 where model.count < capacity:
      buffer.append(value)
      model.append(value)
    default:
      guard !model.isEmpty else { return }
      let slot = Int(random.next() % UInt64(model.count))
      buffer.set(slot, value)
      model[slot] = value
    }
  }

  @Test func `replacing one string for ever needs bounded memory`() {
    let buffer = ColumnBuffer(type: .string, capacity: 4)
    buffer.setString(0, "neighbour")
    for round in 0..<50_000 { buffer.setString(1, String(repeating: "x", count: round % 900)) }
    #expect(buffer.arena.count < 20_000)
    #expect(buffer.string(0) == "neighbour")
    #expect(buffer.string(1).utf8.count == 49_999 % 900)
    for round in 0..<1_000 { buffer.setString(1, String(repeating: "y", count: 1_025 + round)) }
    #expect(buffer.string(1).utf8.count == 2_024)
  }

  @Test func `zero is not null`() {
    for type in LeafSamples.storedTypes {
      let buffer = ColumnBuffer(type: type, capacity: 4, isOptional: true)
      buffer.setZero(2)
      #expect(buffer.value(2) == LeafSamples.zero(type))
      #expect(buffer.value(1) == .null)
      buffer.setNull(2)
      buffer.setZero(2)
      #expect(buffer.value(2) == LeafSamples.zero(type))
    }
  }

  @Test func `appends slots of another buffer`() {
    var random = LeafRandom(seed: 4)
    for type in LeafSamples.storedTypes {
      let source = ColumnBuffer(type: type, capacity: 20)
      for slot in 0..<20 {
        source.set(slot, slot % 5 == 0 ? .null : LeafSamples.random(type, spread: 30, using: &random))
      }
      let target = ColumnBuffer(type: type, capacity: 40)
      target.append(5..<15, of: source)
      target.append(0..<20, of: source)
      #expect((0..<30).map { target.value($0) } == (Array(5..<15) + Array(0..<20)).map { source.value($0) })
    }
  }

  @Test func `strings that are not contiguous UTF-8 arrive whole`() {
    let buffer = ColumnBuffer(type: .string, capacity: 2)
    let bridged = String(Substring("prefix-äöü-suffix").dropFirst(7).dropLast(7))
    buffer.setString(0, bridged)
    buffer.setString(1, "")
    #expect(buffer.string(0) == "äöü")
    #expect(buffer.string(1) == "")
  }
}
