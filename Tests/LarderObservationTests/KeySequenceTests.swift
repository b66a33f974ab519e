import LarderQuery
import LarderStorage
import TestSupport
import Testing

@testable import LarderObservation

@Suite("Key sequence")
struct KeySequenceTests {
  @Test("random edits agree with an array, and older versions stay as they were")
  func randomEdits() {
    var random = SeededRandom.forTest()
    for start in [0, 1, 3, 600, 5000] {
      var array = (0..<start).map { ObjectKey(rawValue: UInt64($0) * (random.oneIn(2) ? 1 : 3)) }
      var sequence = KeySequence(array)
      for round in 0..<60 {
        let before = (sequence, array)
        let removals = array.indices.filter { _ in random.oneIn(round % 7 == 0 ? 3 : max(2, array.count / 4)) }
        var insertions: [KeySequence.Insertion] = []
        for _ in 0..<random.int(0...(round % 9 == 0 ? 1500 : 6)) {
          insertions.append(.init(position: random.int(0...array.count), key: ObjectKey(rawValue: random.next() >> 1)))
        }
        insertions.sort { $0.position < $1.position }
        sequence = sequence.applying(removals: removals, insertions: insertions)
        var next: [ObjectKey] = []
        for position in 0...array.count {
          next += insertions.filter { $0.position == position }.map(\.key)
          if position < array.count, !removals.contains(position) { next.append(array[position]) }
          if array.count > 1000 { break }
        }
        if array.count > 1000 { next = Self.slowApply(array, removals, insertions) }
        array = next
        #expect(sequence.count == array.count)
        #expect(sequence.keys == array)
        for _ in 0..<20 where !array.isEmpty {
          let position = random.int(0..<array.count)
          #expect(sequence[position] == array[position])
          let (first, keys) = sequence.part(at: position)
          #expect(first <= position && position < first + keys.count)
          #expect(keys == Array(array[first..<first + keys.count]))
        }
        #expect(before.0.keys == before.1)
      }
    }
  }

  @Test("words stay with their keys through random edits, and lead a search where they are known")
  func words() {
    var random = SeededRandom.forTest()
    // Sorted by a number, of which a word says the tens; some words are unknown.
    func word(_ number: UInt64) -> UInt64 { random.oneIn(5) ? SortPrefix.unknown : number / 10 + 1 }
    for start in [0, 1, 700, 4_000] {
      var numbers = (0..<start).map { UInt64($0) * 3 }
      var words = numbers.map { word($0) }
      var sequence = KeySequence(numbers.map { ObjectKey(rawValue: $0) }, words: words)
      for _ in 0..<40 {
        let removals = numbers.indices.filter { _ in random.oneIn(max(2, numbers.count / 5)) }
        var insertions: [KeySequence.Insertion] = []
        for number in Set((0..<random.int(0...9)).map { _ in UInt64(random.int(0...15_000)) * 3 + 1 }).sorted()
        where !numbers.contains(number) {
          let place = sequence.partition(leavingOut: removals, word: number / 10 + 1) { other, _ in
            other.rawValue < number
          }
          let known = numbers.indices.filter { !removals.contains($0) && numbers[$0] >= number }
          #expect(place == (known.first ?? numbers.count))
          insertions.append(.init(position: place, key: ObjectKey(rawValue: number), word: word(number)))
        }
        sequence = sequence.applying(removals: removals, insertions: insertions)
        let removed = Set(removals)
        var pairs = zip(numbers, words).enumerated().filter { !removed.contains($0.offset) }.map(\.element)
        pairs += insertions.map { ($0.key.rawValue, $0.word) }
        pairs.sort { $0.0 < $1.0 }
        (numbers, words) = (pairs.map(\.0), pairs.map(\.1))
        if start == 0, numbers.isEmpty { continue }
        #expect(sequence.keys.map(\.rawValue) == numbers)
        #expect(sequence.indices.map { sequence.word(at: $0) } == (sequence.hasWords ? words : words.map { _ in 0 }))
      }
    }
  }

  @Test("a search asks for no element whose word tells its place")
  func wordsTell() {
    let keys = (0..<5_000).map { ObjectKey(rawValue: UInt64($0)) }
    let sequence = KeySequence(keys, words: keys.map { $0.rawValue + 1 })
    for wanted in stride(from: UInt64(0), to: 5_000, by: 37) {
      var asked: [ObjectKey] = []
      let place = sequence.partition(word: wanted + 1) { key, _ in
        asked.append(key)
        return false
      }
      #expect(place == Int(wanted))
      #expect(asked.allSatisfy { $0.rawValue == wanted })
    }
  }

  private static func slowApply(
    _ array: [ObjectKey], _ removals: [Int], _ insertions: [KeySequence.Insertion]
  ) -> [ObjectKey] {
    let removed = Set(removals)
    let inserted = Dictionary(grouping: insertions, by: \.position)
    var result: [ObjectKey] = []
    for position in 0...array.count {
      result += inserted[position]?.map(\.key) ?? []
      if position < array.count, !removed.contains(position) { result.append(array[position]) }
    }
    return result
  }

  @Test("partition finds the place in a sorted sequence")
  func partition() {
    let sequence = KeySequence((0..<3000).map { ObjectKey(rawValue: UInt64($0) * 2) })
    for probe in stride(from: 0, through: 6002, by: 7) as StrideThrough<Int> {
      let expected = min(3000, (probe + 1) / 2)
      #expect(sequence.partition { key, _ in key.rawValue < UInt64(probe) } == expected)
    }
    #expect(KeySequence().partition { _, _ in true } == 0)
  }

  @Test("partition leaves out elements wherever they are, and asks mostly for anchors")
  func partitionLeavingOut() {
    var random = SeededRandom.forTest()
    for count in [1, 2, 70, 600, 40_000] {
      let keys = (0..<count).map { ObjectKey(rawValue: UInt64($0)) }
      let sequence = KeySequence(keys)
      let anchors = Set(sequence.anchors)
      for _ in 0..<200 {
        let start = random.int(0...count - 1)
        let stretch = random.oneIn(3) ? Array(start..<min(count, start + random.int(1...count))) : []
        let isLeft = Set((0..<random.int(0...6)).map { _ in random.int(0...count - 1) } + stretch)
        let left = isLeft.sorted()
        let from = random.int(0...count)
        var asked = 0
        let found = sequence.partition(leavingOut: left) { key, isAnchor in
          #expect(!isLeft.contains(Int(key.rawValue)))
          #expect(isAnchor == anchors.contains(key) || !isAnchor)
          if !isAnchor { asked += 1 }
          return key.rawValue < UInt64(from)
        }
        #expect(found == (from...count).first { !isLeft.contains($0) })
        #expect(asked <= 18)
      }
    }
  }

  @Test("at most 16 bytes a key, and a small edit shares all but a few chunks with the version before")
  func memory() {
    var random = SeededRandom.forTest()
    let count = 300_000
    let shuffled = (0..<count).map { ObjectKey(rawValue: UInt64($0) &* 7_919 % UInt64(count * 5)) }
    let spread = (0..<count).map { _ in ObjectKey(rawValue: random.next() >> 1) }
    for keys in [shuffled, spread] {
      let sequence = KeySequence(keys)
      #expect(sequence.byteCount <= 16 * count)
      let withWords = KeySequence(keys, words: keys.map(\.rawValue))
      #expect(withWords.byteCount <= sequence.byteCount + 9 * count)
      let edited = sequence.applying(
        removals: [1_000], insertions: [.init(position: 250_000, key: ObjectKey(rawValue: 3))])
      #expect(edited.count == count)
      #expect(edited.chunksNotShared(with: sequence) <= 6)
    }
  }
}
