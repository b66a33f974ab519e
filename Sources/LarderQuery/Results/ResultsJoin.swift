import LarderStorage

/// Pairs of objects of two queries that have equal values, without a link between them (Q-78).
package struct ResultsJoin: Hashable, Sendable {
  /// The result for objects of the left query without a partner.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// They are left out.
    case inner
    /// They are paired with none.
    case left
  }

  /// The values that have to be equal: of each class a property, also over to-one links, or what is computed.
  package struct Key: Hashable, Sendable {
    var left: SortTarget
    var right: SortTarget
  }

  package let left: ResultsQuery
  package let right: ResultsQuery
  package let keys: [Key]
  package let kind: Kind

  /// A property or what is computed, in the language of predicates, with the constants that have no literal.
  package struct Value: Hashable, Sendable {
    var text: String
    var arguments: [PredicateArgument]

    package init(_ text: String, _ arguments: [PredicateArgument] = []) {
      (self.text, self.arguments) = (text, arguments)
    }
  }

  /// Resolves what has to be equal.
  ///
  /// - Throws: `PredicateError` for unknown properties, those that are no single values, and pairs of different types; without any.
  package init(
    _ left: ResultsQuery, _ right: ResultsQuery, on paths: [(left: String, right: String)], _ kind: Kind = .inner,
    schema: StoreSchema, naming: PropertyNaming = .stored
  ) throws(PredicateError) {
    let values = paths.map { (left: Value($0.left), right: Value($0.right)) }
    try self.init(left, right, on: values, kind, schema: schema, naming: naming)
  }

  /// Resolves what has to be equal; see above.
  package init(
    _ left: ResultsQuery, _ right: ResultsQuery, on values: [(left: Value, right: Value)], _ kind: Kind,
    schema: StoreSchema, naming: PropertyNaming
  ) throws(PredicateError) {
    (self.left, self.right, self.kind) = (left, right, kind)
    guard !values.isEmpty else {
      throw PredicateError(
        .unsupportedSort, "A join needs at least one pair of properties that are to be equal", text: "")
    }
    let binder = Binder(schema: schema, naming: naming)
    var keys: [Key] = []
    for pair in values {
      let ends = (
        try binder.groupPath(pair.left.text, pair.left.arguments, in: left.classID, purpose: "join"),
        try binder.groupPath(pair.right.text, pair.right.arguments, in: right.classID, purpose: "join")
      )
      guard ends.0.type == ends.1.type else {
        throw PredicateError(
          .typeMismatch,
          "'\(pair.left.text)' of '\(schema[left.classID]?.name ?? "")' is \(ends.0.type.displayName) and '\(pair.right.text)' of "
            + "'\(schema[right.classID]?.name ?? "")' is \(ends.1.type.displayName): only values of one type can be joined",
          text: pair.left.text)
      }
      keys.append(Key(left: ends.0, right: ends.1))
    }
    self.keys = keys
  }

  /// The objects of pairs; `ObjectKey` of none is nil.
  package struct Pairs: Sendable {
    package let left: [ObjectKey]
    package let right: [ObjectKey?]
  }

  /// The pairs, in the order of the left query and, of one object, of the right: 16 bytes each.
  package func pairs(in reader: any StoreReader) throws -> Pairs {
    let found = try pairs(GroupRun(reader, nil))
    return Pairs(
      left: found.left.map { ObjectKey(rawValue: $0) },
      right: found.right.map { $0 == noKey ? nil : ObjectKey(rawValue: $0) })
  }

  /// Finds the pairs once and says how.
  package func explain(in reader: any StoreReader) throws -> ExplainedPlan {
    let run = GroupRun(reader, PlanRecorder())
    _ = try pairs(run)
    return ExplainedPlan(root: run.recorder?.roots.last ?? PlanNode(.join, "nothing"), counters: run.counters)
  }
}

extension ResultsJoin {
  /// Up to how many different values of the left side the right one is asked for by value, which an index may answer.
  private static let fewValues = 256

  func pairs(_ run: GroupRun) throws -> (left: [UInt64], right: [UInt64]) {
    try run.record(PlanNode(.join, text(run.reader.schema)), rows: { $0.left.count }) {
      let leftKeys = try run.keys(left).map(\.rawValue)
      let leftValues = try keys.map { try JoinColumn(run.context, left.classID, $0.left, leftKeys) }
      let rightKeys = try run.keys(narrowed(leftValues)).map(\.rawValue)
      let rightValues = try keys.map { try JoinColumn(run.context, right.classID, $0.right, rightKeys) }
      return paired(leftKeys, leftValues, rightKeys, rightValues)
    }
  }

  /// The right query with a condition that its partners meet, where the left side has few values: then an index may find them.
  private func narrowed(_ columns: [JoinColumn]) -> ResultsQuery {
    for (key, column) in zip(keys, columns) {
      guard case .path(let path) = key.right, path.links.isEmpty, IndexRequest.isIndexable(path.type),
        let values = column.values(atMost: Self.fewValues)
      else { continue }
      return right.filtered(.value(path.column, ValueTest(path.type, .in, values)))
    }
    return right
  }

  private func paired(
    _ leftKeys: [UInt64], _ leftColumns: [JoinColumn], _ rightKeys: [UInt64], _ rightColumns: [JoinColumn]
  ) -> (left: [UInt64], right: [UInt64]) {
    let numbers = JoinNumbers(leftColumns, rightColumns, leftKeys.count, rightKeys.count)
    // The right objects by their number, each number's in their order.
    var starts = [Int](repeating: 0, count: numbers.count + 1)
    for number in numbers.right where number >= 0 { starts[Int(number) + 1] += 1 }
    for index in 1..<max(1, starts.count) { starts[index] += starts[index - 1] }
    var next = starts
    var ordered = [UInt64](repeating: noKey, count: starts.last ?? 0)
    for (position, number) in numbers.right.enumerated() where number >= 0 {
      ordered[next[Int(number)]] = rightKeys[position]
      next[Int(number)] += 1
    }
    var (lefts, rights) = ([UInt64](), [UInt64]())
    for (position, number) in numbers.left.enumerated() {
      let partners = number < 0 ? 0..<0 : starts[Int(number)]..<starts[Int(number) + 1]
      for place in partners {
        lefts.append(leftKeys[position])
        rights.append(ordered[place])
      }
      if partners.isEmpty, kind == .left {
        lefts.append(leftKeys[position])
        rights.append(noKey)
      }
    }
    return (lefts, rights)
  }

  /// Returns the plan's text about the join.
  private func text(_ schema: StoreSchema) -> String {
    let names = PredicateDescription(schema: schema)
    let (first, second) = (names.className(left.classID), names.className(right.classID))
    let equal = keys.map {
      GroupSource.qualified(names.text($0.left, left.classID), by: first) + " == "
        + GroupSource.qualified(names.text($0.right, right.classID), by: second)
    }
    return "\(kind == .left ? "left " : "")join by hash on \(equal.joined(separator: " and "))"
  }
}

/// The values of one key of a join for the objects of one side; nil and NaN equal nothing.
private struct JoinColumn {
  private let numbers: [Int32]
  private let known: DistinctValues
  private let isNone: [Bool]

  init(_ context: ExecutionContext, _ classID: ClassID, _ target: SortTarget, _ objects: [UInt64]) throws {
    var values = DistinctValues()
    let side = Grouping.Side(classID: classID, objects: objects)
    numbers = try GroupColumn(context, target, side, isShared: false).numbers(&values)
    isNone = values.all.map { $0.isNull || ValueOrder.isNaN($0) }
    known = values
  }

  /// The different values, if they are few.
  func values(atMost most: Int) -> [StoredValue]? {
    guard known.all.count <= most else { return nil }
    return zip(known.all, isNone).filter { !$0.1 }.map(\.0)
  }

  /// The number of an object's value here; -1 for one that equals nothing.
  func number(_ position: Int) -> Int32 { isNone[Int(numbers[position])] ? -1 : numbers[position] }

  /// For each value here its number in another column, or -1.
  func translated(to other: JoinColumn) -> [Int32] {
    zip(known.all, isNone).map { value, isNone in isNone ? -1 : other.known.known(value) ?? -1 }
  }

  func number(_ position: Int, by translation: [Int32]) -> Int32 { translation[Int(numbers[position])] }
}

/// One number for all values of an object that have to be equal: the same on both sides, or -1.
private struct JoinNumbers {
  private(set) var left: [Int32]
  private(set) var right: [Int32]
  private(set) var count = 1

  init(_ leftColumns: [JoinColumn], _ rightColumns: [JoinColumn], _ leftCount: Int, _ rightCount: Int) {
    left = Array(repeating: 0, count: leftCount)
    right = Array(repeating: 0, count: rightCount)
    for (leftColumn, rightColumn) in zip(leftColumns, rightColumns) {
      var known: [UInt64: Int32] = [:]
      for position in right.indices {
        guard let pair = Self.pair(right[position], rightColumn.number(position)) else {
          right[position] = -1
          continue
        }
        let number = known[pair] ?? Int32(known.count)
        known[pair] = number
        right[position] = number
      }
      let translation = leftColumn.translated(to: rightColumn)
      for position in left.indices {
        let pair = Self.pair(left[position], leftColumn.number(position, by: translation))
        left[position] = pair.flatMap { known[$0] } ?? -1
      }
      count = known.count
    }
  }

  private static func pair(_ first: Int32, _ second: Int32) -> UInt64? {
    guard first >= 0, second >= 0 else { return nil }
    return UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: second))
  }
}
