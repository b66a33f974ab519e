import LarderStorage

@testable import LarderObservation

/// A query that calls a closure before it answers whatever it is asked.
struct AskedQuery: ObservedQuery {
  let base: NodeQuery
  let ask: @Sendable () -> Void

  var classID: ClassID { base.classID }
  var order: ObservedOrder { base.order }
  var dependencies: [DependencyPath]? { base.dependencies }
  var classes: Set<ClassID> { base.classes }

  func evaluate(_ reader: any StoreReader) throws -> [ObjectKey] {
    ask()
    return try base.evaluate(reader)
  }

  func matches(_ key: ObjectKey, in reader: any StoreReader) throws -> Bool {
    ask()
    return try base.matches(key, in: reader)
  }

  func precedes(_ lhs: ObjectKey, _ rhs: ObjectKey, in reader: any StoreReader) throws -> Bool {
    ask()
    return try base.precedes(lhs, rhs, in: reader)
  }
}
