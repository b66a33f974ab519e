import KnotModel
import TestSupport

@testable import Larder

/// A query drawn at random: a source, conditions, an order, distinct values.
struct RandomKnotQuery: CustomStringConvertible {
  enum Source { case all, list, inverse }

  private enum Step {
    case filter(String)
    case sort([Larder.SortDescriptor])
    case distinct([String])
  }

  private let source: Source
  private var steps: [Step] = []

  init(_ random: inout SeededRandom, source: Source? = nil) {
    self.source = source ?? random.pick([.all, .all, .all, .all, .list, .inverse])
    if !random.oneIn(5) { steps.append(.filter(Self.condition(&random))) }
    if random.oneIn(2) { steps.append(.sort(Self.order(&random))) }
    if random.oneIn(4) { steps.append(.distinct(random.pick([["label"], ["value"], ["next.value", "label"]]))) }
    if random.oneIn(5) { steps.append(.filter(Self.condition(&random))) }
  }

  /// All knots, in their order.
  init() { source = .all }

  private static func condition(_ random: inout SeededRandom) -> String {
    func simple() -> String {
      let (number, label) = (random.int(0...12), "l\(random.int(0...4))")
      switch random.int(0...13) {
      case 0: return "value > \(number)"
      case 1: return "value BETWEEN {\(number / 2), \(number + 2)}"
      case 2: return "label = '\(label)'"
      case 3: return "next.value <= \(number)"
      case 4: return "next.next.label = '\(label)'"
      case 5: return "ANY others.value > \(number)"
      case 6: return "others.@count > \(number / 6)"
      case 7: return "SUBQUERY(others, $o, $o.value < \(number) AND $o.label != '\(label)').@count > 0"
      case 8: return "previous.@count > 0"
      case 9: return "ANY previous.value >= \(number)"
      case 10: return "next = nil"
      case 11: return "value > next.value"
      case 12: return "others.@sum.value > \(number)"
      default: return "ANY numbers > \(number)"
      }
    }
    switch random.int(0...4) {
    case 0: return "\(simple()) AND \(simple())"
    case 1: return "\(simple()) OR \(simple())"
    case 2: return "NOT (\(simple()))"
    default: return simple()
    }
  }

  private static func order(_ random: inout SeededRandom) -> [Larder.SortDescriptor] {
    let paths = random.pick([["value"], ["label", "value"], ["next.value"], ["next.next.label", "value"], ["id"]])
    return paths.map { Larder.SortDescriptor(keyPath: $0, ascending: random.oneIn(2)) }
  }

  func results(_ realm: Realm) -> Results<Knot> {
    var results: Results<Knot>
    let first = realm.object(ofType: Knot.self, forPrimaryKey: 0)
    switch (source, first) {
    case (.list, let first?): results = first.others.filter("TRUEPREDICATE")
    case (.inverse, let first?): results = first.previous.filter("TRUEPREDICATE")
    default: results = realm.objects(Knot.self)
    }
    for step in steps {
      switch step {
      case .filter(let text): results = results.filter(text)
      case .sort(let descriptors): results = results.sorted(by: descriptors)
      case .distinct(let paths): results = results.distinct(by: paths)
      }
    }
    return results
  }

  var description: String {
    "\(source)"
      + steps.map { step in
        switch step {
        case .filter(let text): " where \(text)"
        case .sort(let descriptors): " sorted \(descriptors.map { "\($0.keyPath) \($0.ascending)" })"
        case .distinct(let paths): " distinct \(paths)"
        }
      }.joined()
  }
}
