import LarderStorage

/// An index in whose order a stable sort would put the objects of a class.
struct SortedIndex {
  let classID: ClassID
  /// The properties, as explanations name them.
  let text: String
  /// Number of objects that it leads to.
  let entries: Int
  /// The part of the predicate that it leaves open.
  let remaining: BoundPredicate?
  let forEach: (_ body: (ObjectKey) throws -> Bool) throws -> Void

  /// The index that leads to the fewest objects; nil where none has that order.
  static func find(
    _ sortKeys: [SortKey], _ predicate: BoundPredicate?, _ classID: ClassID, _ context: ExecutionContext
  ) throws -> SortedIndex? {
    guard let first = sortKeys.first, let columns = columns(sortKeys) else { return nil }
    let reader = context.reader
    let conditions = Conditions(predicate ?? .and([]), classID, objects: try reader.count(of: classID))
    var found: SortedIndex?
    let descriptor = try reader.descriptor(classID, columns[0])
    // After a primary key no further criterion decides anything.
    if columns.count == 1 || descriptor.isPrimaryKey {
      found = try column(descriptor, descending: !first.isAscending, conditions, context)
    }
    guard sortKeys.allSatisfy({ $0.isAscending == first.isAscending }) else { return found }
    for index in reader.schema[classID]?.indexes ?? [] where index.columns.suffix(columns.count) == columns[...] {
      guard
        let other = try composite(
          index, leading: index.columns.count - columns.count, descending: !first.isAscending, conditions, context)
      else { continue }
      if found.map({ other.entries < $0.entries }) ?? true { found = other }
    }
    return found
  }

  /// The properties of the objects themselves that are sorted by; nil for others, and for orders that no index has.
  private static func columns(_ sortKeys: [SortKey]) -> [ColumnID]? {
    var columns: [ColumnID] = []
    for key in sortKeys {
      guard case .path(let path) = key.target, path.links.isEmpty, IndexRequest.isIndexable(path.type),
        key.collation == .binary || path.type != .string
      else { return nil }
      columns.append(path.column)
    }
    return columns
  }

  private static func column(
    _ column: ColumnDescriptor, descending: Bool, _ conditions: Conditions, _ context: ExecutionContext
  ) throws -> SortedIndex? {
    guard column.hasIndex, let index = try context.reader.index(conditions.classID, column.id), index.isOrdered,
      try hasSortedNumbers(column, index)
    else { return nil }
    var (lower, upper, answers) = (IndexBound.unbounded, IndexBound.unbounded, [Int]())
    switch IndexRequest.combined(conditions.tests(of: column.id)) {
    case nil: break
    case (.range(let low, let high), let positions)?: (lower, upper, answers) = (low, high, positions)
    // Of a few values there is not much to sort.
    case (.equal, _)?: return nil
    }
    let bounds = (lower, upper)
    let withNulls = answers.isEmpty
    return SortedIndex(
      classID: conditions.classID, text: column.name,
      entries: withNulls
        ? conditions.objects : try index.count(from: lower, to: upper, limit: .max),
      remaining: conditions.remaining(without: answers)
    ) { body in
      try index.forEachSorted(
        from: bounds.0, to: bounds.1, withNulls: withNulls, descending: descending, body)
    }
  }

  /// In an index NaN is after infinity, in a sort before all numbers.
  private static func hasSortedNumbers(_ column: ColumnDescriptor, _ index: any IndexReading) throws -> Bool {
    switch column.type {
    case .double: try index.count(equalTo: .double(.nan)) == 0
    case .float: try index.count(equalTo: .float(.nan)) == 0
    default: true
    }
  }

  /// An index over just the sorted columns, after columns that have one value each.
  private static func composite(
    _ descriptor: IndexDescriptor, leading: Int, descending: Bool, _ conditions: Conditions,
    _ context: ExecutionContext
  ) throws -> SortedIndex? {
    var (prefix, answers) = ([StoredValue](), [Int]())
    for column in descriptor.columns.prefix(leading) {
      guard case (.equal(let values), let positions)? = IndexRequest.combined(conditions.tests(of: column)),
        values.count == 1
      else { return nil }
      prefix += values
      answers += positions
    }
    guard let index = try context.reader.index(conditions.classID, composite: descriptor.id), index.isOrdered,
      !index.columns.suffix(from: leading).contains(where: { $0.type == .double || $0.type == .float })
    else { return nil }
    let values = prefix
    return SortedIndex(
      classID: conditions.classID, text: index.columns.map(\.name).joined(separator: ", "),
      entries: leading == 0 ? conditions.objects : try index.count(equalTo: prefix),
      remaining: conditions.remaining(without: answers)
    ) { body in
      try index.forEachSorted(equalTo: values, descending: descending, body)
    }
  }
}

/// Sorts the objects of a predicate, in the order of an index where that takes less.
struct IndexedSort {
  let context: ExecutionContext
  let index: SortedIndex
  let predicate: BoundPredicate?
  let sortKeys: [SortKey]

  /// Sorting an object takes about as long as walking over so many entries of an index.
  private static let sortCost = 4
  /// An object whose place in its cluster is met by chance, in objects of a scan.
  private static let chanceCost = 40

  /// The first objects in order; nil where the index is of no use.
  func keys(limit: Int) throws -> [ObjectKey]? {
    guard let remaining = index.remaining, let predicate else {
      return try walk(limit: limit)
    }
    let selection = try Planner(context).select(predicate, index.classID)
    if limit == .max { return try selection.path == nil || context.avoidsScans ? picked(selection) : nil }
    let objects = try context.reader.count(of: index.classID)
    let budget: Int
    if context.avoidsScans {
      budget = .max
    } else if selection.path != nil {
      // If every object of the path matched, so many entries would have to be seen.
      let expected = Double(limit) * Double(index.entries) / Double(max(1, selection.estimate))
      guard expected * Double(Self.chanceCost) < selection.cost + Double(selection.estimate * Self.sortCost) else {
        return nil
      }
      // Other conditions may leave less; half of what the sort takes is lost at worst.
      let half = selection.cost / Double(2 * Self.chanceCost)
      budget = Int(min(Double(index.entries), max(2 * expected, half)))
    } else {
      // So little beside the scan that nothing is lost when it turns out that few objects match.
      budget = max(64, objects / 256)
    }
    return try tried(remaining, limit: limit, budget: min(budget, index.entries))
  }

  private var node: PlanNode { PlanNode(.indexOrder, "order of index \(index.text)", estimate: index.entries) }

  private func walk(limit: Int) throws -> [ObjectKey] {
    try context.record(node, rows: { $0.count }) {
      var keys: [ObjectKey] = []
      keys.reserveCapacity(min(limit, index.entries))
      guard limit > 0 else { return [] }
      try context.interruption?.check()
      try index.forEach { key in
        keys.append(key)
        return keys.count < limit
      }
      context.counters.indexEntries += keys.count
      return keys
    }
  }

  /// The matching objects are found by a scan; many of them are put in order by the index.
  private func picked(_ selection: Selection) throws -> [ObjectKey] {
    let matching = try selection.keySet()
    let count = matching.count
    guard count * Self.sortCost > index.entries || context.avoidsScans else {
      return try Sorter(context, index.classID, sortKeys).apply(matching.keys)
    }
    return try context.record(node, rows: { $0.count }) {
      var keys: [ObjectKey] = []
      keys.reserveCapacity(count)
      try index.forEach { key in
        context.counters.indexEntries += 1
        if matching.contains(key.rawValue) { keys.append(key) }
        return keys.count < count
      }
      return keys
    }
  }

  /// Asks the first entries of the index, some at a time; nil when too few of them match.
  private func tried(_ remaining: BoundPredicate, limit: Int, budget: Int) throws -> [ObjectKey]? {
    guard limit > 0 else { return [] }
    var result: [ObjectKey] = []
    var isComplete = false
    _ = try context.record(node, rows: { $0 }) {
      let kernel = try KernelCompiler(context: context).compile(remaining, index.classID)
      var (seen, chunk, size) = (0, [ObjectKey](), max(16, 2 * min(limit, 512)))
      func ask() throws {
        let scan = Scan(
          context: context, classID: index.classID, kernel: kernel, candidates: ExecutionContext.merged(chunk))
        let matching = Set(try scan.keys())
        result += chunk.filter { matching.contains($0) }
        chunk.removeAll(keepingCapacity: true)
        size = min(size * 2, 4096)
      }
      isComplete = true
      try index.forEach { key in
        if seen >= budget {
          isComplete = false
          return false
        }
        seen += 1
        chunk.append(key)
        if chunk.count >= size { try ask() }
        return result.count < limit
      }
      if result.count < limit, !chunk.isEmpty { try ask() }
      context.counters.indexEntries += seen
      return min(result.count, limit)
    }
    return isComplete || result.count >= limit ? Array(result.prefix(limit)) : nil
  }
}
