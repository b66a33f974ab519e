import LarderStorage

/// The losses of a migration, counted by class and property, with some of the objects. Its size depends on the schema alone.
package struct LossTally: Equatable, Sendable {
  /// The losses of one property, or the objects that a class loses.
  package struct Group: Equatable, Sendable {
    package let className: String
    /// Nil for whole objects.
    package let property: String?
    package fileprivate(set) var count = 0
    /// The first ones.
    package fileprivate(set) var examples: [MigrationLoss] = []
  }

  private struct Name: Hashable {
    var className: String
    var property: String?
  }

  /// The number of losses of a property that are kept to be shown.
  static let exampleLimit = 5

  /// In the order in which they were found first.
  package private(set) var groups: [Group] = []
  private var places: [Name: Int] = [:]

  package var isEmpty: Bool { groups.isEmpty }
  package var count: Int { groups.reduce(0) { $0 + $1.count } }

  /// True if a property, as the store had it, loses values.
  func contains(_ className: String, _ property: String) -> Bool {
    places[Name(className: className, property: property)] != nil
  }

  mutating func add(_ loss: MigrationLoss) {
    let name = Name(className: loss.className, property: loss.property)
    let place = places[name] ?? groups.count
    if place == groups.count {
      groups.append(Group(className: loss.className, property: loss.property))
      places[name] = place
    }
    groups[place].count += 1
    if groups[place].examples.count < Self.exampleLimit { groups[place].examples.append(loss) }
  }
}
