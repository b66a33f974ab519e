import Foundation
import LarderQuery

extension NSPredicate {
  /// A predicate in the format language: `NSPredicate(format: "age > %@", 3)`.
  public convenience init(format predicateFormat: String, _ args: Any...) {
    self.init(format: predicateFormat, argumentArray: args)
  }

  public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    let node = orMisuse { try PredicateArguments.parse(predicateFormat, arguments ?? []) }
    self.init { object, _ in
      (object as? PredicateBox)?.node = node
      return false
    }
  }
}

/// Takes the tree out of a predicate: predicates made by `init(format:)` put theirs into a box they are evaluated with.
final class PredicateBox {
  var node: PredicateNode?

  static func node(of predicate: NSPredicate) -> PredicateNode {
    if let compound = predicate as? NSCompoundPredicate {
      let children = compound.subpredicates.map { node(of: $0) }
      switch compound.compoundPredicateType {
      case .and: return .and(children)
      case .or: return .or(children)
      case .not: return .not(children.first ?? .constant(true))
      }
    }
    let box = PredicateBox()
    _ = predicate.evaluate(with: box)
    if let node = box.node { return node }
    for value in [true, false] where predicate == NSPredicate(value: value) { return .constant(value) }
    misuse("Only format and compound predicates can be used; a block predicate cannot be turned into a query.")
  }
}
