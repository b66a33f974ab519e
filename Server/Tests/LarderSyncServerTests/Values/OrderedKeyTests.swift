import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct OrderedKeyTests {
  private func key(_ random: inout SeededRandom) -> PrimaryKey {
    switch random.int(0...3) {
    case 0: .int(Int64(bitPattern: random.next()) >> random.int(0...63))
    case 1: .string(SyncText(String(random.bytes(random.int(0...4)).map { Character(UnicodeScalar($0)) })))
    case 2: .objectID(SyncObjectID(high: random.next() >> random.int(0...63), low: UInt32(random.int(0...9))))
    default: .uuid(SyncUUID(high: random.next() >> random.int(0...63), low: random.next()))
    }
  }

  @Test("keys of the store are in the order of primary keys, and give them back")
  func order() {
    var random = SeededRandom.forTest()
    for _ in 0..<2_000 {
      let (left, right) = (key(&random), key(&random))
      let bytes = (OrderedKey.bytes(left), OrderedKey.bytes(right))
      #expect(bytes.0.lexicographicallyPrecedes(bytes.1) == (left < right))
      #expect(OrderedKey.key(bytes.0) == left)
    }
  }

  @Test("bytes that are no key's give none", arguments: [[], [0, 1], [2], [3, 1], [4], [1, 0xFF]])
  func damaged(_ bytes: [UInt8]) {
    #expect(OrderedKey.key(bytes) == nil)
  }
}
