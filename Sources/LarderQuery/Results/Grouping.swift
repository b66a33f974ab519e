import LarderStorage

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
    let keys = targets.map { GroupKey($0) }
    let groups = try GroupQuery(.objects(self), by: keys, aggregates).groups(in: reader)
    return keys.isEmpty ? groups.filter { $0.count > 0 } : groups
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
}

/// Sorts rows into groups, and works out something over each: column by column, without making objects.
struct Grouping {
  /// One side of the rows: a class, and for each row its object, or `noKey`.
  struct Side {
    var classID: ClassID
    var objects: [UInt64]
  }

  let context: ExecutionContext
  let sides: [Side]

  /// The number of rows.
  var rows: Int { sides[0].objects.count }

  /// Numbers of the groups by row, and the values of each group.
  struct Numbering {
    var numbers: [Int32]
    var values: [[StoredValue]]
  }

  /// The groups in the order of their values; without keys one group of all rows.
  func groups(by keys: [GroupKey], _ aggregates: [GroupAggregate]) throws -> [ResultsGroup] {
    guard rows > 0 || keys.isEmpty else { return [] }
    var numbering = Numbering(numbers: Array(repeating: 0, count: rows), values: [[]])
    for key in keys { numbering = Self.combined(numbering, try self.numbering(key)) }
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
  private func numbering(_ key: GroupKey) throws -> Numbering {
    var values = DistinctValues()
    let numbers = try column(key.target, key.side).numbers(&values)
    return Numbering(numbers: numbers, values: values.all.map { [$0] })
  }

  private func column(_ target: SortTarget, _ side: Int) throws -> GroupColumn {
    try GroupColumn(context, target, sides[side], isShared: sides.count > 1)
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
    let (type, column) = (aggregate.type, try column(aggregate.target, aggregate.side))
    guard aggregate.operation.isAvailable(for: type) else {
      throw PredicateError(
        .unsupportedAggregate,
        "\(aggregate.operation.name) is not available for \(type.displayName) values", text: "")
    }
    if aggregate.operation == .distinct {
      var values = DistinctValues()
      let seen = try column.numbers(&values)
      return Self.distinct(numbers, seen, values.all, groups.count)
    }
    guard let plain = aggregate.operation.aggregate else {
      guard case .percentile(let rank) = aggregate.operation else { return [] }
      var percentiles = GroupPercentiles(groups.map(\.count), rank, type)
      try column.forEachValue { percentiles.add($1, to: Int(numbers[$0])) }
      return percentiles.results()
    }
    switch type {
    case .int, .float, .double:
      var folds = Array(repeating: NumericFold(.init(plain)), count: groups.count)
      try column.forEachValue { folds[Int(numbers[$0])].add($1) }
      return folds.map { $0.answer(plain, type) }
    default:
      var values = [[StoredValue]](repeating: [], count: groups.count)
      try column.forEachValue { values[Int(numbers[$0])].append($1) }
      return values.map { Aggregation(plain, over: $0, of: type).result }
    }
  }

  /// Counts for each group the different values that are neither nil nor NaN.
  private static func distinct(
    _ numbers: [Int32], _ seen: [Int32], _ values: [StoredValue], _ groups: Int
  ) -> [StoredValue] {
    let isNone = values.map { $0.isNull || ValueOrder.isNaN($0) }
    var pairs: Set<UInt64> = []
    var counts = [Int64](repeating: 0, count: groups)
    for (group, value) in zip(numbers, seen) where !isNone[Int(value)] {
      let pair = UInt64(UInt32(bitPattern: group)) << 32 | UInt64(UInt32(bitPattern: value))
      if pairs.insert(pair).inserted { counts[Int(group)] += 1 }
    }
    return counts.map { .int($0) }
  }
}

/// Numbers for values, the same for equal ones.
struct DistinctValues {
  private(set) var all: [StoredValue] = []
  private var numbers: [StoredValue: Int32] = [:]
  /// The numbers of small integers, such as hours and counts; -1 for those that have none yet.
  private var small: [Int32] = []

  mutating func number(of value: StoredValue) -> Int32 {
    guard case .int(let integer) = value, 0..<Self.smallLimit ~= integer else { return anyNumber(of: value) }
    if small.isEmpty { small = Array(repeating: -1, count: Int(Self.smallLimit)) }
    let known = small[Int(integer)]
    if known >= 0 { return known }
    let number = anyNumber(of: value)
    small[Int(integer)] = number
    return number
  }

  private static let smallLimit: Int64 = 4096

  private mutating func anyNumber(of value: StoredValue) -> Int32 {
    let canonical = Distinct.canonical(value)
    if let known = numbers[canonical] { return known }
    let number = Int32(all.count)
    numbers[canonical] = number
    all.append(value)
    return number
  }

  /// The number of a value that has one.
  func known(_ value: StoredValue) -> Int32? { numbers[Distinct.canonical(value)] }
}
