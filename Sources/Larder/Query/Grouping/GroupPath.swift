import LarderQuery

/// A value of one of the two objects of a pair that groups are made by: `.left(\.origin)`, `.right { $0.hour.weekday }`.
public struct JoinedPath<Left: ObjectBase, Right: ObjectBase>: Hashable, Sendable {
  let path: GroupPath

  /// A property of the left object, also over to-one links.
  public static func left(_ keyPath: PartialKeyPath<Left>) -> JoinedPath { .left(_name(for: keyPath)) }
  /// A property of the left object by its name or path, or what is computed of it: `hour(date)`.
  public static func left(_ keyPath: String) -> JoinedPath { JoinedPath(path: GroupPath(keyPath)) }
  /// A value computed of the left object: `.left { $0.date.hour }`.
  @_disfavoredOverload
  public static func left<Value>(_ value: (Query<Left>) -> Query<Value>) -> JoinedPath {
    JoinedPath(path: GroupPath(GroupValue(value)))
  }
  /// A property of the right object, also over to-one links; nil where there is no right object.
  public static func right(_ keyPath: PartialKeyPath<Right>) -> JoinedPath { .right(_name(for: keyPath)) }
  /// A property of the right object by its name or path, or what is computed of it.
  public static func right(_ keyPath: String) -> JoinedPath { JoinedPath(path: GroupPath(keyPath, isOfRight: true)) }
  /// A value computed of the right object; nil where there is none.
  @_disfavoredOverload
  public static func right<Value>(_ value: (Query<Right>) -> Query<Value>) -> JoinedPath {
    JoinedPath(path: GroupPath(GroupValue(value), isOfRight: true))
  }
}

/// A path or what is computed, and of which object.
struct GroupPath: Hashable, Sendable {
  let value: GroupValue
  let isOfRight: Bool

  init(_ value: GroupValue, isOfRight: Bool = false) { (self.value, self.isOfRight) = (value, isOfRight) }

  init(_ name: String, isOfRight: Bool = false) { self.init(GroupValue(name), isOfRight: isOfRight) }

  /// The name in conditions and orders.
  var title: String { isOfRight ? GroupSource.qualified(value.text, by: "right") : value.text }
}

/// A path or what is computed, as text in the language of predicates, or what is wrong with a closure that describes it.
struct GroupValue: Hashable, Sendable {
  let text: String
  /// Constants without a literal.
  private var arguments: [PredicateArgument] = []
  private var fault: PredicateError?

  init(_ text: String) { self.text = text }

  init<Root, Value>(_ value: (Query<Root>) -> Query<Value>) {
    do throws(PredicateError) {
      (text, arguments) = PredicatePrinter.write(try value(.root).operand.node())
    } catch {
      (text, fault) = ("", error)
    }
  }

  /// The constants of the text. Throws `PredicateError` for what cannot be asked.
  func constants() throws(PredicateError) -> [PredicateArgument] {
    if let fault { throw fault }
    return arguments
  }
}
