import LarderStorage

/// An index over several properties: values of the first ones, then perhaps a range of the next.
struct CompositeIndexPath: AccessPath {
  let context: ExecutionContext
  let classID: ClassID
  let index: CompositeIndexView
  /// Values of the first columns, one for each way to combine those that are asked for.
  let prefixes: [[StoredValue]]
  let range: (lower: IndexBound, upper: IndexBound)?
  let answers: [Int]
  let estimate: Int

  var cost: Double {
    let isSorted = prefixes.count == 1 && range == nil && prefixes[0].count == index.columns.count
    return Double(prefixes.count) * PlanCost.seek + Double(estimate) * (isSorted ? PlanCost.key : PlanCost.sortedKey)
  }

  var node: PlanNode { PlanNode(.compositeIndex, "index \(text)", estimate: estimate) }

  private var text: String {
    let used = prefixes.first?.count ?? 0
    let names = index.columns.map(\.name).joined(separator: ", ")
    let values =
      prefixes.count == 1
      ? prefixes[0].map(\.shortDescription).joined(separator: ", ")
      : "\(prefixes.count) times \(used) values"
    let range = range.map { " with \(index.columns[used].name) \(IndexRequest.range($0.lower, $0.upper).text)" } ?? ""
    return "(\(names)) == (\(values))\(range)"
  }

  func find() throws -> [ObjectKey] {
    context.counters.indexSeeks += prefixes.count
    var keys: [ObjectKey] = []
    for prefix in prefixes {
      if let range {
        keys += try index.keys(equalTo: prefix, from: range.lower, to: range.upper)
      } else {
        keys += try index.keys(equalTo: prefix)
      }
    }
    context.counters.indexEntries += keys.count
    return try context.ascending(keys, classID)
  }

  func count() throws -> Int? {
    // Bounds may count too many where values are cut.
    if range != nil { return nil }
    context.counters.indexSeeks += prefixes.count
    return try prefixes.reduce(0) { $0 + (try index.count(equalTo: $1)) }
  }
}

/// Offers the indexes over several properties.
enum CompositeIndexes: AccessSource {
  /// No more combinations of values are looked up one by one.
  private static let combinations = 256

  static func paths(for conditions: Conditions, _ context: ExecutionContext) throws -> [any AccessPath] {
    guard let entry = context.reader.schema[conditions.classID], !entry.indexes.isEmpty else { return [] }
    return try entry.indexes.compactMap { try path($0, conditions, context) }
  }

  private static func path(
    _ descriptor: IndexDescriptor, _ conditions: Conditions, _ context: ExecutionContext
  ) throws -> CompositeIndexPath? {
    var prefixes: [[StoredValue]] = [[]]
    var answers: [Int] = []
    var range: (lower: IndexBound, upper: IndexBound)?
    columns: for column in descriptor.columns {
      switch IndexRequest.combined(conditions.tests(of: column)) {
      case (.equal(let values), let positions)? where prefixes.count * values.count <= combinations:
        prefixes = prefixes.flatMap { prefix in values.map { prefix + [$0] } }
        answers += positions
      case (.range(let lower, let upper), let positions)?:
        range = (lower, upper)
        answers += positions
        break columns
      default: break columns
      }
    }
    guard !answers.isEmpty, let index = try context.reader.index(conditions.classID, composite: descriptor.id) else {
      return nil
    }
    // The index of an encrypted store knows values of all columns together only.
    guard index.isOrdered || (range == nil && prefixes.allSatisfy { $0.count == index.columns.count }) else {
      return nil
    }
    context.counters.indexSeeks += prefixes.count
    let limit = conditions.objects / 4
    var estimate = 0
    for prefix in prefixes where estimate <= limit {
      if let range {
        estimate += try index.count(equalTo: prefix, from: range.lower, to: range.upper, limit: limit)
      } else {
        estimate += try index.count(equalTo: prefix)
      }
    }
    return CompositeIndexPath(
      context: context, classID: conditions.classID, index: index, prefixes: prefixes, range: range, answers: answers,
      estimate: estimate > limit ? conditions.objects : estimate)
  }
}
