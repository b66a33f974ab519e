import LarderLMDB
import Testing

@testable import LarderStorage

/// Tests where a snapshot keeps the leaves that it was asked for.
@Suite struct LeafDirectoryTests {
  private struct Place: Hashable {
    var column: ColumnID
    var cluster: Int
  }

  @Test("each leaf is looked for once, however many are asked for and in whatever order", arguments: [false, true])
  func once(isSparse: Bool) throws {
    var random = LeafRandom(seed: isSparse ? 5 : 6)
    for most in [1, 11, 12, 13, 40, 500] {
      let directory = LeafDirectory(columns: 9, clusters: 100, isSparse: isSparse)
      let memory = (0..<64).map { OwnedLeaf([UInt8](repeating: UInt8($0), count: 16)) }
      var known: [Place: UInt8?] = [:]
      for _ in 0..<most {
        let place = Place(
          column: ColumnID(rawValue: UInt16(random.next() % 9)), cluster: Int(random.next() % 100))
        let made = Int(random.next() % 64)
        let leaf = made % 5 == 0 ? nil : memory[made].view
        if random.next() % 9 == 0 {
          directory.set(place.column, cluster: place.cluster, memory[made].view)
          known[place] = .some(UInt8(made))
        }
        var isLookedFor = false
        let found = directory.bytes(place.column, cluster: place.cluster) {
          isLookedFor = true
          return leaf
        }
        #expect(isLookedFor == (known[place] == nil))
        let expected = known[place] ?? leaf?.load(0)
        #expect(found?.load(0) == expected)
        known[place] = .some(expected)
      }
      for (place, expected) in known {
        let found = directory.bytes(place.column, cluster: place.cluster) {
          Issue.record("\(place) was forgotten")
          return nil
        }
        #expect(found?.load(0) == expected)
      }
      withExtendedLifetime(memory) {}
    }
  }
}
