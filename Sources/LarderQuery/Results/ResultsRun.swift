import LarderStorage

/// One evaluation of a query.
struct ResultsRun {
  let query: ResultsQuery
  let context: ExecutionContext
  let mode: ResultsQuery.Mode

  init(_ query: ResultsQuery, _ reader: any StoreReader, _ mode: ResultsQuery.Mode) throws {
    if query.looksBeyondRows { try reader.settle() }
    let mode = HostileSettings.current.contains(.rowByRow) && mode == .planned ? .rowByRow : mode
    var query = query
    if mode != .rowByRow { query.predicate = query.predicate?.merged }
    self.query = query
    self.context = Planner.context(reader)
    context.avoidsScans = mode == .indexed
    self.mode = mode
  }

  var reader: any StoreReader { context.reader }

  func keys(limit: Int = .max) throws -> [ObjectKey] { try keys(through: query.steps.count - 1, limit: limit) }

  /// The first `limit` objects after a step and all before it.
  private func keys(through index: Int, limit: Int) throws -> [ObjectKey] {
    guard index >= 0 else { return try matching(limit: limit) }
    let step = query.steps[index]
    return try context.record(context.names.node(step, query.classID), rows: { $0.count }) {
      if index == 0, case .sort(let sortKeys) = step, let sorted = try sortedByIndex(sortKeys, limit: limit) {
        return sorted
      }
      if index == 0, case .sort(let sortKeys) = step, let sorted = try sortedByScan(sortKeys, limit: limit) {
        return sorted
      }
      if index == 0, case .distinct(let paths) = step, let first = try distinctByScan(paths, limit: limit) {
        return first
      }
      if case .after(let position) = step {
        return try self.keys(behind: position, sortKeys(before: index), limit: limit) {
          try self.keys(through: index - 1, limit: $0)
        }
      }
      let keys = try apply(step, try keys(through: index - 1, limit: Self.needed(by: step, limit)), limit: limit)
      return keys.count > limit ? Array(keys.prefix(limit)) : keys
    }
  }

  /// The keys with their words by what they are sorted by, where that is read for the sort.
  func keysWithPrefixes() throws -> (keys: [ObjectKey], prefixes: [UInt64]) {
    guard mode != .rowByRow, query.steps.count == 1, case .sort(let sortKeys) = query.steps[0] else {
      return (try keys(), [])
    }
    if let sorted = try sortedByIndex(sortKeys, limit: .max) { return (sorted, []) }
    return try Sorter(context, query.classID, sortKeys).applyWithPrefixes(try matching(limit: .max))
  }

  /// The order in which a step finds the objects; none: that of keys.
  private func sortKeys(before index: Int) -> [SortKey] {
    if index > 0, case .sort(let sortKeys) = query.steps[index - 1] { sortKeys } else { [] }
  }

  /// Returns the number of objects that a step needs for its first `limit` results.
  private static func needed(by step: ResultsStep, _ limit: Int) -> Int {
    switch step {
    case .limit(let count): return min(count, limit)
    case .offset(let count):
      let (sum, overflows) = limit.addingReportingOverflow(count)
      return overflows ? .max : sum
    case .sort, .relevance, .distinct, .after, .filter: return .max
    }
  }

  private func apply(_ step: ResultsStep, _ keys: [ObjectKey], limit: Int) throws -> [ObjectKey] {
    switch step {
    case .limit(let count): return keys.count > count ? Array(keys.prefix(count)) : keys
    case .offset(let count): return Array(keys.dropFirst(count))
    case .filter(let condition):
      let evaluator = RowEvaluator(reader)
      return try keys.filter { key in
        try context.interruption?.check()
        return try evaluator.matches(condition, query.classID, key)
      }
    case .after: return keys
    case .relevance:
      return try Relevance(context, query.classID, query.predicate, usesIndexes: mode != .rowByRow).apply(keys)
    case .distinct(let paths):
      if let column = try distinctColumn(paths, limit: limit) { return try column.apply(keys) }
      return try Distinct(reader, query.classID, paths).apply(keys, limit: limit)
    case .sort(let sortKeys):
      return mode == .rowByRow
        ? try SlowSort(reader, query.classID, sortKeys).apply(keys)
        : try Sorter(context, query.classID, sortKeys).apply(keys, limit: limit)
    }
  }

  /// The matching objects in the order of an index; nil where that is of no use.
  private func sortedByIndex(_ sortKeys: [SortKey], limit: Int) throws -> [ObjectKey]? {
    guard mode != .rowByRow, case .objects(let classID) = query.source,
      let index = try SortedIndex.find(sortKeys, query.predicate, classID, context)
    else { return nil }
    return try IndexedSort(context: context, index: index, predicate: query.predicate, sortKeys: sortKeys)
      .keys(limit: limit)
  }

  /// The first of the matching objects, sorted, where they are few and nothing else needs the keys of all; nil where it does, or where these
  /// are to be counted for an explanation.
  private func sortedByScan(_ sortKeys: [SortKey], limit: Int) throws -> [ObjectKey]? {
    guard mode != .rowByRow, context.recorder == nil, case .objects(let classID) = query.source,
      let first = FirstSorted(Sorter(context, classID, sortKeys), limit: limit)
    else { return nil }
    return try first.apply(try scan(classID))
  }

  /// The scan that finds just the matching objects of a class.
  private func scan(_ classID: ClassID) throws -> Scan {
    guard let predicate = query.predicate else { return Scan(context: context, classID: classID, kernel: nil) }
    return try Planner(context).select(predicate, classID).scan()
  }

  /// Returns the reader of the column that objects are made distinct by; nil where it is not one alone.
  private func distinctColumn(_ paths: [SortTarget], limit: Int) throws -> DistinctColumn? {
    guard mode != .rowByRow, paths.count == 1, case .path(let path)? = paths.first else { return nil }
    return try DistinctColumn(context, query.classID, path, limit: limit)
  }

  /// The first object of each value among the matching ones, whose keys nothing else needs; nil where their keys are needed, or to be
  /// counted for an explanation.
  private func distinctByScan(_ paths: [SortTarget], limit: Int) throws -> [ObjectKey]? {
    guard context.recorder == nil, case .objects(let classID) = query.source,
      let column = try distinctColumn(paths, limit: limit)
    else { return nil }
    return try column.apply(try scan(classID))
  }

  /// Number of results. Sorts change nothing, limits only cut.
  func count() throws -> Int {
    guard
      query.steps.allSatisfy({
        switch $0 {
        case .sort, .relevance, .limit, .offset: true
        case .distinct, .after, .filter: false
        }
      })
    else { return try keys().count }
    return query.steps.reduce(try matchingCount()) { count, step in
      switch step {
      case .limit(let limit): min(count, limit)
      case .offset(let offset): max(0, count - offset)
      default: count
      }
    }
  }

  // MARK: - Source and filter

  private func matchingCount() throws -> Int {
    guard mode != .rowByRow, case .objects(let classID) = query.source else { return try matching(limit: .max).count }
    guard let predicate = query.predicate else { return try reader.count(of: classID) }
    return try Planner(context).select(predicate, classID).count()
  }

  /// The matching objects in base order.
  func matching(limit: Int) throws -> [ObjectKey] {
    guard case .objects(let classID) = query.source else {
      return try context.record(context.names.node(query), rows: { $0.count }) { try matchingInSource() }
    }
    return try matching(classID, limit: limit)
  }

  private func matchingInSource() throws -> [ObjectKey] {
    switch query.source {
    case .objects: return []
    case .keys(let classID, let keys): return try filter(keys, classID)
    case .list(let owner, let column, let elements):
      guard try reader.contains(owner.classID, owner.key) else { return [] }
      var keys: [ObjectKey] = []
      let list = try reader.elements(owner.classID, column, owner.key)
      keys.reserveCapacity(list.count)
      try list.forEachChunk { _, leaf in
        for slot in 0..<leaf.count { if let key = leaf.link(slot) { keys.append(key) } }
        return true
      }
      return try filter(keys, elements)
    case .backlinks(let target, let origin, let column):
      let keys = try reader.backlinks(to: target, from: origin, column)
      return query.predicate == nil ? keys : try filter(keys, origin)
    }
  }

  private func matching(_ classID: ClassID, limit: Int) throws -> [ObjectKey] {
    guard mode != .rowByRow, let predicate = query.predicate else {
      let live = try context.record(context.names.node(query), rows: { $0.count }) {
        try Scan(context: context, classID: classID, kernel: nil).keys(limit: query.predicate == nil ? limit : .max)
      }
      guard let predicate = query.predicate else { return live }
      let evaluator = RowEvaluator(reader)
      return try live.filter { try evaluator.matches(predicate, classID, $0) }
    }
    return try Planner(context).select(predicate, classID, limit: limit).keys(limit: limit)
  }

  /// Keeps order and duplicates; drops objects that are deleted.
  private func filter(_ keys: [ObjectKey], _ classID: ClassID) throws -> [ObjectKey] {
    if mode == .rowByRow {
      let evaluator = RowEvaluator(reader)
      return try keys.filter { key in
        guard try reader.contains(classID, key) else { return false }
        return try query.predicate.map { try evaluator.matches($0, classID, key) } ?? true
      }
    }
    let kernel = try query.predicate.map { try KernelCompiler(context: context).compile($0, classID) }
    let scan = Scan(context: context, classID: classID, kernel: kernel, candidates: ExecutionContext.merged(keys))
    let matching = try scan.keys()
    if matching.count == keys.count { return keys }
    let set = Set(matching)
    return keys.filter { set.contains($0) }
  }
}
