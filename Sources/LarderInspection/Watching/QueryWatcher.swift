import Dispatch
import LarderExchange
import LarderLocks
import LarderObservation
import LarderQuery
import LarderStorage

/// Follows a query of a store that other programs change, and writes down what happens to its results.
package final class QueryWatcher: Sendable {
  private struct Direct: DeliveryTarget {
    func deliver(_ block: @escaping @Sendable () -> Void) { block() }
  }

  private let store: Store
  private let entry: ClassDescriptor
  private let query: ResultsQuery
  private let form: OutputForm
  private let lineEnd: String
  private let signal = DispatchSemaphore(value: 0)
  private let events = Lock<[ObservationEvent]>([])

  /// Binds the query.
  ///
  /// - Parameter lineEnd: The end of rows of CSV.
  /// - Throws: `StorageError` for an unknown class, `PredicateError` for a predicate or sort that cannot be.
  package init(
    _ store: Store, _ request: QueryRunner.Request, as form: OutputForm = .table, lineEnd: String = CSVText.lineEnd
  ) throws {
    self.store = store
    (self.form, self.lineEnd) = (form, lineEnd)
    let runner = try QueryRunner(try store.snapshot(), request)
    (entry, query) = (runner.entry, runner.query)
  }

  /// Writes a line for the results there are, and then, for every change: the version and how many objects came, went and changed,
  /// `-` and the primary key or object key for those that are not among the results any more, `+` and `~` with the object, too, for
  /// those that came and changed.
  ///
  /// Commits that come close together are one change. As JSON each is an object on a line: `version`, `deleted` with positions,
  /// keys and primary keys, `inserted` and `modified` with positions and objects; the first line has `version` and `count`. In other forms each
  /// object of a change is a row of a table, which is written as it comes.
  ///
  /// - Parameter changes: After so many it returns; nil: it never does.
  package func run(changes: Int? = nil, _ write: (String) -> Void) throws {
    let signal = signal
    // What was deleted has its primary key here. Nothing else keeps a version: what other programs write would add to the file.
    var before = try store.snapshot()
    let group = StoreObserver.shared(for: store).makeGroup(at: before.moment, target: Direct()) { signal.signal() }
    let handle = group.observe(.query(ObservedResults(query), scope: .standard)) { [self] event in
      events.withLock { $0.append(event) }
    }
    defer { handle.invalidate() }
    var told = -1
    var keys = KeySequence()
    var table =
      form == .table || form == .json
      ? nil : TableStream("Changes of \(entry.name)", Self.columns, form, fitting: nil, lineEnd: lineEnd)
    while changes.map({ told < $0 }) ?? true {
      signal.wait()
      guard let ready = group.readySnapshot else { continue }
      group.deliver(to: ready, .ready)
      for event in events.withLock({ events in
        defer { events = [] }
        return events
      }) {
        if table == nil {
          try tell(event, since: keys, ObjectTree(before), write)
        } else {
          for row in try rows(event, since: keys, ObjectTree(before)) { table?.append(row, write) }
        }
        keys = event.keys ?? keys
        before = event.snapshot
        told += 1
      }
      // Also when nothing of the query changed.
      before = ready
    }
    table?.finish(nil, write)
  }

  private static let columns: [TableWriter.Column] = [
    .init("version", isNumeric: true), .init("change"), .init("object"), .init("values"),
  ]

  /// A row that says how many objects there are, and later one for each object of a change.
  private func rows(
    _ event: ObservationEvent, since old: KeySequence, _ before: ObjectTree
  ) throws -> [[String]] {
    let (new, version) = (event.keys ?? KeySequence(), String(event.snapshot.version))
    switch event.change {
    case .initial: return [[version, "found", "\(new.count) object\(new.count == 1 ? "" : "s")", ""]]
    case .update(let changes):
      let tree = ObjectTree(event.snapshot)
      var rows = try changes.deletions.map { [version, "deleted", try before.name(entry, old[$0]).text, ""] }
      for (change, positions) in [("inserted", changes.insertions), ("modified", changes.modificationsInNew)] {
        rows += try positions.map { position in
          let object = try tree.object(entry, new[position], depth: 0)
          return [version, change, object.name.text, JSONText.object(object)]
        }
      }
      return rows
    case .failed(let error): throw error
    case .properties, .deleted: return []
    }
  }

  private func tell(
    _ event: ObservationEvent, since old: KeySequence, _ before: ObjectTree, _ write: (String) -> Void
  ) throws {
    let new = event.keys ?? KeySequence()
    if form == .json { return try tellJSON(event, old, new, before, write) }
    switch event.change {
    case .initial: write("version \(event.snapshot.version): \(new.count) object\(new.count == 1 ? "" : "s")\n")
    case .update(let changes):
      let counts = [
        (changes.insertions.count, "inserted"), (changes.deletions.count, "deleted"),
        (changes.modifications.count, "modified"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      write("version \(event.snapshot.version): \(counts.joined(separator: ", "))\n")
      let tree = ObjectTree(event.snapshot)
      for position in changes.deletions { write("- \(try before.name(entry, old[position]).text)\n") }
      for (mark, positions) in [("+", changes.insertions), ("~", changes.modificationsInNew)] {
        for position in positions {
          let object = try tree.object(entry, new[position], depth: 0)
          write("\(mark) \(object.name.text)  \(JSONText.object(object))\n")
        }
      }
    case .failed(let error): throw error
    case .properties, .deleted: break
    }
  }

  private func tellJSON(
    _ event: ObservationEvent, _ old: KeySequence, _ new: KeySequence, _ before: ObjectTree, _ write: (String) -> Void
  ) throws {
    let version = event.snapshot.version
    switch event.change {
    case .initial: write((["version": .init(version), "count": .init(new.count)] as JSONValue).line)
    case .update(let changes):
      let tree = ObjectTree(event.snapshot)
      func object(_ position: Int, at shown: Int) throws -> JSONValue {
        let object = try tree.object(entry, new[shown], depth: 0)
        return ["position": .init(position), "object": .init(written: JSONText.object(object))]
      }
      let deleted = try changes.deletions.map { position -> JSONValue in
        let primary = try entry.primaryKey.map { column in
          JSONValue(written: JSONText.value(try before.value(entry, column, old[position], depth: 0)))
        }
        return ["position": .init(position), "key": .init(old[position].rawValue), "primaryKey": primary]
      }
      let inserted = try changes.insertions.map { try object($0, at: $0) }
      let modified = try zip(changes.modifications, changes.modificationsInNew).map { try object($0, at: $1) }
      let value: JSONValue = [
        "version": .init(version), "deleted": .init(deleted), "inserted": .init(inserted), "modified": .init(modified),
      ]
      write(value.line)
    case .failed(let error): throw error
    case .properties, .deleted: break
    }
  }
}
