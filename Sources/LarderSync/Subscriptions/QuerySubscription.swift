import Foundation
import LarderQuery

/// A subscription that is to be made: `QuerySubscription<Person>(name: "adults") { $0.age >= 18 }`. See `SyncSubscriptionSet.append(_:)`.
public struct QuerySubscription<T> where T: Object {
  /// A condition on objects of the class.
  public typealias QueryFunction = (Query<T>) -> Query<Bool>

  let name: String?
  let condition: SubscribedNode

  /// All objects of the class.
  public init(name: String? = nil) {
    self.name = name
    condition = .all
  }

  /// The objects that satisfy a condition written in Swift. The closure runs once, now.
  public init(name: String? = nil, query: (Query<T>) -> Query<Bool>) {
    self.name = name
    condition = SubscribedNode(query)
  }

  /// The objects that satisfy a predicate in the format language.
  public init(name: String? = nil, where predicateFormat: String, _ args: Any...) {
    self.name = name
    condition = SubscribedNode(format: predicateFormat, args)
  }

  /// The objects that satisfy a predicate.
  public init(name: String? = nil, where predicate: NSPredicate) {
    self.name = name
    condition = SubscribedNode(predicate)
  }
}

/// A condition before its names are resolved; one that is none says so when it is used.
enum SubscribedNode {
  case all
  case node(PredicateNode)
  case faulty(any Error)

  init<T: Object>(_ query: (Query<T>) -> Query<Bool>) {
    self.init { try query(.beginning).conditionNode() }
  }

  init(format: String, _ arguments: [Any]) { self.init { try PredicateNode(format: format, arguments: arguments) } }

  init(_ predicate: NSPredicate) { self.init { try PredicateNode(predicate) } }

  private init(_ make: () throws -> PredicateNode) {
    do { self = .node(try make()) } catch { self = .faulty(error) }
  }

  /// The condition; nil for all objects.
  ///
  /// - Throws: `Realm.Error.subscriptionFailed` for one that is none.
  func resolved(_ className: String) throws -> PredicateNode? {
    switch self {
    case .all: return nil
    case .node(let node): return node
    case .faulty(let error):
      throw Realm.Error.make(
        .subscriptionFailed, "In a subscription to '\(className)': \(error)", className: className, underlying: error)
    }
  }
}
