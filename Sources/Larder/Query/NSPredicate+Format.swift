import Foundation
import LarderQuery

extension NSPredicate {
  /// A predicate in the format language: `NSPredicate(format: "age > %@", 3)`. Text that is no predicate is misuse.
  public convenience init(format predicateFormat: String, _ args: Any...) {
    self.init(format: predicateFormat, argumentArray: args)
  }

  /// `init(format:)` with its arguments in an array.
  public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self.init(orMisuse { try PredicateArguments.parse(predicateFormat, arguments ?? []) })
  }

  /// `init(format:)` that throws `Realm.Error` with the place of the fault in the text.
  public static func parsing(_ predicateFormat: String, argumentArray arguments: [Any] = []) throws(Realm.Error)
    -> NSPredicate
  {
    try orRealmError { NSPredicate(try PredicateArguments.parse(predicateFormat, arguments)) }
  }

  convenience init(_ node: PredicateNode) {
    self.init { object, _ in
      (object as? PredicateBox)?.node = node
      return false
    }
  }
}

/// Takes the tree out of a predicate: predicates made by `init(format:)` put theirs into a box they are evaluated with.
final class PredicateBox {
  var node: PredicateNode?

  /// Throws for predicates that say nothing but by running: blocks (Q-16).
  static func node(of predicate: NSPredicate) throws -> PredicateNode {
    if let compound = predicate as? NSCompoundPredicate {
      switch compound.compoundPredicateType {
      case .and: return .and(try compound.subpredicates.map { try node(of: $0) })
      case .or: return .or(try compound.subpredicates.map { try node(of: $0) })
      case .not: return .not(try compound.subpredicates.first.map { try node(of: $0) } ?? .constant(true))
      }
    }
    let box = PredicateBox()
    _ = predicate.evaluate(with: box)
    if let node = box.node { return node }
    for value in [true, false] where predicate == NSPredicate(value: value) { return .constant(value) }
    throw Realm.Error.invalid(
      "Only format, compound and constant predicates can be used; a block predicate cannot be turned into a query.")
  }
}
