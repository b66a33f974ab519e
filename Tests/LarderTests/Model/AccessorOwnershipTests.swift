import Foundation
import TestSupport
import TestTraits
import Testing

@testable import Larder

/// An object that the random writes make: every kind of property that an accessor can be of, each object marked with the number it was made with.
final class MarkedNode: Object {
  @Persisted var mark: Int
  @Persisted var next: MarkedNode?
  @Persisted var nodes: List<MarkedNode>
  @Persisted var marks: List<Int>
  @Persisted var peers: MutableSet<MarkedNode>
  @Persisted var markSet: MutableSet<Int>
  @Persisted var byName: Map<String, MarkedNode?>
  @Persisted var markMap: Map<String, Int>
  @Persisted var part: MarkedPart?
  @Persisted var parts: List<MarkedPart>
  @Persisted var any: AnyRealmValue
  @Persisted(originProperty: "next") var previous: LinkingObjects<MarkedNode>
  @Persisted(originProperty: "nodes") var holders: LinkingObjects<MarkedNode>
}

final class MarkedPart: EmbeddedObject {
  @Persisted var mark: Int
  @Persisted var marks: List<Int>
  @Persisted(originProperty: "parts") var owners: LinkingObjects<MarkedNode>
}

private struct Undone: Error {}

/// Accessors that were made somewhere, each with what it may show as long as it is valid: nothing but the marks of one object.
private struct HeldAccessor {
  let what: String
  let mark: Int
  /// The marks that it shows; nil when it is invalid, or resolves to nothing. Empty collections show none.
  let shown: () -> [Int]?
}

/// Makes objects and accessors at random within writes of every kind, cancels some of them, and looks at every accessor after each.
private struct RandomWrites {
  let realm: Realm
  var random: SeededRandom
  var held: [HeldAccessor] = []
  private var lastMark = 0

  init(_ realm: Realm, _ random: SeededRandom) {
    self.realm = realm
    self.random = random
  }

  /// Looks at every accessor: it shows what it was made for, or nothing.
  func check(_ when: String) {
    for accessor in held {
      guard let shown = accessor.shown() else { continue }
      if !shown.allSatisfy({ $0 == accessor.mark }) {
        Issue.record("\(when): \(accessor.what) made for \(accessor.mark) shows \(shown)")
      }
    }
  }

  /// The held accessors are not to grow without bound: some are let go.
  mutating func forgetSome() {
    while held.count > 400 { held.remove(at: Int.random(in: 0..<held.count, using: &random)) }
  }

  /// An object whose every part bears its mark, linked to nothing but others of the same mark.
  mutating func makeNode() -> MarkedNode {
    lastMark += 1
    let mark = lastMark
    let node = MarkedNode()
    fill(node, mark)
    realm.add(node)
    hold(node, mark)
    return node
  }

  private func fill(_ node: MarkedNode, _ mark: Int) {
    func child() -> MarkedNode {
      let child = MarkedNode()
      child.mark = mark
      return child
    }
    node.mark = mark
    node.next = child()
    node.nodes.append(objectsIn: [child(), child()])
    node.marks.append(objectsIn: [mark, mark])
    node.peers.insert(child())
    node.markSet.insert(mark)
    node.byName["a"] = child()
    node.markMap["a"] = mark
    let part = MarkedPart()
    part.mark = mark
    part.marks.append(mark)
    node.part = part
    let other = MarkedPart()
    other.mark = mark
    node.parts.append(other)
    let inner = AnyRealmValue.fromArray([.int(mark), .object(child())])
    node.any = .fromDictionary(["deep": .fromArray([inner, .int(mark)])])
  }

  /// Changes an object that exists, to what another mark would not show.
  mutating func changeSome() {
    guard let node = realm.objects(MarkedNode.self).randomElement(using: &random) else { return }
    let mark = node.mark
    switch Int.random(in: 0..<6, using: &random) {
    case 0: node.marks.append(mark)
    case 1: node.part = node.part == nil ? MarkedPart(value: ["mark": mark]) : nil
    case 2: node.any = .fromArray([.int(mark)])
    case 3: node.nodes.removeAll()
    case 4: node.byName["b"] = MarkedNode(value: ["mark": mark])
    default: realm.delete(node)
    }
    if !node.isInvalidated { hold(node, mark) }
  }

  // MARK: - Accessors of every kind

  mutating func hold(_ node: MarkedNode, _ mark: Int) {
    keep("object", mark) { node.isInvalidated ? nil : [node.mark] }
    if let part = node.part {
      keep("embedded object", mark) { part.isInvalidated ? nil : [part.mark] }
      let marks = part.marks
      keep("list of an embedded object", mark) { marks.isInvalidated ? nil : Array(marks) }
    }
    if let part = node.parts.first {
      let owners = part.owners
      keep("inverse of an embedded object", mark) { owners.isInvalidated ? nil : owners.map(\.mark) }
    }
    holdCollections(node, mark)
    holdResults(node, mark)
    holdNested(node, mark)
    holdReferences(node, mark)
  }

  private mutating func keep(_ what: String, _ mark: Int, _ shown: @escaping () -> [Int]?) {
    // Not all of them each time: the checks would take long.
    guard Int.random(in: 0..<3, using: &random) == 0 else { return }
    held.append(HeldAccessor(what: what, mark: mark, shown: shown))
  }

  private mutating func holdCollections(_ node: MarkedNode, _ mark: Int) {
    let (nodes, marks, peers, markSet) = (node.nodes, node.marks, node.peers, node.markSet)
    keep("list", mark) { nodes.isInvalidated ? nil : nodes.map(\.mark) }
    keep("list of values", mark) { marks.isInvalidated ? nil : Array(marks) }
    keep("set", mark) { peers.isInvalidated ? nil : peers.map(\.mark) }
    keep("set of values", mark) { markSet.isInvalidated ? nil : Array(markSet) }
    let (byName, markMap, parts) = (node.byName, node.markMap, node.parts)
    keep("map", mark) { byName.isInvalidated ? nil : byName.values.compactMap { $0?.mark } }
    keep("map of values", mark) { markMap.isInvalidated ? nil : markMap.values }
    keep("list of embedded objects", mark) { parts.isInvalidated ? nil : parts.map(\.mark) }
    let erased = AnyRealmCollection(nodes)
    keep("any collection", mark) { erased.isInvalidated ? nil : erased.map(\.mark) }
  }

  private mutating func holdResults(_ node: MarkedNode, _ mark: Int) {
    let (sorted, filtered) = (node.nodes.sorted(byKeyPath: "mark"), node.nodes.filter("mark > 0"))
    keep("results of a list", mark) { sorted.isInvalidated ? nil : sorted.map(\.mark) }
    keep("filtered list", mark) { filtered.isInvalidated ? nil : (0..<filtered.count).map { filtered[$0].mark } }
    keep("first of a list", mark) { filtered.isInvalidated ? nil : filtered.first.map { [$0.mark] } ?? [] }
    let (values, peers, mapped) = (
      node.marks.sorted(), node.peers.filter("mark > 0"), node.byName.filter("mark > 0")
    )
    keep("results of values", mark) { values.isInvalidated ? nil : Array(values) }
    keep("results of a set", mark) { peers.isInvalidated ? nil : peers.map(\.mark) }
    keep("results of a map", mark) { mapped.isInvalidated ? nil : mapped.compactMap { $0?.mark } }
    keep("results of results", mark) { sorted.isInvalidated ? nil : sorted.filter("mark > 0").map(\.mark) }
    if let child = node.next {
      let (previous, found) = (child.previous, child.previous.filter("mark > 0"))
      keep("inverse", mark) { previous.isInvalidated ? nil : previous.map(\.mark) }
      keep("results of an inverse", mark) { found.isInvalidated ? nil : found.map(\.mark) }
      let asked = realm.objects(MarkedNode.self).filter("next == %@", child)
      keep("results of a link", mark) { asked.isInvalidated ? nil : asked.map(\.mark) }
    }
    if let child = node.nodes.first {
      let holders = child.holders
      keep("inverse of a list", mark) { holders.isInvalidated ? nil : holders.map(\.mark) }
    }
    let iterator = node.nodes.makeIterator()
    keep("iterator", mark) {
      var iterator = iterator
      var marks: [Int] = []
      while let next = iterator.next() { if !next.isInvalidated { marks.append(next.mark) } }
      return marks
    }
    let sections = node.nodes.sectioned(by: \.mark)
    keep("sections", mark) { sections.isInvalidated ? nil : sections.flatMap { $0.map(\.mark) } }
  }

  private mutating func holdNested(_ node: MarkedNode, _ mark: Int) {
    guard let map = node.any.dictionaryValue, let deep = map["deep"]?.listValue else { return }
    keep("dictionary in a value", mark) { map.isInvalidated ? nil : Self.marks(.dictionary(map)) }
    keep("list in a value", mark) { deep.isInvalidated ? nil : Self.marks(.list(deep)) }
    guard let inner = deep.first?.listValue else { return }
    keep("list in a list in a value", mark) { inner.isInvalidated ? nil : Self.marks(.list(inner)) }
  }

  private static func marks(_ value: AnyRealmValue) -> [Int] {
    switch value {
    case .int(let mark): [mark]
    case .object(let object): [(object as? MarkedNode)?.mark ?? -1]
    case .list(let list): list.flatMap { marks($0) }
    case .dictionary(let map): map.values.flatMap { marks($0) }
    default: []
    }
  }

  private mutating func holdReferences(_ node: MarkedNode, _ mark: Int) {
    let realm = realm
    let shared = ThreadSafe(wrappedValue: node)
    keep("@ThreadSafe", mark) { shared.wrappedValue.map { [$0.mark] } }
    let object = ThreadSafeReference(to: node)
    keep("reference to an object", mark) {
      object.isInvalidated ? nil : realm.resolve(object).map { [$0.mark] }
    }
    let list = ThreadSafeReference(to: node.nodes)
    keep("reference to a list", mark) { list.isInvalidated ? nil : realm.resolve(list)?.map(\.mark) }
    let results = ThreadSafeReference(to: node.nodes.sorted(byKeyPath: "mark"))
    keep("reference to results", mark) { results.isInvalidated ? nil : realm.resolve(results)?.map(\.mark) }
  }
}

extension RandomWrites {
  /// Some changes; a part of them may be a nested write that is undone.
  mutating func change(depth: Int = 0) {
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1: _ = makeNode()
      case 2: changeSome()
      default:
        guard depth < 2 else { continue }
        let isUndone = Bool.random(using: &random)
        try? realm.write {
          change(depth: depth + 1)
          check("in a nested write")
          if isUndone { throw Undone() }
        }
        check(isUndone ? "after an undone part" : "after a part")
      }
    }
  }

  /// One transaction that is committed or cancelled.
  mutating func transaction() throws {
    realm.beginWrite()
    change()
    check("before the end of a write")
    if Bool.random(using: &random) { realm.cancelWrite() } else { try realm.commitWrite() }
    check("after a write")
    // What exists is held as well, outside of a write.
    if let node = realm.objects(MarkedNode.self).randomElement(using: &random) { hold(node, node.mark) }
    forgetSome()
    // The store is not to grow for ever either.
    let all = realm.objects(MarkedNode.self)
    if all.count > 300 { try realm.write { realm.delete(Array(all.prefix(250))) } }
  }
}

@Suite("Accessors of what a write made", .timeLimit(.minutes(30))) struct AccessorOwnershipTests {
  /// Transactions; a hundredth of what `LARDER_TRANSACTIONS` says for all random tests together, since all accessors are read after each.
  private static let transactions =
    (ProcessInfo.processInfo.environment["LARDER_TRANSACTIONS"].flatMap { Int($0) } ?? 10_000) / 100

  @Test("F-5: whatever a cancelled, nested or committed write made, no accessor shows another object", .long)
  func synchronous() throws {
    let realm = try makeRealm([MarkedNode.self, MarkedPart.self])
    var writes = RandomWrites(realm, SeededRandom.forTest())
    for _ in 0..<Self.transactions { try writes.transaction() }
    #expect(!writes.held.isEmpty)
  }

  @MainActor
  @Test("F-5: the same for asynchronous writes, some of which throw") func asynchronous() async throws {
    let random = SeededRandom.forTest()
    let realm = try await Realm(configuration: temporaryConfiguration([MarkedNode.self, MarkedPart.self]))
    var writes = RandomWrites(realm, random)
    // The main actor is what other tests wait for.
    for _ in 0..<min(Self.transactions / 4, 50) {
      let isUndone = Bool.random(using: &writes.random)
      try? await realm.asyncWrite {
        writes.change()
        writes.check("in an asynchronous write")
        if isUndone { throw Undone() }
      }
      writes.check("after an asynchronous write")
      writes.forgetSome()
    }
    #expect(!writes.held.isEmpty)
  }
}
