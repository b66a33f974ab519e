import LarderObservation
import LarderQuery
import LarderStorage

/// A query as observers see it: keys, and what membership and order depend on.
struct ObservedResults: ObservedQuery {
  let query: ResultsQuery
  let dependencies: [DependencyPath]?
  let classes: Set<ClassID>
  let order: ObservedOrder
  private let sortKeys: [SortKey]

  var classID: ClassID { query.classID }

  init(_ query: ResultsQuery, _ schema: StoreSchema) {
    self.query = query
    var walker = DependencyWalker(schema)
    if let predicate = query.predicate { walker.walk(predicate, query.classID, []) }
    var sortKeys: [SortKey] = []
    for step in query.steps {
      switch step {
      case .sort(let keys):
        sortKeys = keys
        for key in keys { walker.add(key.path, query.classID) }
      case .distinct(let paths):
        walker.isComplete = false
        for path in paths { walker.add(path, query.classID) }
      case .limit: walker.isComplete = false
      }
    }
    walker.classes.insert(query.classID)
    switch query.source {
    case .objects: break
    case .list(let owner, _, _):
      walker.classes.insert(owner.classID)
      walker.isComplete = false
    case .keys: walker.isComplete = false
    }
    if query.steps.count > 1 { walker.isComplete = false }
    dependencies = walker.isComplete ? walker.paths : nil
    classes = walker.classes
    order = query.steps.isEmpty && query.isFromClass ? .byKey : .sorted
    self.sortKeys = sortKeys
  }

  func evaluate(_ reader: any StoreReader) throws -> [ObjectKey] { try query.keys(in: reader) }
  func matches(_ key: ObjectKey, in reader: any StoreReader) throws -> Bool { try query.matches(key, in: reader) }

  func precedes(_ lhs: ObjectKey, _ rhs: ObjectKey, in reader: any StoreReader) throws -> Bool {
    for sortKey in sortKeys {
      let left = try value(sortKey.path, lhs, reader)
      let right = try value(sortKey.path, rhs, reader)
      if ValueFold.precedes(left, right) { return sortKey.isAscending }
      if ValueFold.precedes(right, left) { return !sortKey.isAscending }
    }
    return lhs < rhs
  }

  private func value(_ path: BoundPath, _ key: ObjectKey, _ reader: any StoreReader) throws -> StoredValue {
    var classID = classID
    var key = key
    for link in path.links {
      guard case .link(let next) = try reader.value(classID, link.column, key) else { return .null }
      (classID, key) = (link.target, next)
    }
    return try reader.value(classID, path.column, key)
  }
}

extension ResultsQuery {
  var isFromClass: Bool { if case .objects = source { true } else { false } }
}

/// Collects the paths and classes that a predicate reads.
private struct DependencyWalker {
  var paths: [DependencyPath] = []
  var classes: Set<ClassID> = []
  var isComplete = true
  private let schema: StoreSchema

  init(_ schema: StoreSchema) { self.schema = schema }

  mutating func add(_ path: BoundPath, _ classID: ClassID) {
    var steps: DependencyPath = []
    var current = classID
    for link in path.links {
      steps.append(PathStep(current, link.column))
      classes.insert(link.target)
      current = link.target
    }
    paths.append(steps + [PathStep(current, path.column)])
  }

  mutating func walk(_ predicate: BoundPredicate, _ classID: ClassID, _ prefix: DependencyPath) {
    classes.insert(classID)
    switch predicate {
    case .constant, .isObject: break
    case .and(let children), .or(let children): for child in children { walk(child, classID, prefix) }
    case .not(let child): walk(child, classID, prefix)
    case .value(let column, _): paths.append(prefix + [PathStep(classID, column)])
    case .through(let link, let inner, _):
      paths.append(prefix + [PathStep(classID, link.column)])
      walk(inner, link.target, prefix + [PathStep(classID, link.column)])
    case .anyElement(let list, let inner):
      paths.append(prefix + [PathStep(classID, list.column)])
      if let target = list.target { walk(inner, target, prefix + [PathStep(classID, list.column)]) }
    case .anyValue(let list, _): paths.append(prefix + [PathStep(classID, list.column)])
    case .compare:
      // Operands may reach anything: every class counts.
      isComplete = false
      classes.formUnion(schema.classes.map(\.id))
    }
  }
}
