import Foundation
import LarderQuery

extension Query {
  /// The condition as a tree.
  ///
  /// - Throws: `PredicateError` for what cannot be asked.
  package func conditionNode() throws -> PredicateNode { try predicate() }

  /// The objects themselves, which a condition begins with.
  package static var beginning: Query<T> { root }
}

extension PredicateNode {
  /// A condition of a format and its arguments.
  ///
  /// - Throws: `PredicateError`, `Realm.Error` for what is none.
  package init(format: String, arguments: [Any]) throws { self = try PredicateArguments.parse(format, arguments) }

  /// The condition of a predicate.
  ///
  /// - Throws: `Realm.Error` for a block.
  package init(_ predicate: NSPredicate) throws { self = try PredicateBox.node(of: predicate) }
}
