import LarderStorage
import TestSupport
import Testing

@testable import LarderRealmImport

@Suite struct KeyRunsTests {
  @Test func findsWhatWasAddedAndNothingElse() {
    var random = SeededRandom.forTest()
    var runs = KeyRuns()
    var keys: [Int64] = []
    var next: Int64 = 0
    for _ in 0..<2_000 {
      next += random.oneIn(4) ? Int64(random.int(1...5_000)) : 1
      keys.append(next)
    }
    for (place, key) in keys.enumerated() {
      let isTaken = runs.append(key, as: ObjectKey(rawValue: UInt64(place)))
      #expect(isTaken)
    }
    let places = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
    for key in (keys + (0..<500).map { _ in Int64(random.int(0...Int(next) + 10)) }).shuffled(using: &random) {
      let (place, stored) = (runs.place(of: key), runs.storedKey(of: key))
      #expect(place == places[key] && stored?.rawValue == places[key].map { UInt64($0) })
    }
    var seen: [Int64] = []
    runs.forEach { key, place in
      #expect(place == seen.count)
      seen.append(key)
    }
    #expect(seen == keys)
  }

  @Test func takesTheEndsOfTheRange() {
    var runs = KeyRuns()
    let keys: [Int64] = [.min, .min + 1, -1, 0, .max - 1, .max]
    let taken = keys.enumerated().map { runs.append($1, as: ObjectKey(rawValue: UInt64($0 + 7))) }
    #expect(taken.allSatisfy { $0 })
    let stored = keys.map { runs.storedKey(of: $0)?.rawValue }
    #expect(stored == [7, 8, 9, 10, 11, 12])
    let others = [.min + 2, -2, 1, .max - 2].map { runs.place(of: $0) }
    #expect(others.allSatisfy { $0 == nil })
  }

  @Test func refusesKeysThatAreNotAboveAllOthers() {
    var runs = KeyRuns()
    let taken = [5, 6, 9, 9, 8, 6, 5, 0, .min].map { runs.append($0, as: ObjectKey(rawValue: 4)) }
    #expect(taken == [true, true, true] + Array(repeating: false, count: 6))
    #expect(runs.count == 3)
  }
}
