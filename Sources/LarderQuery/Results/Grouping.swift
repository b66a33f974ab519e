import LarderStorage

/// One number or value over the objects of a group.
package struct GroupAggregate: Hashable, Sendable {
  package var operation: AggregateOperator
  /// To-one links that lead from the objects to those that have the property.
  package var links: [LinkStep]
  /// The property; not asked for `.count`.
  package var column: ColumnID

  package init(_ operation: AggregateOperator, _ column: ColumnID, over links: [LinkStep] = []) {
    self.operation = operation
    self.links = links
    self.column = column
  }
}

/// The objects of a query that have the same values.
package struct ResultsGroup: Hashable, Sendable {
  /// The values they have in common, one for each path that was grouped by.
  package var keys: [StoredValue]
  /// Number of objects.
  package var count: Int
  /// One for each aggregate that was asked for, by the rules of aggregates over results.
  package var values: [StoredValue]
}

extension ResultsQuery {
  /// The groups of results that have equal values, in the order of these, nil first (U-16).
  ///
  /// Nil is a value like any other, and so is a nil link on a path. Reads each column in its leaves, in time of the objects.
  /// - Throws: `PredicateError` (`unsupportedAggregate`) for aggregates of other types than numbers and dates.
  package func grouped(
    by targets: [SortTarget], _ aggregates: [GroupAggregate], in reader: any StoreReader
  ) throws -> [ResultsGroup] {
    var query = self
    // An order that nothing hangs on.
    if query.steps.allSatisfy(\.isOnlyOrder) { query.steps = [] }
    let run = try ResultsRun(query, reader, .planned)
    return try Grouping(run.context, query.classID, try run.keys()).groups(by: targets, aggregates)
  }
}

extension ResultsQuery {
  /// Resolves the paths that objects are grouped by. Throws `PredicateError`.
  package func groupTargets(
    _ keyPaths: [String], schema: StoreSchema, naming: PropertyNaming = .stored
  ) throws(PredicateError) -> [SortTarget] {
    guard !keyPaths.isEmpty else {
      throw PredicateError(.unsupportedSort, "Objects are grouped by at least one property", text: "")
    }
    var targets: [SortTarget] = []
    for keyPath in keyPaths {
      targets.append(try Binder(schema: schema, naming: naming).groupPath(keyPath, in: classID))
    }
    return targets
  }

  /// Resolves what is worked out over a group: a property, also over to-one links. Throws `PredicateError`.
  package func groupAggregate(
    _ keyPath: String, _ operation: AggregateOperator, schema: StoreSchema
  ) throws(PredicateError) -> GroupAggregate {
    guard keyPath.contains(".") else {
      return GroupAggregate(operation, try aggregateColumn(keyPath, operation, schema: schema).id)
    }
    let target = try Binder(schema: schema).aggregatePath(keyPath, in: classID)
    guard case .path(let path) = target, operation.isAvailable(for: path.type) else {
      throw PredicateError(
        .unsupportedAggregate, "\(operation.rawValue.dropFirst()) is not available for '\(keyPath)'", text: keyPath)
    }
    return GroupAggregate(operation, path.column, over: path.links)
  }
}

/// Sorts objects into groups, and works out something over each.
private struct Grouping {
  private let context: ExecutionContext
  private let classID: ClassID
  private let objects: [UInt64]

  init(_ context: ExecutionContext, _ classID: ClassID, _ keys: [ObjectKey]) {
    self.context = context
    self.classID = classID
    objects = keys.map(\.rawValue)
  }

  /// Numbers of the groups by object, and the values of each group.
  private struct Numbering {
    var numbers: [Int32]
    var values: [[StoredValue]]
  }

  func groups(by targets: [SortTarget], _ aggregates: [GroupAggregate]) throws -> [ResultsGroup] {
    guard !objects.isEmpty else { return [] }
    var numbering = Numbering(numbers: Array(repeating: 0, count: objects.count), values: [[]])
    for target in targets { numbering = Self.combined(numbering, try self.numbering(target)) }
    var groups = numbering.values.map { ResultsGroup(keys: $0, count: 0, values: []) }
    for number in numbering.numbers { groups[Int(number)].count += 1 }
    for aggregate in aggregates {
      let values = try values(aggregate, numbering.numbers, groups)
      for index in groups.indices { groups[index].values.append(values[index]) }
    }
    return groups.sorted { a, b in
      for (left, right) in zip(a.keys, b.keys) {
        let order = ValueOrder.compare(left, right)
        if order != 0 { return order < 0 }
      }
      return false
    }
  }

  // MARK: - Numbers of groups

  /// Groups by one path.
  private func numbering(_ target: SortTarget) throws -> Numbering {
    var values = DistinctValues()
    guard case .path(let path) = target else {
      let evaluator = RowEvaluator(context.reader)
      let numbers = try objects.map {
        values.number(of: try evaluator.sortValue(target, classID, ObjectKey(rawValue: $0)).value)
      }
      return Numbering(numbers: numbers, values: values.all.map { [$0] })
    }
    var (owner, ends) = (classID, objects)
    for link in path.links {
      ends = try context.follow(link, owner, ends)
      owner = link.target
    }
    let access = try ColumnAccess(context, owner, path.column)
    guard !path.links.isEmpty else {
      let numbers = try ends.map { values.number(of: try access.value($0)) }
      return Numbering(numbers: numbers, values: values.all.map { [$0] })
    }
    // Many objects link to one: its value is looked at once.
    var known: [UInt64: Int32] = [:]
    let numbers = try ends.map { end in
      if let number = known[end] { return number }
      let number = values.number(of: end == noKey ? .null : try access.value(end))
      known[end] = number
      return number
    }
    return Numbering(numbers: numbers, values: values.all.map { [$0] })
  }

  private struct DistinctValues {
    private(set) var all: [StoredValue] = []
    private var numbers: [StoredValue: Int32] = [:]

    mutating func number(of value: StoredValue) -> Int32 {
      let canonical = Distinct.canonical(value)
      if let known = numbers[canonical] { return known }
      let number = Int32(all.count)
      numbers[canonical] = number
      all.append(value)
      return number
    }
  }

  /// Groups by what both tell apart.
  private static func combined(_ first: Numbering, _ second: Numbering) -> Numbering {
    if first.values.count == 1 {
      return Numbering(numbers: second.numbers, values: second.values.map { first.values[0] + $0 })
    }
    var result = Numbering(numbers: [], values: [])
    result.numbers.reserveCapacity(first.numbers.count)
    var known: [UInt64: Int32] = [:]
    for (a, b) in zip(first.numbers, second.numbers) {
      let pair = UInt64(UInt32(bitPattern: a)) << 32 | UInt64(UInt32(bitPattern: b))
      if let number = known[pair] {
        result.numbers.append(number)
      } else {
        let number = Int32(result.values.count)
        known[pair] = number
        result.values.append(first.values[Int(a)] + second.values[Int(b)])
        result.numbers.append(number)
      }
    }
    return result
  }

  // MARK: - Aggregates

  /// The value of each group.
  private func values(
    _ aggregate: GroupAggregate, _ numbers: [Int32], _ groups: [ResultsGroup]
  ) throws -> [StoredValue] {
    if aggregate.operation == .count { return groups.map { .int(Int64($0.count)) } }
    var (owner, ends) = (classID, objects)
    for link in aggregate.links {
      ends = try context.follow(link, owner, ends)
      owner = link.target
    }
    let column = try context.reader.descriptor(owner, aggregate.column)
    guard column.collection == .none, aggregate.operation.isAvailable(for: column.type) else {
      throw PredicateError(
        .unsupportedAggregate,
        "\(aggregate.operation.rawValue.dropFirst()) is not available for the property '\(column.name)'", text: "")
    }
    let access = try ColumnAccess(context, owner, column.id)
    func value(_ end: UInt64) throws -> StoredValue { end == noKey ? .null : try access.value(end) }
    switch column.type {
    case .int, .float, .double:
      var folds = Array(repeating: NumericFold(.init(aggregate.operation)), count: groups.count)
      for (position, end) in ends.enumerated() {
        folds[Int(numbers[position])].add(try value(end))
      }
      return folds.map { $0.answer(aggregate.operation, column.type) }
    default:
      var values = [[StoredValue]](repeating: [], count: groups.count)
      for (position, end) in ends.enumerated() {
        values[Int(numbers[position])].append(try value(end))
      }
      return values.map { Aggregation(aggregate.operation, over: $0, of: column.type).result }
    }
  }
}

extension AggregateOperator {
  /// Whether values of the type can be aggregated so.
  func isAvailable(for type: ColumnType) -> Bool {
    switch type {
    case .int, .float, .double, .decimal128, .mixed: true
    case .date: self == .min || self == .max
    default: self == .count
    }
  }
}
