import LarderQuery
import LarderStorage

/// A `ResultsQuery` as the engine observes it.
package struct ObservedResults: ObservedQuery {
  package let query: ResultsQuery
  package let order: ObservedOrder
  package let dependencies: [DependencyPath]?
  package let membership: [DependencyPath]
  package let classes: Set<ClassID>
  private let sortKeys: [SortKey]
  private let memory = SortKeyCache()

  package init(_ query: ResultsQuery) {
    self.query = query
    var paths = DependencyPaths()
    if let predicate = query.predicate { paths.add(predicate, of: query.classID, after: []) }
    membership = Array(paths.found)
    var sortKeys: [SortKey] = []
    var isIncremental = query.steps.count <= 1
    for step in query.steps {
      switch step {
      case .sort(let keys):
        sortKeys = keys
        for key in keys { paths.add(key.target, of: query.classID) }
      case .distinct(let tuple):
        isIncremental = false
        for target in tuple { paths.add(target, of: query.classID) }
      case .limit, .offset, .relevance, .after: isIncremental = false
      case .filter(let condition):
        isIncremental = false
        paths.add(condition, of: query.classID, after: [])
      }
    }
    var classes = Set(paths.found.joined().map(\.classID))
    classes.insert(query.classID)
    switch query.source {
    case .objects: break
    case .list(let owner, _, _):
      isIncremental = false
      classes.insert(owner.classID)
    case .keys:
      isIncremental = false
    case .backlinks(let target, let origin, let column):
      isIncremental = false
      classes.formUnion([target.classID, origin])
      paths.add(column, of: origin, after: [])
    }
    self.sortKeys = sortKeys
    self.classes = classes
    dependencies = isIncremental && paths.isComplete ? Array(paths.found) : nil
    order = sortKeys.isEmpty ? .byKey : .sorted
  }

  package var classID: ClassID { query.classID }

  /// The values the order depends on.
  package var sortPaths: [DependencyPath] {
    var paths = DependencyPaths()
    for key in sortKeys { paths.add(key.target, of: query.classID) }
    return Array(paths.found)
  }

  package func evaluate(_ reader: any StoreReader) throws -> [ObjectKey] { try query.keys(in: reader) }

  package func matches(_ key: ObjectKey, in reader: any StoreReader) throws -> Bool {
    try query.matches(key, in: reader)
  }

  package func precedes(_ lhs: ObjectKey, _ rhs: ObjectKey, in reader: any StoreReader) throws -> Bool {
    let evaluator = RowEvaluator(reader)
    for sortKey in sortKeys {
      let order = SortOrder(sortKey).compare(
        try evaluator.sortValue(sortKey.target, classID, lhs), try evaluator.sortValue(sortKey.target, classID, rhs))
      if order != 0 { return order < 0 }
    }
    return lhs < rhs
  }

  package func sequence(_ reader: any StoreReader) throws -> KeySequence {
    guard order == .sorted, dependencies != nil else { return KeySequence(try evaluate(reader)) }
    let (keys, words) = try query.keysWithPrefixes(in: reader)
    return KeySequence(keys, words: words)
  }

  /// Reads the values of the one element only once, and those of anchors seldom.
  package func precedence(
    over key: ObjectKey, in reader: any StoreReader, during step: SortStep?
  ) throws -> Precedence {
    let evaluator = RowEvaluator(reader)
    return precedence(over: key, try sortValues(key, evaluator), evaluator, step)
  }

  package func precedences(
    over keys: [ObjectKey], in reader: any StoreReader, during step: SortStep?
  ) throws -> [(key: ObjectKey, precedence: Precedence)] {
    let evaluator = RowEvaluator(reader)
    let orders = sortKeys.map { SortOrder($0) }
    var elements = try keys.map { (key: $0, values: try sortValues($0, evaluator)) }
    elements.sort { first, second in
      for (place, order) in orders.enumerated() {
        let compared = order.compare(first.values[place], second.values[place])
        if compared != 0 { return compared < 0 }
      }
      return first.key < second.key
    }
    return elements.map { ($0.key, precedence(over: $0.key, $0.values, evaluator, step)) }
  }

  private func precedence(
    over key: ObjectKey, _ own: [SortValue], _ evaluator: RowEvaluator, _ step: SortStep?
  ) -> Precedence {
    let orders = sortKeys.map { SortOrder($0) }
    let word = sortKeys.first.map { $0.prefix(of: own[0]) } ?? SortPrefix.unknown
    return Precedence(word: word) { other, isAnchor in
      if isAnchor, let step {
        let values = try step.values(other) { try sortValues(other, evaluator) }
        for (place, order) in orders.enumerated() {
          let compared = order.compare(values[place], own[place])
          if compared != 0 { return compared < 0 }
        }
      } else {
        for (place, order) in orders.enumerated() {
          let value = try evaluator.sortValue(sortKeys[place].target, classID, other)
          let compared = order.compare(value, own[place])
          if compared != 0 { return compared < 0 }
        }
      }
      return other < key
    }
  }

  private func sortValues(_ key: ObjectKey, _ evaluator: RowEvaluator) throws -> [SortValue] {
    try sortKeys.map { try evaluator.sortValue($0.target, classID, key) }
  }

  package func learn(_ keys: KeySequence, in reader: any StoreReader) throws {
    guard order == .sorted, dependencies != nil else { return }
    // With words anchors are seldom read, and kept when they are.
    guard !keys.hasWords else { return memory.learn([:], anchors: keys.count / 64, version: reader.version) }
    let anchors = keys.anchors
    let evaluator = RowEvaluator(reader)
    var values: [ObjectKey: [SortValue]] = [:]
    values.reserveCapacity(anchors.count)
    for key in anchors { values[key] = try sortValues(key, evaluator) }
    memory.learn(values, anchors: values.count, version: reader.version)
  }

  package func step(from older: UInt64, to newer: UInt64, changed: KeyRanges) -> SortStep? {
    order == .sorted ? memory.step(from: older, to: newer, changed: changed) : nil
  }
}

/// Collects the paths a predicate reads along.
private struct DependencyPaths {
  private(set) var found: Set<DependencyPath> = []
  /// True if every path begins at an element.
  private(set) var isComplete = true

  mutating func add(_ predicate: BoundPredicate, of classID: ClassID, after path: DependencyPath) {
    switch predicate {
    case .constant, .isObject: break
    case .and(let children), .or(let children): for child in children { add(child, of: classID, after: path) }
    case .not(let child): add(child, of: classID, after: path)
    case .value(let column, _): add(column, of: classID, after: path)
    case .through(let step, let inner, _):
      add(step.column, of: classID, after: path)
      add(inner, of: step.target, after: path + [PathStep(classID, step.column)])
    case .anyElement(let step, let inner): add(step, inner, of: classID, after: path)
    case .anyValue(let step, _): _ = hop(step, from: classID, after: path)
    case .compare(let left, _, _, let right):
      add(left, of: classID, after: path)
      add(right, of: classID, after: path)
    case .quantified(let comparison):
      add(comparison.left, of: classID, after: path)
      add(comparison.right, of: classID, after: path)
    case .isWithin(let columns, _):
      add(columns.type, of: classID, after: path)
      add(columns.coordinates, of: classID, after: path)
    }
  }

  mutating func add(_ target: SortTarget, of classID: ClassID) {
    switch target {
    case .path(let path): add(path, of: classID, after: [])
    case .operand(let operand): add(operand, of: classID, after: [])
    }
  }

  mutating func add(_ path: BoundPath, of classID: ClassID, after before: DependencyPath) {
    let (owner, prefix) = follow(path.links, from: classID, after: before)
    add(path.column, of: owner, after: prefix)
  }

  mutating func add(_ column: ColumnID, of classID: ClassID, after path: DependencyPath) {
    found.insert(path + [PathStep(classID, column)])
  }

  private mutating func add(_ step: ListStep, _ inner: BoundPredicate, of classID: ClassID, after path: DependencyPath)
  {
    let (owner, prefix) = hop(step, from: classID, after: path)
    if step.target != nil { add(inner, of: owner, after: prefix) }
  }

  private mutating func add(_ operand: BoundOperand, of classID: ClassID, after path: DependencyPath) {
    switch operand {
    case .constant, .constants: break
    case .path(let bound): add(bound, of: classID, after: path)
    case .reach(let reach), .aggregate(let reach, _): add(reach, of: classID, after: path)
    case .count(let reach, let predicate):
      let (owner, prefix) = follow(reach.steps, from: classID, after: path)
      if case .values(let step) = reach.end { add(step, predicate, of: owner, after: prefix) }
    case .arithmetic(_, let left, let right):
      add(left, of: classID, after: path)
      add(right, of: classID, after: path)
    case .function(_, let inner): add(inner, of: classID, after: path)
    }
  }

  private mutating func add(_ reach: BoundReach, of classID: ClassID, after path: DependencyPath) {
    let (owner, prefix) = follow(reach.steps, from: classID, after: path)
    switch reach.end {
    case .objects: break
    case .column(let column, _): add(column, of: owner, after: prefix)
    case .values(let step), .element(let step, _): _ = hop(step, from: owner, after: prefix)
    }
  }

  private mutating func follow(
    _ steps: [BoundReach.Step], from classID: ClassID, after path: DependencyPath
  ) -> (ClassID, DependencyPath) {
    var (owner, prefix) = (classID, path)
    for step in steps {
      switch step {
      case .link(let link): (owner, prefix) = follow([link], from: owner, after: prefix)
      case .elements(let list), .element(let list, _): (owner, prefix) = hop(list, from: owner, after: prefix)
      }
    }
    return (owner, prefix)
  }

  /// Adds a collection; the class of its elements and the path to them.
  private mutating func hop(
    _ step: ListStep, from classID: ClassID, after path: DependencyPath
  ) -> (ClassID, DependencyPath) {
    if case .inverse(let origin) = step.source {
      // Links of other objects lead here: no path from an element names them.
      isComplete = false
      add(step.column, of: origin, after: [])
      return (origin, [])
    }
    add(step.column, of: classID, after: path)
    return (step.target ?? classID, path + [PathStep(classID, step.column)])
  }

  /// Adds the links on the way; the class and the path at their end.
  private mutating func follow(
    _ links: [LinkStep], from classID: ClassID, after path: DependencyPath
  ) -> (ClassID, DependencyPath) {
    var owner = classID
    var prefix = path
    for link in links {
      add(link.column, of: owner, after: prefix)
      prefix.append(PathStep(owner, link.column))
      owner = link.target
    }
    return (owner, prefix)
  }
}
