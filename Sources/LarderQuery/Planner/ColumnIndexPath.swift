import LarderStorage

/// The index of one property, secondary or of the primary key.
struct ColumnIndexPath: AccessPath {
  let context: ExecutionContext
  let classID: ClassID
  let column: ColumnDescriptor
  let index: any IndexReading
  let request: IndexRequest
  let answers: [Int]
  let estimate: Int

  var cost: Double {
    switch request {
    case .equal(let values):
      Double(values.count) * PlanCost.seek + Double(estimate) * (values.count > 1 ? PlanCost.sortedKey : PlanCost.key)
    case .range: PlanCost.seek + Double(estimate) * PlanCost.sortedKey
    }
  }

  var node: PlanNode { PlanNode(.index, "index \(column.name) \(request.text)", estimate: estimate) }

  func find() throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    switch request {
    case .equal(let values):
      context.counters.indexSeeks += values.count
      for value in values {
        let found = try index.keys(equalTo: value)
        if values.count == 1 { keys = found } else { keys += found }
      }
      context.counters.indexEntries += keys.count
      return values.count == 1 ? keys : try context.ascending(keys, classID)
    case .range(let lower, let upper):
      context.counters.indexSeeks += 1
      keys = try index.keys(from: lower, to: upper)
      context.counters.indexEntries += keys.count
      return try context.ascending(keys, classID)
    }
  }

  func count() throws -> Int? {
    switch request {
    case .equal(let values):
      context.counters.indexSeeks += values.count
      return try values.reduce(0) { $0 + (try index.count(equalTo: $1)) }
    case .range(let lower, let upper):
      context.counters.indexSeeks += 1
      return try index.count(from: lower, to: upper)
    }
  }
}

/// Offers the indexes of single properties.
enum ColumnIndexes: AccessSource {
  /// Of more values than this, a sample is counted.
  private static let sample = 32

  static func paths(for conditions: Conditions, _ context: ExecutionContext) throws -> [any AccessPath] {
    var seen: [ColumnID] = []
    var paths: [any AccessPath] = []
    for condition in conditions.all {
      guard case .value(let id, _) = condition, !seen.contains(id) else { continue }
      seen.append(id)
      let column = try context.reader.descriptor(conditions.classID, id)
      guard column.hasIndex, IndexRequest.isIndexable(column.type),
        let (request, answers) = IndexRequest.combined(conditions.tests(of: id)),
        let index = try context.reader.index(conditions.classID, id), request.isAnswered(by: index)
      else { continue }
      paths.append(
        ColumnIndexPath(
          context: context, classID: conditions.classID, column: column, index: index, request: request,
          answers: answers, estimate: try estimate(request, index, column, conditions, context)))
    }
    return paths
  }

  private static func estimate(
    _ request: IndexRequest, _ index: any IndexReading, _ column: ColumnDescriptor, _ conditions: Conditions,
    _ context: ExecutionContext
  ) throws -> Int {
    switch request {
    case .equal(let values):
      if column.isPrimaryKey { return min(values.count, conditions.objects) }
      let step = max(1, values.count / sample)
      var (total, asked) = (0, 0)
      for position in stride(from: 0, to: values.count, by: step) {
        total += try index.count(equalTo: values[position])
        asked += 1
      }
      context.counters.indexSeeks += asked
      return asked == 0 ? 0 : min(conditions.objects, total * values.count / asked)
    case .range(let lower, let upper):
      context.counters.indexSeeks += 1
      // Beyond a quarter of the objects no index pays, so that it does not matter how many there are.
      let limit = conditions.objects / 4
      let count = try index.count(from: lower, to: upper, limit: limit)
      return count > limit ? conditions.objects : count
    }
  }
}
