import LarderStorage

extension ResultsQuery {
  /// The keys of the results in order, at most `limit` of them.
  package func keys(in reader: any StoreReader, limit: Int = .max, mode: Mode = .planned) throws -> [ObjectKey] {
    try ResultsRun(self, reader, mode).keys(limit: limit)
  }

  /// Number of results; counts bits where nothing needs the keys.
  package func count(in reader: any StoreReader, mode: Mode = .planned) throws -> Int {
    if mode == .planned, let wanted = try indexed(in: reader) { return try wanted.index.count(equalTo: wanted.value) }
    return try ResultsRun(self, reader, mode).count()
  }

  /// The first result; stops at it where there is no sort.
  package func first(in reader: any StoreReader) throws -> ObjectKey? {
    if let wanted = try indexed(in: reader) { return try wanted.index.firstKey(equalTo: wanted.value) }
    return try keys(in: reader, limit: 1).first
  }

  /// The index that answers the whole query without a plan: an indexed column equals one value.
  private func indexed(in reader: any StoreReader) throws -> (index: any IndexReading, value: StoredValue)? {
    guard steps.isEmpty, case .objects(let classID) = source, case .value(let column, let test)? = predicate,
      test.operation == .equal, test.options.isEmpty, Planner.isIndexable(test.type), let value = test.values.first,
      let index = try reader.index(classID, column)
    else { return nil }
    return (index, value)
  }

  /// Whether an object satisfies the filter; the source and the steps are not asked. False for a missing object.
  package func matches(_ key: ObjectKey, in reader: any StoreReader) throws -> Bool {
    guard try reader.contains(classID, key) else { return false }
    guard let predicate else { return true }
    return try RowOracle(reader).matches(predicate, classID, key)
  }
}

/// One evaluation of a query.
struct ResultsRun {
  let query: ResultsQuery
  let context: ExecutionContext
  let mode: ResultsQuery.Mode

  init(_ query: ResultsQuery, _ reader: any StoreReader, _ mode: ResultsQuery.Mode) {
    self.query = query
    self.context = Planner.context(reader)
    self.mode = mode
  }

  var reader: any StoreReader { context.reader }

  func keys(limit: Int = .max) throws -> [ObjectKey] {
    var keys = try matching(limit: query.steps.isEmpty ? limit : .max)
    for (index, step) in query.steps.enumerated() {
      keys = try apply(step, keys, limit: self.limit(after: index, limit))
    }
    return keys.count > limit ? Array(keys.prefix(limit)) : keys
  }

  /// How many results of a step the following ones can make use of.
  private func limit(after index: Int, _ limit: Int) -> Int {
    guard index + 1 < query.steps.count else { return limit }
    if case .limit(let count) = query.steps[index + 1] { return count }
    return .max
  }

  private func apply(_ step: ResultsStep, _ keys: [ObjectKey], limit: Int) throws -> [ObjectKey] {
    switch step {
    case .limit(let count): return keys.count > count ? Array(keys.prefix(count)) : keys
    case .offset(let count): return Array(keys.dropFirst(count))
    case .filter(let condition):
      let oracle = RowOracle(reader)
      return try keys.filter { try oracle.matches(condition, query.classID, $0) }
    case .distinct(let paths): return try Distinct(reader, query.classID, paths).apply(keys)
    case .sort(let sortKeys):
      return mode == .oracle
        ? try SlowSort(reader, query.classID, sortKeys).apply(keys)
        : try Sorter(context, query.classID, sortKeys).apply(keys, limit: limit)
    }
  }

  func count() throws -> Int {
    if query.steps.allSatisfy({ if case .sort = $0 { true } else { false } }) { return try matchingCount() }
    return try keys().count
  }

  // MARK: - Source and filter

  private func matchingCount() throws -> Int {
    guard mode == .planned, case .objects(let classID) = query.source else { return try matching(limit: .max).count }
    guard let predicate = query.predicate else { return try reader.count(of: classID) }
    let planner = Planner(context)
    if let count = try planner.indexCount(predicate, classID) { return count }
    return try planner.scan(predicate, classID).count()
  }

  /// The matching objects in base order.
  func matching(limit: Int) throws -> [ObjectKey] {
    switch query.source {
    case .objects(let classID): return try matching(classID, limit: limit)
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
    guard mode == .planned, let predicate = query.predicate else {
      let live = try Scan(context: context, classID: classID, kernel: nil).keys(
        limit: query.predicate == nil ? limit : .max)
      guard let predicate = query.predicate else { return live }
      let oracle = RowOracle(reader)
      return try live.filter { try oracle.matches(predicate, classID, $0) }
    }
    return try Planner(context).scan(predicate, classID).keys(limit: limit)
  }

  /// Keeps order and duplicates; drops objects that are gone.
  private func filter(_ keys: [ObjectKey], _ classID: ClassID) throws -> [ObjectKey] {
    if mode == .oracle {
      let oracle = RowOracle(reader)
      return try keys.filter { key in
        guard try reader.contains(classID, key) else { return false }
        return try query.predicate.map { try oracle.matches($0, classID, key) } ?? true
      }
    }
    let kernel = try query.predicate.map { try KernelCompiler(context: context).compile($0, classID) }
    let scan = Scan(context: context, classID: classID, kernel: kernel, candidates: Planner.merged(keys))
    let matching = try scan.keys()
    if matching.count == keys.count { return keys }
    let set = Set(matching)
    return keys.filter { set.contains($0) }
  }
}
