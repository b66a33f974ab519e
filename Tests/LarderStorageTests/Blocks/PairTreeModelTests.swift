import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

@Suite("Pair trees equal a sorted array under random changes")
struct PairTreeModelTests {
  typealias Pair = PairTreeFixture.ModelPair

  struct Setup: CustomTestStringConvertible {
    var codec: PairCodec
    var limits: PairLimits
    /// Few values make long runs, many make unique pairs.
    var values: Int
    var keys: Int
    var testDescription: String { "\(codec), \(limits.pairs) pairs, \(values) values, \(keys) keys" }
  }

  static let setups: [Setup] = [PairCodec.integer, .bytes].flatMap { codec in
    [
      Setup(codec: codec, limits: PairLimits(pairs: 4, bytes: 512), values: 40, keys: 50),
      Setup(codec: codec, limits: PairLimits(pairs: 9, bytes: 600), values: 3, keys: 400),
      Setup(codec: codec, limits: PairLimits(pairs: 16, bytes: 640), values: 1_000_000, keys: 1_000_000),
      Setup(codec: codec, limits: PairLimits(), values: 300, keys: 1_000_000),
    ]
  }

  @Test("additions, removals and copies", arguments: setups)
  func randomChanges(_ setup: Setup) throws {
    var random = TestSupport.SeededRandom.forTest()
    let fixture = try PairTreeFixture(setup.codec, limits: setup.limits)
    // The same marks through all versions: pages are rewritten under them.
    fixture.verified = VerifiedBlocks()
    for round in 0..<60 {
      let shrinks = (round / 15) % 2 == 1
      let additions = (0..<random.int(0...(shrinks ? 10 : 120))).map { _ in pair(setup, &random) }
      var removals: [Pair] = []
      var rest = fixture.model.shuffled(using: &random)
      for _ in 0..<min(rest.count, random.int(0...(shrinks ? 150 : 30))) { removals.append(rest.removeLast()) }
      // A pair added and removed in one transaction leaves no trace.
      if let pair = additions.randomElement(using: &random) { removals.append(pair) }
      try fixture.apply(adding: additions, removing: removals)
      #expect(try fixture.problems() == [])
      try #require(try fixture.pairs() == fixture.model, "round \(round)")
      try compareReads(fixture, setup, &random)
    }
    try fixture.apply(removing: fixture.model)
    #expect(try fixture.pairs() == [])
    #expect(try fixture.size().blocks == 0)
    #expect(try fixture.problems() == [])
  }

  private func pair(_ setup: Setup, _ random: inout TestSupport.SeededRandom) -> Pair {
    Pair(value: value(setup, &random), key: UInt64(random.int(0..<setup.keys)))
  }

  private func value(_ setup: Setup, _ random: inout TestSupport.SeededRandom) -> IndexValue {
    if random.oneIn(12) { return .null }
    let number = random.int(0..<setup.values)
    if setup.codec == .integer {
      // Spread over all widths, both ends of the range included.
      let spread: [UInt64] = [1, 3, 1 << 14, 1 << 30, 1 << 45]
      return .integer(UInt64(number) &* spread[number % spread.count])
    }
    switch number % 4 {
    case 0: return .bytes([])
    case 1: return .bytes(Array("value \(number)".utf8))
    case 2: return .bytes(Array(repeating: 0, count: number % 9) + [UInt8(number & 0xFF)])
    default: return .bytes(Array(repeating: UInt8(number & 1), count: 235) + Array("\(number)".utf8))
    }
  }

  private func compareReads(_ fixture: PairTreeFixture, _ setup: Setup, _ random: inout TestSupport.SeededRandom) throws
  {
    let model = fixture.model
    try fixture.withReader { reader in
      #expect(try reader.entryCount() == model.count)
      var forward: [UInt64] = []
      try reader.forEach(descending: false) {
        forward.append($0.rawValue)
        return true
      }
      #expect(forward == model.map(\.key))
      var backward: [UInt64] = []
      try reader.forEach(descending: true) {
        backward.append($0.rawValue)
        return true
      }
      #expect(backward == model.reversed().map(\.key))
      for _ in 0..<8 {
        let wanted = random.oneIn(3) ? value(setup, &random) : (model.randomElement(using: &random)?.value ?? .null)
        let expected = model.filter { $0.value == wanted.cut }.map(\.key)
        #expect(try reader.keys(equalTo: wanted).map(\.rawValue) == expected)
        #expect(try reader.count(equalTo: wanted) == expected.count)
        #expect(try reader.firstKey(equalTo: wanted)?.rawValue == expected.first)
        if case .integer(let word) = wanted {
          #expect(try reader.firstKey(equalTo: word)?.rawValue == expected.first)
        }
        try compareRange(reader, model, setup, &random)
      }
    }
  }

  private func compareRange(
    _ reader: PairReader, _ model: [Pair], _ setup: Setup, _ random: inout TestSupport.SeededRandom
  ) throws {
    let (lower, upper) = (value(setup, &random).cut, value(setup, &random).cut)
    guard lower != .null, upper != .null else { return }
    let (opensBelow, opensAbove) = (random.oneIn(2), random.oneIn(2))
    let expected = model.filter { pair in
      if pair.value == .null || isBelow(pair.value, lower) || isBelow(upper, pair.value) { return false }
      return !(opensBelow && pair.value == lower) && !(opensAbove && pair.value == upper)
    }
    let from: PairBound = opensBelow ? .exclusive(lower) : .inclusive(lower)
    let to: PairBound = opensAbove ? .exclusive(upper) : .inclusive(upper)
    #expect(try reader.keys(from: from, to: to).map(\.rawValue) == expected.map(\.key))
    #expect(try reader.count(from: from, to: to) == expected.count)
    let below = model.filter { $0.value != .null && isBelow($0.value, lower) }.count
    #expect(try reader.count(from: .unbounded, to: .exclusive(lower)) == below)
  }
}
