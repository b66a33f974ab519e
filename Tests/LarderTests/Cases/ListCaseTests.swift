import Foundation
import Larder
import TestSupport
import Testing

class CaseElement: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value: Int
}

class CasePart: EmbeddedObject { @Persisted var value: Int }

class CaseHolder: Object {
  @Persisted var numbers: List<Int>
  @Persisted var texts: List<String?>
  @Persisted var elements: List<CaseElement>
  @Persisted var parts: List<CasePart>
}

/// Lists beside arrays. The answers were written down before the first run.
@Suite("Reported cases: lists") struct ListCaseTests {
  private let realm: Realm
  private let holder = CaseHolder()

  init() throws {
    realm = try Realm(
      configuration: .init(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [CaseElement.self, CaseHolder.self, CasePart.self]))
    try realm.write {
      realm.add(holder)
      for id in 0..<20 { realm.create(CaseElement.self, value: [id, id % 5]) }
    }
  }

  /// Edits a list and an array alike, and compares them after each edit.
  private func edit(_ list: List<Int>, with random: inout SeededRandom) -> [Int] {
    var array: [Int] = []
    func below(_ count: Int) -> Int { Int.random(in: 0..<max(count, 1), using: &random) }
    for step in 0..<4000 {
      let place = below(array.count)
      let end = below(array.count + 1)
      let value = below(9)
      switch below(15) {
      case 0, 1:
        list.append(value)
        array.append(value)
      case 2:
        list.insert(value, at: end)
        array.insert(value, at: end)
      case 3 where !array.isEmpty:
        list.remove(at: place)
        array.remove(at: place)
      case 4 where !array.isEmpty:
        list[place] = value
        array[place] = value
      case 5 where !array.isEmpty:
        let target = below(array.count)
        list.move(from: place, to: target)
        array.insert(array.remove(at: place), at: target)
      case 6 where !array.isEmpty:
        let other = below(array.count)
        list.swapAt(place, other)
        array.swapAt(place, other)
      case 7 where !array.isEmpty:
        list.removeLast()
        array.removeLast()
        if !array.isEmpty {
          list.removeFirst()
          array.removeFirst()
        }
      case 8:
        let upper = end + below(array.count - end + 1)
        let new = (0..<below(4)).map { _ in below(9) }
        list.replaceSubrange(end..<upper, with: new)
        array.replaceSubrange(end..<upper, with: new)
      case 9:
        let upper = end + below(array.count - end + 1)
        list.removeSubrange(end..<upper)
        array.removeSubrange(end..<upper)
      case 10 where !array.isEmpty:
        let offsets = IndexSet((0..<below(4)).map { _ in below(array.count) })
        list.remove(atOffsets: offsets)
        for offset in offsets.reversed() { array.remove(at: offset) }
      case 11 where !array.isEmpty:
        let offsets = IndexSet((0..<(1 + below(3))).map { _ in below(array.count) })
        list.move(fromOffsets: offsets, toOffset: end)
        let moved = offsets.map { array[$0] }
        for offset in offsets.reversed() { array.remove(at: offset) }
        array.insert(contentsOf: moved, at: end - offsets.count(in: 0..<end))
      case 12:
        let new = (0..<below(3)).map { _ in below(9) }
        list.insert(contentsOf: new, at: end)
        array.insert(contentsOf: new, at: end)
      case 13:
        list.removeLast(array.count - end)
        array.removeLast(array.count - end)
      default:
        list.append(objectsIn: [1, 2, 3])
        array += [1, 2, 3]
      }
      if array.count > 400 {
        list.removeAll()
        array.removeAll()
      }
      if Array(list) != array {
        Issue.record("the list is \(Array(list)) and the array \(array) after step \(step)")
        return array
      }
    }
    return array
  }

  @Test("random edits of a managed and of an unmanaged list are those of an array")
  func randomEdits() throws {
    var random = SeededRandom.forTest()
    var same = random
    let unmanaged = List<Int>()
    let first = try realm.write { edit(holder.numbers, with: &random) }
    let second = edit(unmanaged, with: &same)
    #expect(first == second)
    #expect(Array(holder.numbers) == Array(unmanaged))
  }

  @Test("an object may be in a list several times, and counts as often")
  func duplicates() throws {
    let all = realm.objects(CaseElement.self)
    try realm.write { holder.elements.append(objectsIn: [3, 1, 3, 7, 1, 3].map { all[$0] }) }
    let elements = holder.elements
    #expect(elements.filter("value > 1").map(\.id) == [3, 3, 7, 3])
    #expect(elements.sorted(byKeyPath: "id").map(\.id) == [1, 1, 3, 3, 3, 7])
    #expect(elements.sum(ofProperty: "id") as Int == 18)
    #expect(elements.distinct(by: ["id"]).count == 3)
    #expect(elements.filter("id == 3").sum(ofProperty: "value") as Int == 9)
    #expect(elements.index(matching: "id == 7") == 3)
    #expect(elements.index(of: all[1]) == 1)
    try realm.write { realm.delete(elements.filter("id == 3")) }
    #expect(elements.map(\.id) == [1, 7, 1])
    #expect(all.count == 19)
  }

  @Test("nil among the values of a list is sorted, found and asked for")
  func nilElements() throws {
    try realm.write { holder.texts.append(objectsIn: ["b", nil, "a", nil]) }
    #expect(Array(holder.texts.sorted(ascending: true)) == [nil, nil, "a", "b"])
    #expect(Array(holder.texts.sorted(ascending: false)) == ["b", "a", nil, nil])
    #expect(holder.texts.index(of: nil) == 1)
    #expect(realm.objects(CaseHolder.self).filter("ANY texts == nil").count == 1)
    #expect(realm.objects(CaseHolder.self).filter("NONE texts == 'c'").count == 1)
  }

  @Test("embedded objects that are replaced are gone, those that move live on")
  func embedded() throws {
    var kept: [CasePart] = []
    try realm.write {
      for value in 0..<5 { holder.parts.append(CasePart(value: ["value": value])) }
      kept = Array(holder.parts)
      holder.parts.move(from: 0, to: 4)
      holder.parts.remove(at: 0)
      holder.parts[0] = CasePart(value: ["value": 9])
    }
    #expect(holder.parts.map(\.value) == [9, 3, 4, 0])
    #expect(kept.map { $0.isInvalidated ? nil : $0.value } == [0, nil, nil, 3, 4])
  }

  @Test("a list can be assigned to itself, and be appended to itself")
  func aliases() throws {
    let unmanaged = CaseHolder()
    try realm.write {
      holder.numbers.append(objectsIn: [1, 2, 3])
      holder.numbers = holder.numbers
      holder.numbers.append(objectsIn: holder.numbers)
      unmanaged.numbers.append(objectsIn: holder.numbers)
      holder.numbers = unmanaged.numbers
      holder.numbers.append(7)
    }
    #expect(Array(holder.numbers) == [1, 2, 3, 1, 2, 3, 7])
    #expect(Array(unmanaged.numbers) == [1, 2, 3, 1, 2, 3])
  }
}
