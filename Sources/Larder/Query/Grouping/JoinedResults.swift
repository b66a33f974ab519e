import LarderQuery
import LarderStorage

/// The treatment of objects without a partner in `joined(with:on:)`.
public enum JoinKind: Hashable, Sendable {
  /// They are left out.
  case inner
  /// Those of the left results are there with nil on the right.
  case left

  fileprivate var stored: ResultsJoin.Kind { self == .left ? .left : .inner }
}

/// Pairs of objects that have equal values, as they were when it was made.
///
/// The pairs stay: later commits add none and drop none. The objects are live, made when a pair is looked at; one that was deleted since is
/// invalidated. It belongs to the thread of its Realm. A pair costs 16 bytes.
public struct JoinedResults<Left: ObjectBase, Right: ObjectBase>: RandomAccessCollection {
  let state: JoinState
  private let pairs: ResultsJoin.Pairs

  fileprivate init(_ state: JoinState) throws {
    self.state = state
    pairs = try state.current().pairs(in: state.host.reader)
  }

  public var startIndex: Int { 0 }
  /// The number of pairs.
  public var endIndex: Int { pairs.left.count }

  /// The objects of a pair; an index out of bounds is misuse.
  public subscript(position: Int) -> (left: Left, right: Right?) {
    state.host.checkThread()
    guard pairs.left.indices.contains(position) else {
      misuse("Index \(position) is out of bounds (count \(count)).")
    }
    let left: Left = object(state.leftCursor, pairs.left[position])
    return (left, pairs.right[position].map { object(state.rightCursor, $0) })
  }

  private func object<Made: ObjectBase>(_ cursor: _ClassCursor, _ key: ObjectKey) -> Made {
    guard let object = cursor.objectOrGone(key) as? Made else {
      misuse("An object of \(cursor.model.name) is no \(Made.self).")
    }
    return object
  }

  /// Groups of the pairs there are now, by properties of either side:
  /// `pairs.group(by: .left(\.origin), .right(\.windy)).aggregate(.average(\Flight.delay))`.
  ///
  /// Aggregates are over the left objects, with `ofRight` over the right ones. Pairs are found again by `rows()`, in the version that the
  /// Realm shows then.
  public func group(by paths: JoinedPath<Left, Right>...) -> ObjectGroups {
    ObjectGroups(.pairs(state), paths.map(\.path))
  }

  /// Finds the pairs once more and says how: which index was used, what was read.
  ///
  /// Throws `Realm.Error` when the file is damaged. On the Realm's thread.
  public func explain() throws(Realm.Error) -> QueryPlan {
    try orRealmError { QueryPlan(try state.current().explain(in: state.host.reader)) }
  }
}

/// The parts that pairs are found by: the results of both sides, the values that must be equal, and the kind of join.
final class JoinState {
  private let left: ResultsState
  private let right: ResultsState
  private let values: [(left: GroupValue, right: GroupValue)]
  private let kind: ResultsJoin.Kind
  let leftCursor: _ClassCursor
  let rightCursor: _ClassCursor

  fileprivate init(
    _ left: ResultsState, _ right: ResultsState, _ values: [(left: GroupValue, right: GroupValue)], _ kind: JoinKind
  ) throws {
    (self.left, self.right, self.values, self.kind) = (left, right, values, kind.stored)
    leftCursor = try left.objects("joined").1
    rightCursor = try right.objects("joined").1
    guard left.host === right.host else {
      throw Realm.Error.invalid("Results of two Realms, or of two versions, cannot be joined.")
    }
  }

  var host: ObjectHost { left.host }

  /// The join of the objects that the results have now.
  func current() throws -> ResultsJoin {
    func bound(_ value: GroupValue) throws -> ResultsJoin.Value {
      ResultsJoin.Value(value.text, try value.constants())
    }
    return try ResultsJoin(
      try left.objects("joined").0, try right.objects("joined").0,
      on: try values.map { (left: try bound($0.left), right: try bound($0.right)) }, kind, schema: host.schema,
      naming: host.naming)
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Pairs of these objects with others that have equal values, where no link leads from one to the other:
  /// `flights.joined(with: weather, on: (\.origin, \.origin), (\.hour, \.hour))`.
  ///
  /// The pairs come in the order of these objects, and of one object in the order of the others. Nil and NaN equal nothing. The values
  /// of the others are put into a table in memory, after a look-up in their index where there is one and these objects have few values.
  /// - Parameters:
  ///   - other: Objects of the same Realm.
  ///   - keyPaths: What has to be equal, of these and of the others: single values of the same type, also over to-one links.
  ///   - kind: Whether objects without a partner are there.
  /// - Throws: `Realm.Error` for properties of different types, unknown ones, collections, and results of another Realm.
  public func joined<Other: RealmCollection>(
    with other: Other, on keyPaths: (PartialKeyPath<Element>, PartialKeyPath<Other.Element>)..., kind: JoinKind = .inner
  ) throws(Realm.Error) -> JoinedResults<Element, Other.Element> where Other.Element: ObjectBase {
    try joined(with: other, on: keyPaths.map { (_name(for: $0.0), _name(for: $0.1)) }, kind: kind)
  }

  /// Pairs of objects by properties in text, of these objects and of the others, or by what is computed of them:
  /// `weather.joined(with: flights, on: [("hour(date)", "hour"), ("origin", "origin")])`; see above.
  public func joined<Other: RealmCollection>(
    with other: Other, on paths: [(String, String)], kind: JoinKind = .inner
  ) throws(Realm.Error) -> JoinedResults<Element, Other.Element> where Other.Element: ObjectBase {
    try joined(other, paths.map { (left: GroupValue($0.0), right: GroupValue($0.1)) }, kind)
  }

  /// Pairs of objects by what is computed of them, or by properties, as `where` writes them:
  /// `weather.joined(with: flights, on: ({ $0.date.hour }, { $0.hour }), ({ $0.origin }, { $0.origin }))`; see above.
  @_disfavoredOverload
  public func joined<Other: RealmCollection, each Value, each Partner>(
    with other: Other,
    on values: repeat ((Query<Element>) -> Query<each Value>, (Query<Other.Element>) -> Query<each Partner>),
    kind: JoinKind = .inner
  ) throws(Realm.Error) -> JoinedResults<Element, Other.Element> where Other.Element: ObjectBase {
    var pairs: [(left: GroupValue, right: GroupValue)] = []
    for pair in repeat each values { pairs.append((left: GroupValue(pair.0), right: GroupValue(pair.1))) }
    return try joined(other, pairs, kind)
  }

  private func joined<Other: RealmCollection>(
    _ other: Other, _ values: [(left: GroupValue, right: GroupValue)], _ kind: JoinKind
  ) throws(Realm.Error) -> JoinedResults<Element, Other.Element> where Other.Element: ObjectBase {
    try orRealmError {
      try JoinedResults(JoinState(resultsState("joined"), other.resultsState("joined"), values, kind))
    }
  }
}
