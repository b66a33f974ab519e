import Foundation

extension Results {
  public func index(matching predicate: NSPredicate) -> Int? {
    orMisuse { try state.firstIndex(of: try PredicateBox.node(of: predicate), text: "") }
  }

  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element> {
    orMisuse { Results(try state.filtered(predicateFormat, arguments: args)) }
  }

  public func filter(_ predicate: NSPredicate) -> Results<Element> {
    orMisuse { Results(try state.filtered(try PredicateBox.node(of: predicate), text: "")) }
  }

  /// The results that satisfy a condition written in Swift: `people.where { $0.age > 30 }`. As that of all collections
  /// (`RealmCollection.where`), without asking what kind of collection it is.
  public func `where`(_ isIncluded: ((Query<Element>) -> Query<Bool>)) -> Results<Element> {
    orMisuse { Results(try state.filtered(isIncluded(.root).condition)) }
  }
}

extension List {
  public func index(matching predicate: NSPredicate) -> Int? {
    orMisuse { try firstIndex(of: try PredicateBox.node(of: predicate), text: "") }
  }
}

extension Map {
  /// The objects among the values that satisfy a predicate, in the order of the keys: lazy and live.
  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
    orMisuse { Results(try makeState("filtered").filtered(predicateFormat, arguments: args)) }
  }

  /// The objects among the values that satisfy a condition written in Swift, in the order of the keys: lazy and live.
  public func `where`(_ isIncluded: ((Query<Value>) -> Query<Bool>)) -> Results<Value> {
    orMisuse { Results(try makeState("filtered").filtered(isIncluded(.root).condition)) }
  }
}

extension MutableSet {
  /// Misuse: sets have no positions to ask for.
  public func index(matching isIncluded: ((Query<Element>) -> Query<Bool>)) -> Int? {
    misuse("Sets have no index; use where(_:).")
  }
}
