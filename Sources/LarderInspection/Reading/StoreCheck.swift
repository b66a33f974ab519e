import LarderExchange
import LarderStorage

/// A complete check of a store.
package struct StoreCheck {
  /// The faults of the store, as lines; empty when the store is sound.
  package private(set) var problems: [String] = []
  /// The parts that the check cannot see in this store, as lines.
  package private(set) var notes: [String] = []
  /// The version that was checked, and its objects; nil when the pages are damaged, so that the store was not opened.
  package private(set) var version: UInt64?
  package private(set) var objectCount: Int?

  /// Checks everything.
  ///
  /// - Parameter isDeep: Walks all pages of the file first.
  /// - Throws: `StorageError` when the store cannot be opened at all, and not because of its pages or its catalog.
  package init(path: String, isDeep: Bool = false, limit: Int = 100) throws {
    do {
      try check(path, isDeep, limit)
    } catch let error as StorageError where [.corrupted, .truncated, .notADatabase].contains(error.code) {
      // Damage that keeps the store from being opened is what was looked for.
      let faults = (try? Store.pageFaults(path)) ?? []
      guard !faults.isEmpty || error.code != .notADatabase else { throw error }
      problems = faults.isEmpty ? problems + [Self.told(error)] : faults.prefix(limit).map(\.description)
    }
  }

  /// An error as a problem: without the advice to do what was just done.
  private static func told(_ error: StorageError) -> String {
    "\(error)".replacing(" Run `larder check` on the store.", with: "")
      .replacing(" Run `larder check`, or restore it from a copy.", with: " Restore it from a copy.")
  }

  private mutating func check(_ path: String, _ isDeep: Bool, _ limit: Int) throws {
    let store = try StoreAccess.open(reading: path, walksPages: true)
    if isDeep, let problem = try store.pageProblem() { problems.append("\(problem)") }
    let snapshot = try store.snapshot()
    version = snapshot.version
    notes = try StoreVerifier.notes(snapshot)
    objectCount = try snapshot.schema.classes.reduce(into: 0) { $0 += try snapshot.count(of: $1.id) }
    if problems.count < limit {
      problems += try StoreVerifier.verify(snapshot, limit: limit - problems.count).map(\.description)
    }
  }

  /// The problems as a table, and the outcome.
  package func page(
    path: String, as form: OutputForm, fitting width: Int? = nil, lineEnd: String = CSVText.lineEnd
  ) -> String {
    var page = TablePage("Check of \(path)", form, fitting: width, lineEnd: lineEnd)
    var table = TextTable([.init("problem")])
    for problem in problems { table.append([problem]) }
    if !problems.isEmpty || form == .csv { page.add(nil, table) }
    for note in notes { page.say("note: \(note)") }
    page.say(problems.isEmpty ? summary(path: path) : "\(problems.count) problem\(problems.count == 1 ? "" : "s")")
    return page.finish()
  }

  /// Writes the report of a sound store.
  package func summary(path: String) -> String {
    "\(path): sound; version \(version ?? 0), \(objectCount ?? 0) objects"
  }

  /// The outcome as one JSON object.
  package func json(path: String) -> String {
    let value: JSONValue = [
      "file": .init(path), "sound": .init(problems.isEmpty), "version": .init(version), "objects": .init(objectCount),
      "problems": .init(problems), "notes": .init(notes),
    ]
    return value.line
  }
}
