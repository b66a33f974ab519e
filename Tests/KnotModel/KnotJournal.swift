import Larder

/// The changes to knots since observers were last notified, noted beside the store.
package struct KnotJournal: Codable {
  /// An observed list, set or map.
  struct Place: Hashable, Codable {
    let id: Int
    let property: String
  }

  /// By knot: the properties that were assigned or edited.
  package private(set) var assigned: [Int: Set<String>] = [:]
  /// Knots whose parts were changed inside.
  package private(set) var changedParts: Set<Int> = []
  package private(set) var deleted: Set<Int> = []
  private var places: [Place: TaggedElements] = [:]

  package init() {}

  /// Begins again: all were notified.
  package mutating func reset(_ realm: Realm) {
    assigned = [:]
    changedParts = []
    for id in 0...1 {
      guard let knot = realm.object(ofType: Knot.self, forPrimaryKey: id) else { continue }
      for (property, count) in [
        ("others", knot.others.count), ("numbers", knot.numbers.count), ("friends", knot.friends.count),
        ("named", knot.named.count),
      ] {
        places[Place(id: id, property: property)] = TaggedElements(count: count)
      }
    }
  }

  package func elements(_ id: Int, _ property: String) -> TaggedElements {
    places[Place(id: id, property: property)] ?? TaggedElements()
  }

  package mutating func assign(_ id: Int, _ property: String) { assigned[id, default: []].insert(property) }
  package mutating func changePart(of id: Int) { changedParts.insert(id) }
  package mutating func delete(_ id: Int) { deleted.insert(id) }

  package mutating func edit(_ id: Int, _ property: String, _ edit: (inout TaggedElements) -> Void) {
    assign(id, property)
    if var elements = places[Place(id: id, property: property)] {
      edit(&elements)
      places[Place(id: id, property: property)] = elements
    }
  }
}
