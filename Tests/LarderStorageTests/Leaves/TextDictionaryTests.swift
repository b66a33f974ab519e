import LarderLMDB
import Testing

@testable import LarderStorage

@Suite("Dictionaries of leaves")
struct TextDictionaryTests {
  /// A column whose values are drawn from so many.
  private func column(
    _ type: ColumnType, values: Int, count: Int, nils: Bool, _ random: inout LeafRandom
  ) -> (ColumnBuffer, [StoredValue]) {
    let choice = (0..<values).map { number in
      let text = number == 0 ? "" : String(repeating: "v\(number)ä", count: 1 + number % 5)
      return type == .data ? StoredValue.data(.init(text.utf8)) : .string(text)
    }
    let buffer = ColumnBuffer(type: type, capacity: 992, isOptional: nils)
    let stored = (0..<count).map { _ -> StoredValue in
      nils && random.next() % 5 == 0 ? .null : choice[Int(random.next() % UInt64(values))]
    }
    for (slot, value) in stored.enumerated() { buffer.set(slot, value) }
    return (buffer, stored)
  }

  @Test(
    "what repeats is stored as codes, and read as it was", arguments: [1, 2, 3, 4, 5, 16, 17, 100, 200], [false, true])
  func roundTrip(_ values: Int, nils: Bool) throws {
    for (type, count) in [(ColumnType.string, 992), (.data, 700)] {
      var random = LeafRandom(seed: UInt64(values))
      let (buffer, stored) = column(type, values: values, count: count, nils: nils, &random)
      let plain = buffer.encode(key: 9).bytes
      let bytes = buffer.encode(key: 9, usesDictionary: true).bytes
      try withLeaf(bytes, key: 9) { (leaf: LeafView) throws -> Void in
        #expect(leaf.pointers.isDictionary)
        #expect(bytes.count * 4 <= plain.count * 3 + 64)
        #expect(leaf.problem() == nil)
        let copy = ColumnBuffer(decoding: leaf, capacity: 992, isOptional: nils)
        for (slot, value) in stored.enumerated() {
          #expect(try leaf.value(slot) == value)
          #expect(copy.value(slot) == value)
        }
        #expect(copy.encode(key: 9).bytes == plain)
        // Values that slots shared in the leaf are each slot's own in the buffer.
        copy.set(1, type == .data ? .data(.init([7])) : .string("x"))
        #expect(copy.value(2) == stored[2])
      }
    }
  }

  @Test("a column of three airports takes two bits an object")
  func airports() throws {
    let buffer = ColumnBuffer(type: .string, capacity: 992)
    for slot in 0..<992 { buffer.setString(slot, ["EWR", "LGA", "JFK"][slot * 7 % 3]) }
    let bytes = buffer.encode(key: 1, usesDictionary: true).bytes
    #expect(bytes.count == 32 + 248 + 24)
  }

  @Test("what repeats little stays as it is")
  func staysPlain() {
    let buffer = ColumnBuffer(type: .string, capacity: 992)
    for slot in 0..<992 { buffer.setString(slot, "name \(slot)") }
    #expect(buffer.encode(key: 1, usesDictionary: true).bytes == buffer.encode(key: 1).bytes)
    let many = ColumnBuffer(type: .string, capacity: 992)
    for slot in 0..<992 { many.setString(slot, "name \(slot % 300)") }
    #expect(many.encode(key: 1, usesDictionary: true).bytes == many.encode(key: 1).bytes)
  }

  @Test("damaged dictionaries are refused or read, and nothing outside of them")
  func damage() throws {
    var random = LeafRandom(seed: 3)
    for values in [1, 3, 9, 60] {
      let (buffer, _) = column(.string, values: values, count: 400, nils: true, &random)
      let bytes = buffer.encode(key: 5, usesDictionary: true).bytes
      for _ in 0..<600 {
        var damaged = bytes
        damaged[8 + Int(random.next() % UInt64(damaged.count - 8))] = UInt8(truncatingIfNeeded: random.next())
        damaged.withView { view in
          guard let leaf = try? LeafView(view) else { return }
          for slot in 0..<leaf.count where leaf.pointers.codec == LeafCodec.dictionary.rawValue {
            let text = leaf.bytes(slot)
            let start = text.baseAddress.map { $0 - view.base } ?? 0
            #expect(start >= 0 && start + text.count <= view.count)
          }
          _ = leaf.problem()
        }
      }
    }
  }
}
