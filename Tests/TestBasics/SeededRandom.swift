import Foundation

/// SplitMix64: a small generator whose whole run is fixed by its seed, so that a failure can be played again.
///
/// A property test takes `SeededRandom.forTest()`, which prints its seed; run it again with that seed in the
/// environment: `LARDER_SEED=12345 swift test --filter Name`.
package struct SeededRandom: RandomNumberGenerator, Codable, Sendable {
  /// The seed this generator began with.
  package let seed: UInt64
  private var state: UInt64

  /// A generator with a fixed seed.
  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// A generator seeded from `LARDER_SEED`, or from the system when that is not set; prints the seed with the test's name.
  package static func forTest(_ name: String = #function, file: String = #fileID) -> SeededRandom {
    let given = ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 1...999_999_999)
    FileHandle.standardError.write(Data("seed of \(file) \(name): LARDER_SEED=\(seed)\n".utf8))
    return SeededRandom(seed: seed)
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

extension SeededRandom {
  /// A number in the range, drawn by this generator.
  package mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// A number in the range, drawn by this generator; the range must not be empty.
  package mutating func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

  /// True once in `n` draws on average.
  package mutating func oneIn(_ n: Int) -> Bool { Int.random(in: 0..<Swift.max(1, n), using: &self) == 0 }

  /// One of the elements; the collection must not be empty.
  package mutating func pick<C: Collection>(_ choices: C) -> C.Element {
    choices[choices.index(choices.startIndex, offsetBy: int(0..<choices.count))]
  }

  /// An integer of a random magnitude: small, large and boundary values are all common.
  package mutating func anyInt64() -> Int64 {
    switch int(0...9) {
    case 0: return pick([Int64.min, .max, 0, 1, -1, 127, 128, -128, 255, 256, 32767, 65536, -32769])
    default: return Int64(bitPattern: next()) >> Int64(int(0...63))
    }
  }

  /// A string of up to `maxLength` characters from one to four UTF-8 bytes each, sometimes empty.
  package mutating func string(maxLength: Int = 20) -> String {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789 éüßñçøαβγдежзий日本語東京中文😀🏡")
    return String((0..<int(0...maxLength)).map { _ in pick(alphabet) })
  }

  /// Random bytes.
  package mutating func bytes(count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
