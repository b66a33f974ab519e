import LarderExchange
import LarderQuery
import LarderStorage

/// A condition on a column that a statement has, with its value not yet known.
struct PushedTerm: Hashable, Sendable {
  enum Operation: Hashable, Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, isNull, isNotNull
    /// Texts that begin with what a pattern of GLOB or of LIKE begins with.
    case glob, like
  }

  /// Names of the properties that lead to the embedded object which has the column.
  var links: [String] = []
  var column: ColumnDescriptor
  /// The primary key that the column, a link, shows; nil for other columns, and for links that show the object's key.
  var key: ColumnDescriptor?
  var operation: Operation
  /// True if SQLite does not look at the condition again.
  var isSettled = false

  /// The condition in the store's own language with a value.
  ///
  /// - Returns: nil where it cannot be said, and SQLite has to decide; `isExact` is false where more objects are found than SQLite takes.
  func condition(_ value: SQLValue) -> (node: PredicateNode, isExact: Bool)? {
    guard let found = ownCondition(value), let link = steps.first else { return ownCondition(value) }
    // The store compares nothing with a property of an object that is not there, as SQLite nothing with NULL.
    if operation == .equal, links.isEmpty { return found }
    // Of an object without the embedded or linked one all is NULL, which nothing compares with.
    let isThere = Self.compared([link], .notEqual, .null, [])
    return (.and([isThere, found.node]), found.isExact && steps.count == 1)
  }

  /// The property whose values are compared: of a link that shows a primary key, that key.
  var subject: ColumnDescriptor {
    switch operation {
    case .isNull, .isNotNull: column
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .glob, .like: key ?? column
    }
  }

  /// Names of the properties that lead to the object with the subject.
  private var steps: [String] { subject == column ? links : links + [column.name] }

  private func ownCondition(_ value: SQLValue) -> (node: PredicateNode, isExact: Bool)? {
    switch operation {
    case .isNull:
      guard !isFloating else { return nil }
      return (mayBeNil ? compared(.equal, .null) : .constant(false), true)
    case .isNotNull: return (mayBeNil ? compared(.notEqual, .null) : .constant(true), !isFloating)
    case .glob: return prefix(value, stoppingAt: "*?[", []).map { ($0, false) }
    case .like: return prefix(value, stoppingAt: "%_", .caseInsensitive).map { ($0, false) }
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      switch subject.type {
      case .date: return date(value).map { ($0, false) }
      case .uuid, .objectId: return identifier(value).map { ($0, true) }
      default: return comparison(value).map { ($0, isComparedExactly) }
      }
    }
  }

  /// NaN is NULL to SQLite, and a number that is not equal to any to the store.
  private var isFloating: Bool { subject.type == .double || subject.type == .float || subject.type == .mixed }

  /// The store refuses to compare with nil what never is.
  private var mayBeNil: Bool { subject.isOptional || subject.type == .link || subject.type == .mixed }

  private var isComparedExactly: Bool { !(isFloating && operation == .notEqual) }

  private func comparison(_ value: SQLValue) -> PredicateNode? {
    guard let constant = constant(value) else { return nil }
    let node = compared(relation, constant)
    // To the store nil is different from any value, and of texts less than any; to SQLite it is unknown.
    let takesNil = operation == .notEqual || operation == .less || operation == .lessOrEqual
    return (subject.isOptional || subject.type == .link) && takesNil ? .and([node, compared(.notEqual, .null)]) : node
  }

  /// An identifier is equal to the text that it is written as, and to no other.
  private func identifier(_ value: SQLValue) -> PredicateNode? {
    guard isEquality, case .text(let text) = value else { return nil }
    let isOther = mayBeNil ? compared(.notEqual, .null) : .constant(true)
    guard let known = StoredValue(identifier: text, type: subject.type), ValueText.plain(known) == text else {
      return operation == .equal ? .constant(false) : isOther
    }
    return operation == .equal ? compared(.equal, known) : .and([compared(.notEqual, known), isOther])
  }

  private var relation: ComparisonOperator {
    switch operation {
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .equal, .isNull, .isNotNull, .glob, .like: .equal
    }
  }

  /// The value, if it is one of the column's own type: how SQLite converts others is left to it.
  private func constant(_ value: SQLValue) -> StoredValue? {
    switch (subject.type, value) {
    case (.int, .integer(let number)): .int(number)
    // SQLite plans with 1000000 where a statement says 1e6, and then gives the real number.
    case (.int, .real(let number)): Int64(exactly: number).map { .int($0) }
    case (.double, .real(let number)): .double(number)
    case (.double, .integer(let number)): Double(exactly: number).map { .double($0) }
    case (.float, .real(let number)): Float(exactly: number).map { .float($0) }
    case (.float, .integer(let number)): Float(exactly: number).map { .float($0) }
    case (.string, .text(let text)): .string(text)
    case (.data, .blob(let data)) where isEquality: .data(data)
    case (.bool, .integer(let number)) where 0...1 ~= number && isEquality: .bool(number == 1)
    case (.bool, .real(let number)) where (number == 0 || number == 1) && isEquality: .bool(number == 1)
    case (.link, .integer(let number)) where number >= 0 && isEquality: .link(ObjectKey(rawValue: UInt64(number)))
    case (.link, .real(let number)) where isEquality: UInt64(exactly: number).map { .link(ObjectKey(rawValue: $0)) }
    default: nil
    }
  }

  private var isEquality: Bool { operation == .equal || operation == .notEqual }

  /// A day or a time means its first moment: later texts begin with it.
  private func date(_ value: SQLValue) -> PredicateNode? {
    guard case .text(let text) = value, let instant = SQLDate.instant(text) else { return nil }
    switch operation {
    case .greater, .greaterOrEqual: return compared(.greaterOrEqual, .date(instant))
    case .less, .lessOrEqual:
      let node = compared(.lessOrEqual, .date(instant))
      return subject.isOptional ? .and([node, compared(.notEqual, .null)]) : node
    case .equal: return compared(.equal, .date(instant))
    default: return nil
    }
  }

  private func prefix(_ value: SQLValue, stoppingAt special: String, _ options: TextOptions) -> PredicateNode? {
    guard case .text(let pattern) = value, subject.type == .string else { return nil }
    let start = pattern.unicodeScalars.prefix { !special.unicodeScalars.contains($0) }
    // LIKE takes ASCII letters alone for equal without regard to case: another letter's folding would be another one.
    guard !start.isEmpty, options.isEmpty || start.allSatisfy(\.isASCII) else { return nil }
    return compared(.beginsWith, .string(String(String.UnicodeScalarView(start))), options)
  }

  private func compared(_ operation: ComparisonOperator, _ value: StoredValue, _ options: TextOptions = [])
    -> PredicateNode
  {
    Self.compared(steps + [subject.name], operation, value, options)
  }

  private static func compared(
    _ path: [String], _ operation: ComparisonOperator, _ value: StoredValue, _ options: TextOptions
  ) -> PredicateNode {
    .comparison(
      ComparisonNode(
        left: .keyPath(KeyPathNode(path.map { .init($0) })), operation: operation, options: options,
        right: .constant(ConstantNode(.value(value)))))
  }
}
