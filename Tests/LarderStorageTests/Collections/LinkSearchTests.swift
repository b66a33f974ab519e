import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

/// Finding links in long lists, again and again.
@Suite struct LinkSearchTests {
  private let classID = ClassID(rawValue: 7)

  private func key(_ number: Int) -> ObjectKey { ObjectKey(rawValue: UInt64(number)) }

  /// An element of a list of links, or a mixed value that may be or hold links.
  private func element(_ type: ColumnType, _ random: inout SeededRandom) -> StoredValue {
    let key = key(Int.random(in: 0..<60, using: &random))
    guard type == .mixed else { return .link(key) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .null
    case 1: return .int(3)
    case 2: return .list(StoredList([.int(1), .object(ObjectLink(classID: classID, key: key))]))
    case 3: return .object(ObjectLink(classID: ClassID(rawValue: 8), key: key))
    default: return .object(ObjectLink(classID: classID, key: key))
    }
  }

  private func links(_ value: StoredValue, to keys: Set<ObjectKey>) -> Bool {
    if case .link(let key) = value { return keys.contains(key) }
    var found = false
    value.forEachLink { found = found || $0.classID == classID && keys.contains($0.key) }
    return found
  }

  @Test(
    "F-66: what is found is what looking at every element finds, after any edits, flushes and reopening",
    arguments: [ColumnType.link, .mixed], 0..<6)
  func random(type: ColumnType, round: Int) throws {
    var random = SeededRandom.forTest("\(type) \(round)")
    let limits = ListLimits(elements: 4, bytes: 200, children: 3)
    let fixture = try ListFixture(type, isOptional: type == .mixed, limits: limits)
    var search: LinkSearch?
    for part in 0..<12 {
      try fixture.edit { editor, model, transaction in
        editor.search = search
        for _ in 0..<80 {
          switch Int.random(in: 0..<10, using: &random) {
          case 0..<(part % 4 == 3 ? 1 : 4):
            let position = Int.random(in: 0...model.count, using: &random)
            let values = (0..<Int.random(in: 1...9, using: &random)).map { _ in element(type, &random) }
            try editor.insert(values, at: position)
            model.insert(contentsOf: values, at: position)
          case 4 where !model.isEmpty:
            let position = Int.random(in: 0..<model.count, using: &random)
            let value = element(type, &random)
            try editor.set(at: position, value)
            model[position] = value
          case 5 where !model.isEmpty:
            let start = Int.random(in: 0..<model.count, using: &random)
            let end = min(model.count, start + Int.random(in: 1...8, using: &random))
            try editor.remove(start..<end)
            model.removeSubrange(start..<end)
          case 6 where random.oneIn(40):
            try editor.clear()
            model = []
          case 7: try editor.flush(transaction)
          default:
            // As if very many elements had been looked at: filters are used from now on.
            if !model.isEmpty { editor.search?.steps = .max / 2 }
            let keys = Set([key(Int.random(in: 0..<60, using: &random))])
            let expected = model.indices.filter { links(model[$0], to: keys) }
            let targets = LinkTargets(keys, of: classID)
            #expect(try editor.positions(of: targets, cost: 0) == expected)
            #expect(try editor.positions(of: targets, limit: 2, cost: 0) == Array(expected.suffix(2)))
          }
        }
        search = editor.search
      }
      try #require(try fixture.contents() == fixture.model)
    }
  }

  @Test("F-66: a filter misses nothing, and says few of what is not in it to be there")
  func filter() {
    for count in [1, 64, 1_000, 50_000] {
      var filter = LinkFilter(count: count)
      for word in 0..<UInt64(count) { filter.add(word * 3) }
      #expect(!filter.isFull)
      #expect((0..<UInt64(count)).allSatisfy { filter.mayHold($0 * 3) })
      let wrong = (0..<UInt64(30_000)).count { filter.mayHold($0 * 3 + 1) }
      #expect(wrong < 600)
      #expect(filter.bytes <= 2 * max(count, 64) + 64)
      for word in 0..<UInt64(count + 80) { filter.add(word) }
      #expect(filter.isFull)
    }
  }

  private struct Undone: Error {}

  @Test("F-66: what an undone part of a transaction removed is found again")
  func undone() throws {
    let fixture = try LinkedLists()
    try fixture.store.write { writer in
      let targets = try fixture.fill(writer, 3_000, in: fixture.list)
      for target in targets.prefix(40) { try writer.delete(fixture.item, target) }
      #expect(throws: Undone.self) {
        try writer.savepoint {
          for target in targets[40..<1_500] { try writer.delete(fixture.item, target) }
          throw Undone()
        }
      }
      for target in targets[40..<2_999] { try writer.delete(fixture.item, target) }
      #expect(try writer.list(fixture.owner, fixture.list, fixture.object).values() == [.link(targets[2_999])])
    }
    #expect(try StoreVerifier.verify(fixture.store.snapshot).isEmpty)
  }
}
