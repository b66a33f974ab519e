/// One person as plain values: what every peer is given and, in its own form, stores.
struct PersonRow {
  var id: Int
  var name: String
  var age: Int
  var score: Double
  var active: Bool
  /// Whole seconds since 1970.
  var created: Int
  var email: String
}

/// SplitMix64: the same data and the same random choices in every run.
struct Generator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func letters(_ count: Int) -> String {
    String(unsafeUninitializedCapacity: count) { buffer in
      for position in 0..<count { buffer[position] = 97 + UInt8(below(26)) }
      return count
    }
  }
}
