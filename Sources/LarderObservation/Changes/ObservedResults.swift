import LarderQuery
import LarderStorage

/// A `ResultsQuery` as the engine observes it.
package struct ObservedResults: ObservedQuery {
  package let query: ResultsQuery
  package let order: ObservedOrder
  package let dependencies: [DependencyPath]?
  package let classes: Set<ClassID>
  private let sortKeys: [SortKey]

  package init(_ query: ResultsQuery) {
    self.query = query
    var paths = DependencyPaths()
    if let predicate = query.predicate { paths.add(predicate, of: query.classID, after: []) }
    var sortKeys: [SortKey] = []
    var isIncremental = query.steps.count <= 1
    for step in query.steps {
      switch step {
      case .sort(let keys):
        sortKeys = keys
        for key in keys { paths.add(key.path, of: query.classID, after: []) }
      case .distinct(let tuple):
        isIncremental = false
        for path in tuple { paths.add(path, of: query.classID, after: []) }
      case .limit:
        isIncremental = false
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
    dependencies = isIncremental ? Array(paths.found) : nil
    order = sortKeys.isEmpty ? .byKey : .sorted
  }

  package var classID: ClassID { query.classID }

  package func evaluate(_ reader: any StoreReader) throws -> [ObjectKey] { try query.keys(in: reader) }

  package func matches(_ key: ObjectKey, in reader: any StoreReader) throws -> Bool {
    try query.matches(key, in: reader)
  }

  package func precedes(_ lhs: ObjectKey, _ rhs: ObjectKey, in reader: any StoreReader) throws -> Bool {
    let oracle = RowOracle(reader)
    for sortKey in sortKeys {
      let left = try oracle.value(sortKey.path, classID, lhs)
      let right = try oracle.value(sortKey.path, classID, rhs)
      let order: Int
      if left.linkIsNil || right.linkIsNil {
        // A nil link sorts after every value.
        order = left.linkIsNil == right.linkIsNil ? 0 : (left.linkIsNil ? 1 : -1)
      } else {
        order = ValueOrder.compare(left.value, right.value)
      }
      if order != 0 { return sortKey.isAscending ? order < 0 : order > 0 }
    }
    return lhs < rhs
  }
}

/// Collects the paths a predicate reads along.
private struct DependencyPaths {
  private(set) var found: Set<DependencyPath> = []

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
    case .anyValue(let step, _): add(step.column, of: classID, after: path)
    case .compare(let left, _, _, let right):
      add(left, of: classID, after: path)
      add(right, of: classID, after: path)
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
    add(step.column, of: classID, after: path)
    if let target = step.target { add(inner, of: target, after: path + [PathStep(classID, step.column)]) }
  }

  private mutating func add(_ operand: BoundOperand, of classID: ClassID, after path: DependencyPath) {
    switch operand {
    case .constant: break
    case .path(let bound): add(bound, of: classID, after: path)
    case .aggregate(let links, let step, _, let element):
      let (owner, prefix) = follow(links, from: classID, after: path)
      add(step.column, of: owner, after: prefix)
      if let element, let target = step.target {
        add(element, of: target, after: prefix + [PathStep(owner, step.column)])
      }
    case .count(let links, let step, let predicate):
      let (owner, prefix) = follow(links, from: classID, after: path)
      add(step, predicate, of: owner, after: prefix)
    }
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
