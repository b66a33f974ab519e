import Foundation
import TestSupport
import Testing

@testable import LarderStorage

@Suite("Values that wait for their index") struct AddedPairsTests {
  @Test("Bytes are found with the key that they were added with last, among many that begin or end alike")
  func agreesWithADictionary() {
    var random = SeededRandom.forTest()
    for count in [0, 1, 50, 5_000] {
      var (added, expected) = (AddedPairs(), [StoredValue: ObjectKey]())
      func value() -> StoredValue {
        .data(Data(Array(repeating: 7, count: random.int(0...12)) + random.bytes(count: random.int(0...2))))
      }
      for number in 0..<count {
        let (value, key) = (value(), ObjectKey(rawValue: UInt64(number)))
        let isAdded = added.add(value, .data, key)
        #expect(isAdded)
        expected[value] = key
      }
      #expect(added.count == count && added.changes.count == count)
      for value in Array(expected.keys) + (0..<500).map({ _ in value() }) {
        let found = added.key(of: value, .data)
        #expect(found == expected[value])
      }
      let areAdded = [
        added.add(.null, .data, ObjectKey(rawValue: 0)),
        added.add(.data(Data(count: PairLimits.valueBytes + 1)), .data, ObjectKey(rawValue: 0)),
      ]
      #expect(areAdded == [false, false] && added.count == count)
    }
  }

  @Test("Primary keys that were given in a transaction are found in it, whatever their type and length")
  func primaryKeys() throws {
    var random = SeededRandom.forTest()
    let identifiers = (0..<600).map { _ in UUID() }
    let types: [ColumnType] = [.string, .uuid, .objectId, .int]
    for type in types {
      let codec = try #require(IndexValue.codec(for: type))
      var changes = PrimaryKeyChanges(type: type, codec: codec)
      var expected: [StoredValue: ObjectKey] = [:]
      func value() -> StoredValue {
        switch type {
        case .string:
          random.oneIn(20)
            ? .null
            : .string(String(repeating: "x", count: random.pick([0, 9, 238, 250])) + random.string(maxLength: 3))
        case .uuid: .uuid(random.pick(identifiers))
        case .objectId: .objectId(ObjectIdBytes(high: random.next() & 7, low: UInt32(random.int(0...300))))
        default: .int(Int64(random.int(-500...500)))
        }
      }
      for number in 0..<800 {
        let (value, key) = (value(), ObjectKey(rawValue: UInt64(number)))
        let earlier = changes.given(value)
        #expect(earlier == expected[value])
        changes.insert(value, key)
        if random.oneIn(9) { changes.remove(value, key) }
        expected[value] = key
      }
      for (value, key) in expected {
        let found = changes.given(value)
        #expect(found == key)
      }
      #expect(!changes.isEmpty && changes.count >= 800)
      let taken = changes.take()
      #expect(taken.count >= 800)
      #expect(changes.isEmpty && changes.count == 0)
      for value in expected.keys {
        let found = changes.given(value)
        #expect(found == nil)
      }
    }
  }
}
