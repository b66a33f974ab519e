import Larder
import TestSupport

/// Makes random changes, and notes them. Encoded, it goes on in another process.
package struct RandomKnots: Codable {
  private struct Undo: Error {}

  private var random: SeededRandom
  private var ids: [Int] = []
  private var nextID: Int
  package var journal = KnotJournal()

  /// - Parameter firstID: Where the ids of those that are made begin.
  package init(seed: UInt64, firstID: Int = 0) {
    random = SeededRandom(seed: seed)
    nextID = firstID
  }

  /// Goes on with the knots that there are, whatever made them.
  package mutating func look(_ realm: Realm) { ids = realm.objects(Knot.self).map(\.id) }

  /// Changes something, some of it in parts that may be undone; within a write transaction.
  package mutating func changeSome(_ realm: Realm) throws {
    for _ in 0..<random.int(1...4) {
      guard random.oneIn(6) else {
        change(realm)
        continue
      }
      let isUndone = random.oneIn(2)
      let before = self
      do {
        try realm.write {
          for _ in 0..<random.int(1...3) { change(realm) }
          if isUndone { throw Undo() }
        }
      } catch is Undo {
        (ids, journal) = (before.ids, before.journal)
      }
    }
  }

  /// Makes a knot.
  package mutating func add(_ realm: Realm) {
    let knot = Knot()
    (knot.id, knot.value, knot.label) = (nextID, random.int(0...12), "l\(random.int(0...4))")
    ids.append(nextID)
    nextID += 1
    realm.add(knot)
  }

  private mutating func pick(_ realm: Realm) -> Knot? {
    // Those whose collections are observed more often than others.
    let id = random.oneIn(4) ? random.int(0...1) : random.pick(ids)
    return realm.object(ofType: Knot.self, forPrimaryKey: id)
  }

  private mutating func change(_ realm: Realm) {
    guard ids.count > 3, let knot = pick(realm), let target = pick(realm) else { return add(realm) }
    switch random.int(0...19) {
    case 0...1: if ids.count < 40 { add(realm) }
    // The first ones stay: collections of theirs are observed.
    case 2: if ids.count > (random.oneIn(2) ? 6 : 20), knot.id > 1 { delete(knot, realm) }
    case 3...6: assign(knot, target)
    case 7...8: changePart(knot, target)
    case 9...12: changeOthers(knot, target)
    case 13...14: changeNumbers(knot)
    case 15...17: changeFriends(knot, target)
    default: changeNamed(knot, target)
    }
  }

  private mutating func delete(_ knot: Knot, _ realm: Realm) {
    let id = knot.id
    ids.removeAll { $0 == id }
    for other in realm.objects(Knot.self) where other.id != id {
      if other.next?.id == id { journal.assign(other.id, "next") }
      if other.any.object(Knot.self)?.id == id { journal.assign(other.id, "any") }
      if other.part?.link?.id == id { journal.changePart(of: other.id) }
      for (position, element) in other.others.enumerated().reversed() where element.id == id {
        journal.edit(other.id, "others") { $0.remove(at: position) }
      }
      for (position, element) in other.friends.enumerated() where element.id == id {
        journal.edit(other.id, "friends") { $0.remove(at: position) }
      }
      for (position, key) in other.named.keys.sorted().enumerated() where other.named[key]??.id == id {
        journal.edit(other.id, "named") { $0.set(at: position) }
      }
    }
    journal.delete(id)
    realm.delete(knot)
  }

  private mutating func assign(_ knot: Knot, _ target: Knot) {
    switch random.int(0...5) {
    case 0...1:
      knot.value = random.int(0...12)
      journal.assign(knot.id, "value")
    case 2:
      knot.value = knot.value
      journal.assign(knot.id, "value")
    case 3:
      knot.label = "l\(random.int(0...4))"
      journal.assign(knot.id, "label")
    case 4:
      knot.next = random.oneIn(4) ? nil : target
      journal.assign(knot.id, "next")
    default:
      knot.any = random.oneIn(3) ? .int(random.int(0...3)) : .object(target)
      journal.assign(knot.id, "any")
    }
  }

  private mutating func changePart(_ knot: Knot, _ target: Knot) {
    if let part = knot.part, !random.oneIn(4) {
      if random.oneIn(2) { part.number = random.int(0...3) } else { part.link = random.oneIn(3) ? nil : target }
      journal.changePart(of: knot.id)
    } else if knot.part != nil, random.oneIn(2) {
      knot.part = nil
      journal.assign(knot.id, "part")
    } else {
      knot.part = KnotPart()
      journal.assign(knot.id, "part")
    }
  }

  private mutating func changeOthers(_ knot: Knot, _ target: Knot) {
    let (id, count) = (knot.id, knot.others.count)
    let (first, second) = (random.int(0...max(0, count - 1)), random.int(0...max(0, count - 1)))
    switch random.int(0...9) {
    case 0...2 where count > 0:
      knot.others.remove(at: first)
      journal.edit(id, "others") { $0.remove(at: first) }
    case 3 where count > 0:
      knot.others[first] = target
      journal.edit(id, "others") { $0.set(at: first) }
    case 4 where first != second:
      knot.others.move(from: first, to: second)
      journal.edit(id, "others") { $0.move(from: first, to: second) }
    case 5 where first != second:
      knot.others.swapAt(first, second)
      let (low, high) = (min(first, second), max(first, second))
      journal.edit(id, "others") { elements in
        elements.move(from: high, to: low)
        if high > low + 1 { elements.move(from: low + 1, to: high) }
      }
    case 6 where count > 4:
      knot.others.removeAll()
      journal.edit(id, "others") { $0.removeAll() }
    default:
      let position = random.int(0...count)
      knot.others.insert(target, at: position)
      journal.edit(id, "others") { $0.insert(at: position) }
    }
  }

  private mutating func changeNumbers(_ knot: Knot) {
    let (id, count) = (knot.id, knot.numbers.count)
    let position = random.int(0...max(0, count - 1))
    switch random.int(0...5) {
    case 0 where count > 0:
      knot.numbers.remove(at: position)
      journal.edit(id, "numbers") { $0.remove(at: position) }
    case 1 where count > 0:
      knot.numbers[position] = random.int(0...12)
      journal.edit(id, "numbers") { $0.set(at: position) }
    case 2 where count > 4:
      knot.numbers.removeAll()
      journal.edit(id, "numbers") { $0.removeAll() }
    default:
      knot.numbers.append(random.int(0...12))
      journal.edit(id, "numbers") { $0.insert(at: count) }
    }
  }

  /// A set is in the order of its objects' making, as their numbers are.
  private mutating func changeFriends(_ knot: Knot, _ target: Knot) {
    let position = knot.friends.filter { $0.id < target.id }.count
    if knot.friends.contains(target) {
      knot.friends.remove(target)
      journal.edit(knot.id, "friends") { $0.remove(at: position) }
    } else {
      knot.friends.insert(target)
      journal.edit(knot.id, "friends") { $0.insert(at: position) }
    }
  }

  /// A map is in the order of its keys.
  private mutating func changeNamed(_ knot: Knot, _ target: Knot) {
    let key = random.pick(["a", "b", "c", "d", "e"])
    let keys = knot.named.keys.sorted()
    let position = keys.count { $0 < key }
    if !keys.contains(key) {
      knot.named[key] = target
      journal.edit(knot.id, "named") { $0.insert(at: position) }
    } else if random.oneIn(2) {
      knot.named[key] = target
      journal.edit(knot.id, "named") { $0.set(at: position) }
    } else {
      knot.named.removeObject(for: key)
      journal.edit(knot.id, "named") { $0.remove(at: position) }
    }
  }
}
