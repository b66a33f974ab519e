import Foundation
import TestSupport

@testable import Larder

/// Random changes of a graph, made through the API and in the oracle alike.
struct GraphOperations {
  let realm: Realm
  var random: SeededRandom
  var model: [Int: VertexState]
  var nextID: Int
  private static let keys = ["a", "b", "c", "x.y", "$z", "ключ", "日本", "with space"]

  mutating func step() {
    guard model.count > 2, let id = model.keys.sorted().randomElement(using: &random),
      let node = realm.object(ofType: Vertex.self, forPrimaryKey: id)
    else { return addGraph() }
    switch random.int(0..<24) {
    case 0, 1: if model.count < 40 { addGraph() }
    case 2: upsert(id)
    case 3: if random.oneIn(2) { delete(node, id) }
    case 4: setScalars(node, id)
    case 5: setNext(node, id)
    case 6, 7, 8: changeNodes(node, id)
    case 9, 10: changeWords(node, id)
    case 11, 12: changeNumbers(node, id)
    case 13, 14: changePeers(node, id)
    case 15, 16: changeCounts(node, id)
    case 17, 18: changeLinks(node, id)
    case 19: changePart(node, id)
    case 20, 21: changeParts(node, id)
    case 22: changePartsByName(node, id)
    default: if random.oneIn(150) { deleteMany(node, id) } else { setScalars(node, id) }
    }
  }

  private mutating func anyID() -> Int { model.keys.sorted().randomElement(using: &random) ?? 0 }
  private func node(_ id: Int) -> Vertex? { realm.object(ofType: Vertex.self, forPrimaryKey: id) }

  private mutating func edit(_ id: Int, _ body: (inout VertexState) -> Void) {
    var state = model[id] ?? VertexState()
    body(&state)
    model[id] = state
  }

  // MARK: - Whole objects

  /// Adds an unmanaged graph with links among its nodes, back to its first one, and to stored ones.
  private mutating func addGraph() {
    let ids = (0..<random.int(1...4)).map { nextID + $0 }
    nextID += ids.count
    var new: [Int: Vertex] = [:]
    var states: [Int: VertexState] = [:]
    for id in ids {
      let made = Vertex()
      made.id = id
      made.text = random.string(maxLength: 8)
      new[id] = made
      states[id] = VertexState()
      states[id]?.text = made.text
    }
    for id in ids {
      let choices = ids + model.keys.sorted().prefix(5)
      if random.oneIn(2), let target = choices.randomElement(using: &random) {
        new[id]?.next = new[target] ?? node(target)
        states[id]?.next = target
      }
      for target in choices.shuffled(using: &random).prefix(random.int(0...3)) {
        if let linked = new[target] ?? node(target) { new[id]?.nodes.append(linked) }
        states[id]?.nodes.append(target)
      }
      if random.oneIn(3) {
        let (part, state) = makePart()
        new[id]?.part = part
        states[id]?.part = state
      }
      if random.oneIn(3), let target = choices.randomElement(using: &random) {
        let linked: Vertex? = new[target] ?? node(target)
        new[id]?.links["a"] = linked
        states[id]?.links["a"] = target
        new[id]?.numbers.insert(target)
        states[id]?.numbers.insert(target)
      }
    }
    guard let first = new[ids[0]] else { return }
    realm.add(first)
    var reached: Set<Int> = []
    var waiting = [ids[0]]
    while let id = waiting.popLast() {
      guard let state = states[id], reached.insert(id).inserted else { continue }
      model[id] = state
      waiting += state.nodes + [state.next].compactMap { $0 } + state.links.values.compactMap { $0 }
    }
  }

  /// Updates an existing node, or makes one, from a dictionary.
  private mutating func upsert(_ known: Int) {
    let isNew = random.oneIn(3) && model.count < 40
    let id = isNew ? nextID : known
    if isNew { nextID += 1 }
    let policy: Realm.UpdatePolicy = random.oneIn(2) ? .modified : .all
    var value: [String: Any] = ["id": id]
    var state = model[id] ?? VertexState()
    if random.oneIn(2) {
      state.text = random.string(maxLength: 6)
      value["text"] = state.text
    }
    if random.oneIn(2) {
      state.number = random.oneIn(3) ? nil : random.int(0..<100)
      value["number"] = state.number.map { $0 as Any } ?? NSNull()
    }
    if random.oneIn(2) {
      state.words = (0..<random.int(0...4)).map { _ in random.string(maxLength: 3) }
      value["words"] = state.words
    }
    if random.oneIn(3) {
      let numbers = Set((0..<random.int(0...3)).map { _ in random.int(0..<20) })
      value["numbers"] = Array(numbers)
      state.numbers = policy == .modified ? state.numbers.union(numbers) : numbers
    }
    if random.oneIn(3) {
      let counts = [random.pick(Self.keys): random.int(0..<9)]
      value["counts"] = counts
      state.counts = policy == .modified ? state.counts.merging(counts) { $1 } : counts
    }
    model[id] = state
    if random.oneIn(3) {
      // A nested object is updated or made by its key.
      let nested = random.oneIn(2) ? anyID() : nextID
      if nested == nextID { nextID += 1 }
      let text = random.string(maxLength: 4)
      value["next"] = ["id": nested, "text": text] as [String: Any]
      edit(nested) { $0.text = text }
      edit(id) { $0.next = nested }
      if nested == id { edit(id) { $0.text = text }; value["text"] = text }
    }
    realm.create(Vertex.self, value: value, update: policy)
  }

  private mutating func delete(_ node: Vertex, _ id: Int) {
    realm.delete(node)
    forget([id])
  }

  private mutating func deleteMany(_ node: Vertex, _ id: Int) {
    if random.oneIn(3) {
      realm.deleteAll()
      model = [:]
      return
    }
    let ids = Set(model[id]?.nodes ?? [])
    realm.delete(node.nodes)
    forget(ids)
  }

  private mutating func forget(_ ids: Set<Int>) {
    for id in ids { model[id] = nil }
    for other in model.keys { for id in ids { model[other]?.forget(id) } }
  }

  // MARK: - Properties

  private mutating func setScalars(_ node: Vertex, _ id: Int) {
    let (text, number, group) = (random.string(), random.oneIn(4) ? nil : Int(random.anyInt64()), random.int(0..<5))
    if random.oneIn(2) {
      (node.text, node.number, node.group) = (text, number, group)
    } else {
      node["text"] = text
      node["number"] = number
      node["group"] = group
    }
    edit(id) { ($0.text, $0.number, $0.group) = (text, number, group) }
  }

  private mutating func setNext(_ node: Vertex, _ id: Int) {
    if random.oneIn(4) {
      node.next = nil
      edit(id) { $0.next = nil }
    } else if random.oneIn(5), model.count < 40 {
      let made = Vertex()
      made.id = nextID
      nextID += 1
      made.next = node
      node.next = made
      let new = made.id
      edit(new) { $0.next = id }
      edit(id) { $0.next = new }
    } else {
      let target = anyID()
      node.next = self.node(target)
      edit(id) { $0.next = target }
    }
  }

  private mutating func changeNodes(_ node: Vertex, _ id: Int) {
    let target = anyID()
    guard let linked = self.node(target), var expected = model[id]?.nodes else { return }
    let count = expected.count
    switch random.int(0..<8) {
    case 0 where count < 30, 1 where count < 30, 2 where count < 30:
      node.nodes.append(linked)
      expected.append(target)
    case 3 where count < 30:
      let position = random.int(0...count)
      node.nodes.insert(linked, at: position)
      expected.insert(target, at: position)
    case 4 where count > 0:
      let position = random.int(0..<count)
      node.nodes.remove(at: position)
      expected.remove(at: position)
    case 5 where count > 0:
      let position = random.int(0..<count)
      node.nodes[position] = linked
      expected[position] = target
    case 6 where count > 1:
      let (from, to) = (random.int(0..<count), random.int(0..<count))
      node.nodes.move(from: from, to: to)
      expected.insert(expected.remove(at: from), at: to)
    case 7:
      let ids = (0..<random.int(0...5)).map { _ in anyID() }
      let list = List<Vertex>()
      list.append(objectsIn: ids.compactMap { self.node($0) })
      node.nodes = list
      expected = ids
    default: break
    }
    model[id]?.nodes = expected
  }

  private mutating func changeWords(_ node: Vertex, _ id: Int) {
    guard var expected = model[id]?.words else { return }
    let word = random.string(maxLength: 40)
    switch random.int(0..<6) {
    case 0 where expected.count < 50, 1 where expected.count < 50:
      node.words.append(word)
      expected.append(word)
    case 2:
      let position = random.int(0...expected.count)
      node.words.insert(word, at: position)
      expected.insert(word, at: position)
    case 3 where !expected.isEmpty:
      let low = random.int(0..<expected.count)
      let range = low..<random.int(low...expected.count)
      node.words.removeSubrange(range)
      expected.removeSubrange(range)
    case 4 where expected.count > 1:
      let (one, other) = (random.int(0..<expected.count), random.int(0..<expected.count))
      node.words.swapAt(one, other)
      expected.swapAt(one, other)
    case 5 where random.oneIn(4):
      node.words.removeAll()
      expected = []
    default: break
    }
    model[id]?.words = expected
  }

  private mutating func changeNumbers(_ node: Vertex, _ id: Int) {
    let number = random.int(-5..<30)
    switch random.int(0..<5) {
    case 0, 1, 2:
      node.numbers.insert(number)
      edit(id) { $0.numbers.insert(number) }
    case 3:
      node.numbers.remove(number)
      edit(id) { $0.numbers.remove(number) }
    default:
      let numbers = Set((0..<random.int(0...6)).map { _ in random.int(0..<50) })
      node["numbers"] = Array(numbers)
      edit(id) { $0.numbers = numbers }
    }
  }

  private mutating func changePeers(_ node: Vertex, _ id: Int) {
    let target = anyID()
    guard let peer = self.node(target) else { return }
    if random.oneIn(3) {
      node.peers.remove(peer)
      edit(id) { $0.peers.remove(target) }
    } else {
      node.peers.insert(peer)
      edit(id) { $0.peers.insert(target) }
    }
  }

  private mutating func changeCounts(_ node: Vertex, _ id: Int) {
    let (key, count) = (random.pick(Self.keys), random.int(0..<1000))
    switch random.int(0..<6) {
    case 0:
      node.counts[key] = nil
      edit(id) { $0.counts[key] = nil }
    case 1 where random.oneIn(4):
      node.counts.removeAll()
      edit(id) { $0.counts = [:] }
    default:
      node.counts[key] = count
      edit(id) { $0.counts[key] = count }
    }
  }

  private mutating func changeLinks(_ node: Vertex, _ id: Int) {
    let (key, target) = (random.pick(Self.keys), anyID())
    switch random.int(0..<6) {
    case 0:
      node.links.removeObject(for: key)
      edit(id) { $0.links.removeValue(forKey: key) }
    case 1:
      node.links[key] = .some(nil)
      edit(id) { $0.links[key] = .some(nil) }
    default:
      node.links[key] = self.node(target)
      edit(id) { $0.links[key] = target }
    }
  }

  // MARK: - Embedded objects

  private mutating func makePart() -> (VertexPart, VertexState.Part) {
    let state = VertexState.Part(
      name: random.string(maxLength: 6), target: nil, sizes: (0..<random.int(0...3)).map { _ in random.int(0..<9) })
    let part = VertexPart()
    part.name = state.name
    for size in state.sizes { part.bolts.append(VertexBolt(value: [size])) }
    return (part, state)
  }

  private mutating func makeLinkedPart() -> (VertexPart, VertexState.Part) {
    var (part, state) = makePart()
    if random.oneIn(2) {
      let target = anyID()
      part.target = node(target)
      state.target = target
    }
    return (part, state)
  }

  private mutating func changePart(_ node: Vertex, _ id: Int) {
    if random.oneIn(4) {
      node.part = nil
      edit(id) { $0.part = nil }
    } else if random.oneIn(3), let part = node.part {
      part.name = "changed"
      part.bolts.append(VertexBolt(value: [7]))
      edit(id) {
        $0.part?.name = "changed"
        $0.part?.sizes.append(7)
      }
    } else {
      let (part, state) = makeLinkedPart()
      node.part = part
      edit(id) { $0.part = state }
    }
  }

  private mutating func changeParts(_ node: Vertex, _ id: Int) {
    let count = model[id]?.parts.count ?? 0
    switch random.int(0..<5) {
    case 0 where count < 12, 1 where count < 12:
      let position = random.int(0...count)
      let (part, state) = makeLinkedPart()
      node.parts.insert(part, at: position)
      edit(id) { $0.parts.insert(state, at: position) }
    case 2 where count > 0:
      let position = random.int(0..<count)
      if random.oneIn(2) { node.parts.remove(at: position) } else { realm.delete(node.parts[position]) }
      edit(id) { $0.parts.remove(at: position) }
    case 3 where count > 0:
      let position = random.int(0..<count)
      let (part, state) = makeLinkedPart()
      node.parts[position] = part
      edit(id) { $0.parts[position] = state }
    case 4 where count > 1:
      let (from, to) = (random.int(0..<count), random.int(0..<count))
      node.parts.move(from: from, to: to)
      edit(id) { $0.parts.insert($0.parts.remove(at: from), at: to) }
    default: break
    }
  }

  private mutating func changePartsByName(_ node: Vertex, _ id: Int) {
    let key = random.pick(Self.keys)
    switch random.int(0..<4) {
    case 0:
      node.partsByName.removeObject(for: key)
      edit(id) { $0.partsByName.removeValue(forKey: key) }
    case 1:
      if case .some(.some(let part)) = node.partsByName[key] {
        realm.delete(part)
        edit(id) { $0.partsByName[key] = .some(nil) }
      }
    default:
      let (part, state) = makeLinkedPart()
      node.partsByName[key] = part
      edit(id) { $0.partsByName[key] = state }
    }
  }
}
