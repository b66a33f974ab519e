import KnotModel
import Larder

/// The changes that observers are to be notified of at a version: which knots count as modified since they were notified last, found without the
/// store's log from the journal and from the links there are.
struct KnotWorld {
  private enum Node: Hashable {
    case knot(Int)
    case part(Int)
  }

  let journal: KnotJournal
  /// Knots that were changed, or from which a changed object is at most three links away (N-15).
  let modified: Set<Int>
  private let links: [Int: [String: [Int]]]

  init(_ realm: Realm, _ journal: KnotJournal) {
    self.journal = journal
    var links: [Int: [String: [Int]]] = [:]
    var targets: [Node: Set<Node>] = [:]
    for knot in realm.objects(Knot.self) {
      let own = [
        "next": knot.next.map { [$0.id] } ?? [], "others": knot.others.map(\.id), "friends": knot.friends.map(\.id),
        "named": knot.named.values.compactMap { $0?.id }, "any": knot.any.object(Knot.self).map { [$0.id] } ?? [],
      ]
      links[knot.id] = own
      targets[.knot(knot.id)] = Set(own.values.joined().map { .knot($0) })
      if let part = knot.part {
        targets[.knot(knot.id)]?.insert(.part(knot.id))
        targets[.part(knot.id)] = part.link.map { [.knot($0.id)] } ?? []
      }
    }
    self.links = links
    var reached = Set(journal.assigned.keys.map { Node.knot($0) })
    reached.formUnion(journal.changedParts.map { .part($0) })
    for _ in 0..<3 { reached.formUnion(targets.filter { !$0.value.isDisjoint(with: reached) }.keys) }
    modified = Set(reached.compactMap { if case .knot(let id) = $0 { id } else { nil } })
  }

  /// Knots that a key path names a change of (N-31, N-32).
  func modified(_ keyPath: String) -> Set<Int> {
    let names = keyPath.split(separator: ".").map(String.init)
    var reached: Set<Int> = []
    for name in names.reversed() {
      let leading = links.filter { !Set($0.value[name] ?? []).isDisjoint(with: reached) }.keys
      reached = Set(journal.assigned.filter { $0.value.contains(name) }.keys).union(leading)
    }
    return reached
  }
}
