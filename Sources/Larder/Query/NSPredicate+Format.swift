import Foundation
import LarderQuery

extension NSPredicate {
  /// `init(format:)` that throws `Realm.Error` with the place of the fault in the text.
  public static func parsing(_ predicateFormat: String, argumentArray arguments: [Any] = []) throws(Realm.Error)
    -> NSPredicate
  {
    try orRealmError { FormatPredicate(try PredicateArguments.parse(predicateFormat, arguments)) }
  }
}

/// A protocol that gives `NSPredicate` initialisers that make a subclass of it, which a class's own cannot.
public protocol _FormatPredicateMaking {}

extension NSPredicate: _FormatPredicateMaking {}

extension _FormatPredicateMaking where Self: NSPredicate {
  /// A predicate in the format language: `NSPredicate(format: "age > %@", 3)`. Text that is no predicate is misuse.
  public init(format predicateFormat: String, _ args: Any...) {
    self.init(format: predicateFormat, argumentArray: args)
  }

  /// `init(format:)` with its arguments in an array.
  public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    let made: NSPredicate = orMisuse {
      FormatPredicate(try PredicateArguments.parse(predicateFormat, arguments ?? []))
    }
    guard let predicate = made as? Self else {
      misuse("\(Self.self) cannot be made from text; use NSPredicate(format:).")
    }
    self = predicate
  }
}

/// A predicate that was made from text, and shows it.
final class FormatPredicate: NSPredicate {
  private let node: PredicateNode

  init(_ node: PredicateNode) {
    self.node = node
    super.init { object, _ in
      (object as? PredicateBox)?.node = node
      return false
    }
  }

  required init?(coder: NSCoder) { nil }

  override var description: String { PredicatePrinter.describe(node) }

  @available(*, deprecated, message: "For readers of a log; print the predicate instead.")
  override var predicateFormat: String { description }
}

/// Takes the tree out of a predicate: predicates made by `init(format:)` put theirs into a box they are evaluated with.
final class PredicateBox {
  var node: PredicateNode?

  /// Throws for predicates that say nothing but by running: blocks (Q-16).
  static func node(of predicate: NSPredicate) throws -> PredicateNode { try node(of: predicate, depth: 0) }

  private static func node(of predicate: NSPredicate, depth: Int) throws -> PredicateNode {
    guard depth < Binder.maximumDepth else {
      throw PredicateError(.tooDeep, "The predicate nests deeper than \(Binder.maximumDepth) levels")
    }
    if let compound = predicate as? NSCompoundPredicate {
      let parts = compound.subpredicates
      switch compound.compoundPredicateType {
      case .and: return .and(try parts.map { try node(of: $0, depth: depth + 1) })
      case .or: return .or(try parts.map { try node(of: $0, depth: depth + 1) })
      case .not: return .not(try parts.first.map { try node(of: $0, depth: depth + 1) } ?? .constant(true))
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
