import Foundation
import TestSupport
import Testing

@testable import Larder

@Suite struct ListTests {
  @Test("O-80 managed and unmanaged lists behave as arrays do under random edits")
  func randomEdits() throws {
    var random = SeededRandom.forTest()
    let realm = try makeRealm()
    let managed = Everything()
    let unmanaged = Everything()
    try realm.write { realm.add(managed) }
    var model: [Int] = []
    for round in 0..<20 {
      try realm.write {
        for _ in 0..<25 {
          edit(&model, [managed.ints, unmanaged.ints], &random)
          #expect(managed.ints.count == model.count)
        }
      }
      #expect(Array(managed.ints) == model, "round \(round)")
      #expect(Array(unmanaged.ints) == model, "round \(round)")
      if let middle = model.indices.randomElement(using: &random) { #expect(managed.ints[middle] == model[middle]) }
    }
    #expect(managed.ints.max() == model.max() && managed.ints.sum() == model.reduce(0, +))
    #expect(Array(managed.ints.sorted()) == model.sorted() && managed.ints.distinct().count == Set(model).count)
  }

  private func edit(_ model: inout [Int], _ lists: [List<Int>], _ random: inout SeededRandom) {
    let value = random.int(0...1_000)
    let position = random.int(0...model.count)
    switch random.int(0...8) {
    case 0, 1:
      model.append(value)
      lists.forEach { $0.append(value) }
    case 2:
      model.insert(contentsOf: [value, value + 1], at: position)
      lists.forEach { $0.insert(contentsOf: [value, value + 1], at: position) }
    case 3 where position < model.count:
      model.remove(at: position)
      lists.forEach { $0.remove(at: position) }
    case 4 where position < model.count:
      model[position] = value
      lists.forEach { $0[position] = value }
    case 5 where position < model.count:
      let target = random.int(0..<model.count)
      model.insert(model.remove(at: position), at: target)
      lists.forEach { $0.move(from: position, to: target) }
    case 6 where position < model.count:
      let other = random.int(0..<model.count)
      model.swapAt(position, other)
      lists.forEach { $0.swapAt(position, other) }
    case 7 where model.count > 6:
      model.replaceSubrange(2..<5, with: [value])
      lists.forEach { $0.replaceSubrange(2..<5, with: [value]) }
    case 8 where model.count > 40:
      model.removeFirst(3)
      model.removeLast(2)
      lists.forEach {
        $0.removeFirst(3)
        $0.removeLast(2)
      }
    default: break
    }
  }

  @Test("O-85 removing from a list keeps objects, deleting the list's objects does not")
  func objects() throws {
    let realm = try makeRealm()
    let person = Person(id: 1)
    try realm.write {
      realm.add(person)
      person.dogs.append(objectsIn: [Dog(name: "a"), Dog(name: "b"), Dog(name: "c")])
      person.dogs.remove(at: 1)
    }
    #expect(person.dogs.map(\.name) == ["a", "c"] && realm.objects(Dog.self).count == 3)
    let index = person.dogs.index(of: person.dogs[1])
    #expect(index == 1 && person.dogs.index(matching: "name == 'c'") == 1)
    try realm.write { realm.delete(person.dogs) }
    #expect(person.dogs.isEmpty && realm.objects(Dog.self).map(\.name) == ["b"])
  }

  @Test("O-45 a list supplied under .modified changes index by index")
  func modified() throws {
    let realm = try makeRealm()
    let value = Everything()
    value.ints.append(objectsIn: [1, 2, 3])
    try realm.write { realm.add(value) }
    let list = value.ints
    try realm.write {
      realm.create(Everything.self, value: ["key": value.key, "ints": [1, 5]] as [String: Any], update: .modified)
    }
    #expect(Array(list) == [1, 5] && value.ints === list)
    try realm.write { value.ints = List<Int>() }
    #expect(list.isEmpty)
  }
}
