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
    orMisuse { Results(try makeState("filtered").filtered(try isIncluded(.root).predicate(), text: "")) }
  }
}

extension MutableSet {
  /// Misuse: sets have no positions to ask for.
  public func index(matching isIncluded: ((Query<Element>) -> Query<Bool>)) -> Int? {
    misuse("Sets have no index; use where(_:).")
  }
}
