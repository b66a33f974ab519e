import Foundation
import LarderCrypto
import TestBasics
import Testing

@Suite struct ValueSealerTests {
  private let sealer = ValueSealer(key: Array(0..<32))

  private func seal(_ value: [UInt8], _ table: String, _ key: [UInt8], number: UInt32 = 0) throws -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: value.count + ValueSealer.overhead)
    try value.withUnsafeBytes { value in
      try key.withUnsafeBytes { key in
        try sealed.withUnsafeMutableBytes {
          try sealer.seal(value, table: table, key: key, keyNumber: number, into: $0)
        }
      }
    }
    return sealed
  }

  private func open(_ sealed: [UInt8], _ table: String, _ key: [UInt8], by other: ValueSealer? = nil) throws -> [UInt8]?
  {
    var value = [UInt8](repeating: 0xEE, count: max(0, sealed.count - ValueSealer.overhead))
    let isRight = try sealed.withUnsafeBytes { sealed in
      try key.withUnsafeBytes { key in
        try value.withUnsafeMutableBytes { try (other ?? sealer).open(sealed, table: table, key: key, into: $0) }
      }
    }
    return isRight ? value : nil
  }

  @Test func aValueOpensAsItWasUnderItsOwnPlaceOnly() throws {
    for count in [0, 1, 15, 16, 17, 4_064, 70_000] {
      let value = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let sealed = try seal(value, "clusters", [1, 2, 3], number: UInt32(count))
      #expect(try open(sealed, "clusters", [1, 2, 3]) == value)
      #expect(try open(sealed, "clusters", [1, 2, 4]) == nil)
      #expect(try open(sealed, "cluster", [1, 2, 3]) == nil)
      // What belongs to the name must not pass for the key.
      #expect(try open(sealed, "clusters\u{1}", [2, 3]) == nil)
      #expect(try open(sealed, "clusters", [1, 2, 3], by: ValueSealer(key: Array(1..<33))) == nil)
    }
  }

  @Test func everyFlippedBitIsNoticed() throws {
    let sealed = try seal(Array("a value of some bytes".utf8), "log", [9])
    for bit in 0..<sealed.count * 8 {
      var damaged = sealed
      damaged[bit / 8] ^= 1 << (bit % 8)
      #expect(try open(damaged, "log", [9]) == nil, "bit \(bit)")
    }
    for count in 0..<sealed.count {
      #expect(try open(Array(sealed.prefix(count)), "log", [9]) == nil, "\(count) bytes")
    }
  }

  @Test func equalValuesLookDifferentEachTime() throws {
    let sealed = try (0..<500).map { _ in try seal([5, 5, 5, 5], "log", [9]) }
    #expect(Set(sealed.map { Array($0[..<12]) }).count == 500)
    #expect(Set(sealed.map { Array($0[16..<20]) }).count > 490)
    #expect(sealed.allSatisfy { $0.count == 4 + 32 })
  }

  @Test func manyThreadsMayUseOne() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          var random = SeededRandom(seed: UInt64(task))
          for _ in 0..<300 {
            let value = (0..<Int.random(in: 0...300, using: &random)).map { _ in
              UInt8.random(in: 0...255, using: &random)
            }
            let sealed = try seal(value, "log", [1], number: UInt32.random(in: 0...3, using: &random))
            #expect(try open(sealed, "log", [1]) == value)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("no dump and no description shows the key")
  func hidden() {
    let sealer = ValueSealer(key: [UInt8](repeating: 0xA7, count: 32))
    var text = "\(sealer) \(String(reflecting: sealer))"
    dump(["holder": sealer], to: &text)
    #expect(!text.contains("167") && !text.lowercased().contains("a7"))
  }
}
