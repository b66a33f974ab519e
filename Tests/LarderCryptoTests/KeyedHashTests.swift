import Dispatch
import LarderCrypto
import LarderLocks
import TestBasics
import Testing

@Suite("Hashes with a key") struct KeyedHashTests {
  private static func hex(_ value: HashedValue) -> String {
    func digits(_ word: UInt64) -> String {
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return digits(value.high) + digits(value.low)
  }

  private static func hex(_ key: [UInt8], _ message: [UInt8]) throws -> String {
    // The place is the first eight bytes of what is hashed.
    let place = message[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let hash = try KeyedHash(key: key)
    return hex(try message[8...].withUnsafeBytes { try hash.value(of: $0, in: place) })
  }

  @Test("The examples of RFC 4231 whose keys are no longer than a block")
  func examples() throws {
    let twenty = [UInt8](repeating: 0x0B, count: 20)
    #expect(try Self.hex(twenty, Array("Hi There".utf8)) == "b0344c61d8db38535ca8afceaf0bf12b")
    #expect(
      try Self.hex(Array("Jefe".utf8), Array("what do ya want for nothing?".utf8)) == "5bdcc146bf60754e6a042426089575c7"
    )
    #expect(
      try Self.hex([UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50))
        == "773ea91e36800e46854db8ebd09181a7")
    #expect(try Self.hex([UInt8](1...25), [UInt8](repeating: 0xCD, count: 50)) == "82558a389a443c0ea4cc819899f2083a")
  }

  /// Computed with Python's `hmac`, at and around the ends of blocks of SHA-256.
  private static let lengths: [(length: Int, hash: String)] = [
    (0, "6306f80651e30d433da9fbb6228c16b3"), (1, "47936ada1ec91243b4e626d0498c18c4"),
    (8, "2900caac90dd26a992d0b3c28250eb86"), (39, "2b3d390d778abadbdd3974092c579319"),
    (40, "ceb636b7993d5615f0e5815cd489b66c"), (47, "9d32fdb0c5f7256c12e9ffff3a4ffc5f"),
    (48, "bb70e64c082f5729aacb352c7c80bff5"), (55, "8fc3e46bfb730e3f94b83cbc6d15507f"),
    (56, "bcddbf59e5516f932a1febdbc1227a44"), (64, "f3ef5a472137d938f9716a9dd3054e84"),
    (111, "64feae1b66f5ba8eb548c3bcc078b1e0"), (112, "6731e6003a9bf6d066c8d8dfe96aefb1"),
    (120, "62ab3405094f6908ba8db123eddebc61"), (240, "f155eb911adc82bda54ff298ba2d986d"),
    (1000, "8a41e3b9f41ed7212e8ceaa5ae5e4845"),
  ]

  @Test("Values of every length, in any order and by several threads at once, have the hashes of HMAC-SHA-256")
  func everyLength() throws {
    let hash = try KeyedHash(key: [UInt8](0..<32))
    var random = SeededRandom.forTest()
    let seed = random.next()
    let wrong = Lock<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      var random = SeededRandom(seed: seed &+ UInt64(number))
      for _ in 0..<500 {
        let (length, expected) = random.pick(Self.lengths)
        let value = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + length) }
        let found = try? value.withUnsafeBytes { try hash.value(of: $0, in: 0x0002_0003_0000_0000) }
        if found.map(Self.hex) != expected { wrong.withLock { $0.append(length) } }
      }
    }
    #expect(wrong.withLock { $0 } == [])
  }

  @Test("Numbers are hashed as their big-endian bytes, and hashes are in the order of their bytes")
  func forms() throws {
    let hash = try KeyedHash(key: [UInt8](0..<32))
    var random = SeededRandom.forTest()
    for _ in 0..<200 {
      let (first, second, place) = (random.next(), random.next(), random.next())
      let (one, other) = try (hash.value(of: first, in: place), hash.value(of: second, in: place))
      #expect(try withUnsafeBytes(of: first.bigEndian) { try hash.value(of: $0, in: place) } == one)
      #expect(try hash.bytes(of: first, in: place) == one.withBytes { Array($0) })
      let isBelow = try hash.bytes(of: first, in: place).lexicographicallyPrecedes(hash.bytes(of: second, in: place))
      #expect(isBelow == ((one.high, one.low) < (other.high, other.low)))
    }
  }
}
