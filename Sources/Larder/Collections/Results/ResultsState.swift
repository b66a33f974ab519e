import Foundation
import LarderObservation
import LarderQuery
import LarderStorage

/// The parts of a `Results`: a description of the contents, and the keys it had when it was evaluated last.
final class ResultsState {
  enum Source {
    case objects(ResultsQuery, _ClassCursor)
    /// Elements of a list of values, in order or sorted, once each or all.
    case values(CollectionLocation, isAscending: Bool?, isDistinct: Bool)
  }

  let host: ObjectHost
  private let given: Source
  /// Makes the elements when they are projections of the objects.
  let projection: ProjectionMaker?
  /// The moment at which they were made.
  private let validity: ValidityStamp
  private var contents = ResultsContents()
  /// The number of times that the contents were found again.
  private(set) var evaluations = 0
  /// The subscription that was made of the results; nil without one.
  var subscription: (any Sendable)?
  /// Frozen results are read from many threads, and keep what they found; live ones have one place.
  private let lock: NSRecursiveLock?

  init(_ host: ObjectHost, _ source: Source, _ projection: ProjectionMaker? = nil) {
    self.host = host
    given = source
    self.projection = projection
    lock = host.isFrozen ? NSRecursiveLock() : nil
    validity = host.validity
  }

  /// The source that is read: nothing once the object they come from has vanished with a cancelled write.
  var source: Source {
    if validity.write == 0 || validity.write == host.writeNumber { return given }
    guard case .objects(let query, let cursor) = given, let origin = query.source.origin,
      host.session.hasVanished(origin.classID, origin.key, bornIn: validity.write)
    else { return given }
    return .objects(ResultsQuery(.keys(query.classID, [])), cursor)
  }

  static func all(_ cursor: _ClassCursor, _ projection: ProjectionMaker? = nil) -> ResultsState {
    ResultsState(cursor.host, .objects(ResultsQuery(cursor.classID), cursor), projection)
  }

  var isInvalidated: Bool { host.version.epoch != validity.epoch }

  // MARK: - Contents

  /// Misuse unless the contents can be read here.
  func check() {
    host.checkThread()
    if isInvalidated { misuse("These Results were invalidated with their Realm; query again.") }
  }

  @inline(__always)
  func guarded<Result>(_ body: () -> Result) -> Result {
    lock?.lock()
    defer { lock?.unlock() }
    return body()
  }

  var count: Int {
    guarded {
      host.checkThread()
      if isInvalidated { return 0 }
      if isCurrent { return contents.count }
      guard case .objects(let query, _) = source else { return evaluatedValues().count }
      return orMisuse { try query.count(in: host.reader) }
    }
  }

  /// Looks for one element only.
  var isEmpty: Bool {
    guarded {
      host.checkThread()
      if isInvalidated { return true }
      guard !isCurrent, case .objects(let query, _) = source else { return count == 0 }
      return orMisuse { try query.first(in: host.reader) } == nil
    }
  }

  /// Returns true if an object is among the results; nil where all of them must be found for that.
  func contains(_ key: ObjectKey) -> Bool? {
    guarded {
      host.checkThread()
      guard !isInvalidated, case .objects(let query, _) = source else { return nil }
      return orMisuse { try query.contains(key, in: host.reader) }
    }
  }

  /// The same as `count`, evaluating: the contents are needed next anyway.
  var evaluatedCount: Int {
    if case .objects = source { evaluatedKeys().count } else { evaluatedValues().count }
  }

  /// The version that the results are all objects of, in key order; nil where keys are to be used.
  func wholeVersion() -> Snapshot? {
    guarded {
      check()
      guard case .objects(let query, _) = source, query.isPlain, !host.isWriting, !contents.isWhole(at: host.stamp)
      else { return nil }
      return host.currentSnapshot()
    }
  }

  /// The contents as they came with a notification, if they are still those.
  func deliveredKeys() -> KeySequence? {
    guarded {
      check()
      return isCurrent ? contents.delivered : nil
    }
  }

  func evaluatedKeys() -> [ObjectKey] {
    guarded {
      check()
      if isCurrent { return contents.unpackedKeys() }
      guard case .objects(let query, _) = source else { return [] }
      let keys = orMisuse { try query.keys(in: host.reader) }
      hold(.keys(keys))
      evaluations += 1
      return keys
    }
  }

  func evaluatedValues() -> [StoredValue] {
    guarded {
      check()
      if isCurrent { return contents.values }
      guard case .values(let list, let isAscending, let isDistinct) = source else { return [] }
      var found = list.isAlive ? orMisuse { try list.values() } : []
      found = Self.arranged(found, isAscending, isDistinct)
      hold(.values(found))
      evaluations += 1
      return found
    }
  }

  /// Values in the order of results, each once if they are to be distinct.
  static func arranged(_ values: [StoredValue], _ isAscending: Bool?, _ isDistinct: Bool) -> [StoredValue] {
    var result = values
    if isDistinct {
      var seen: Set<ValueIdentity> = []
      result = result.filter { seen.insert(ValueIdentity($0)).inserted }
    }
    if let isAscending {
      result.sort { isAscending ? ValueOrder.compare($0, $1) < 0 : ValueOrder.compare($1, $0) < 0 }
    }
    return result
  }

  func key(at position: Int) -> ObjectKey {
    guarded {
      if !isCurrent, position < ResultsContents.headLength, let head = evaluatedHead(), position >= 0,
        position < head.count
      {
        return head[position]
      }
      check()
      if isCurrent, let key = contents.deliveredKey(at: position) { return key }
      let keys = evaluatedKeys()
      guard position >= 0, position < keys.count else {
        misuse("Index \(position) is out of bounds (count \(keys.count)).")
      }
      return keys[position]
    }
  }

  /// The first results, for callers that look at no others; nil for collections of values.
  private func evaluatedHead() -> [ObjectKey]? {
    guarded {
      check()
      if let head = contents.head(at: host.stamp) { return head }
      guard case .objects(let query, _) = source else { return nil }
      let head = orMisuse { try query.keys(in: host.reader, limit: ResultsContents.headLength) }
      hold(.head(head))
      return head
    }
  }

  func firstKey() -> ObjectKey? {
    guarded {
      check()
      if isCurrent { return contents.firstKey }
      guard case .objects(let query, _) = source else { return nil }
      return orMisuse { try query.first(in: host.reader) }
    }
  }

  func lastKey() -> ObjectKey? {
    guarded {
      check()
      if isCurrent, contents.count > 0, let key = contents.deliveredKey(at: contents.count - 1) { return key }
      return evaluatedKeys().last
    }
  }

  /// Contents that were computed elsewhere for the version the Realm is at.
  func accept(_ keys: KeySequence) { hold(.delivered(keys, reads: 0)) }

  private func hold(_ found: ResultsContents.Found) {
    contents.hold(found, stamp: host.stamp, version: host.isWriting ? nil : host.currentSnapshot().version)
  }

  /// True if all contents were found, and still hold: nothing they depend on has changed since.
  private var isCurrent: Bool {
    guard contents.isWhole else { return false }
    if contents.stamp == host.stamp { return true }
    guard let version = contents.version, !host.isWriting else { return false }
    return stillHolds(since: version)
  }

  /// Commits that are looked through before the contents are found again.
  private static let mostCommits: UInt64 = 32

  @inline(never)
  private func stillHolds(since version: UInt64) -> Bool {
    let now = host.currentSnapshot()
    guard version <= now.version, now.version - version <= Self.mostCommits else { return false }
    if version < now.version {
      guard let changes = try? now.changes(since: version), changes.isComplete, !changes.schemaChanged else {
        return false
      }
      let classes: Set<ClassID> =
        switch source {
        case .objects(let query, _): ObservedResults(query).classes
        case .values(let list, _, _): [list.cursor.classID]
        }
      guard classes.allSatisfy({ changes[$0] == nil }) else { return false }
    }
    contents.confirm(stamp: host.stamp, version: now.version)
    return true
  }

  /// The same contents in another Realm of the store.
  func moved(to other: ObjectHost) -> ResultsState? {
    switch source {
    case .objects(let query, let cursor):
      isGone(query, in: other) ? nil : ResultsState(other, .objects(query, other.cursor(like: cursor)), projection)
    case .values(let list, let isAscending, let isDistinct):
      list.moved(to: other).map { ResultsState(other, .values($0, isAscending: isAscending, isDistinct: isDistinct)) }
    }
  }

  /// Returns true if the object whose inverse this is does not exist in another Realm's version.
  private func isGone(_ query: ResultsQuery, in other: ObjectHost) -> Bool {
    guard case .backlinks(let target, _, _) = query.source else { return false }
    return orMisuse { try !other.reader.contains(target.classID, target.key) }
  }

  // MARK: - Aggregates

  enum Aggregate { case minimum, maximum, sum, average }

  func aggregate(_ aggregate: Aggregate, _ property: String) -> StoredValue {
    if case .values(let location, _, _) = source {
      guard property == "self" else {
        misuse("Values of \(location.name) have no property '\(property)'; only \"self\" can be aggregated.")
      }
      return fold(aggregate, location)
    }
    let (query, cursor) = orMisuse { try objects("aggregated") }
    guard let found = cursor.model.property(named: property) else { misuse(cursor.model.unknownProperty(property)) }
    let column = cursor.columns[found.index]
    guard found.kind == .none, Self.isAvailable(aggregate, found.type) else {
      misuse("\(aggregate) is not available for \(cursor.model.name).\(found.name) (type \(found.type)).")
    }
    return orMisuse {
      switch aggregate {
      case .minimum: try query.minimum(column, in: host.reader)
      case .maximum: try query.maximum(column, in: host.reader)
      case .sum: try query.sum(column, in: host.reader)
      case .average: try query.average(column, in: host.reader)
      }
    }
  }

  private static func isAvailable(_ aggregate: Aggregate, _ type: PropertyType) -> Bool {
    switch type {
    case .int, .float, .double, .decimal128, .any: true
    case .date: aggregate == .minimum || aggregate == .maximum
    default: false
    }
  }

  private func fold(_ aggregate: Aggregate, _ location: CollectionLocation) -> StoredValue {
    guard Self.isAvailable(aggregate, location.property.type) else {
      misuse("\(aggregate) is not available for the values of \(location.name) (type \(location.property.type)).")
    }
    return foldChunks(aggregate.operation) ?? ValueFold.value(aggregate.operation, of: evaluatedValues())
  }

  // MARK: - Deleting

  func deleteAll() {
    let (query, cursor) = orMisuse { try objects("deleted") }
    let writer = host.openWriter()
    host.announcer?.changesAnything(in: host.writeNumber)
    if query.isPlain {
      orMisuse { try writer.deleteAll(cursor.classID) }
    } else {
      // Results of a list may hold an object more than once.
      orMisuse { try writer.delete(cursor.classID, keys: Set(evaluatedKeys()).sorted()) }
    }
    host.noteChange()
  }
}
