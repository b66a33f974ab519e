import LarderExchange

/// The parts of a damaged store that were saved, and those that were not.
package struct RepairReport: Sendable {
  /// Objects in the copy, embedded ones among them.
  package internal(set) var objects = 0
  /// Objects lost, by class.
  package private(set) var lostObjects: [String: Int] = [:]
  /// Objects saved, by class: each class of the store is named.
  package internal(set) var savedObjects: [String: Int] = [:]
  /// Classes of which it is not known how many objects they had.
  package internal(set) var uncountedClasses: Set<String> = []
  /// The places where something older replaces a lost part, each in a sentence.
  package internal(set) var olderVersions: [String] = []
  /// The statements of the schema that cannot be, and how the copy has them, each in a sentence.
  package internal(set) var schemaChanges: [String] = []
  /// Values and elements lost, by property; the objects that had them are there.
  package private(set) var lostValues: [String: Int] = [:]
  /// Links to objects that were lost, by property.
  package private(set) var lostLinks: [String: Int] = [:]
  /// Faults of the file's pages.
  package private(set) var damagedPages = 0
  /// Records lost with damaged pages, by table; nil where there is no telling how many. What they held is counted beside this, as far as it
  /// is known.
  package private(set) var lostRecords: [String: Int?] = [:]
  /// Rules of unique values that the copy does without.
  package internal(set) var droppedRules: [String] = []
  /// The faults met while reading, each text once, at most `limit`.
  package private(set) var problems: [String] = []
  package internal(set) var version: UInt64 = 0
  private static let limit = 100

  /// True if the copy lacks anything that the store had.
  package var losesAnything: Bool {
    !lostObjects.isEmpty || !lostValues.isEmpty || !lostLinks.isEmpty || !droppedRules.isEmpty
      || !lostRecords.isEmpty || !uncountedClasses.isEmpty || !olderVersions.isEmpty || !schemaChanges.isEmpty
  }

  mutating func loseObjects(of className: String, _ count: Int) {
    if count > 0 { lostObjects[className, default: 0] += count }
  }

  mutating func loseValues(_ property: String, _ count: Int) { lostValues[property, default: 0] += count }
  mutating func loseLinks(_ property: String, _ count: Int) { lostLinks[property, default: 0] += count }

  mutating func lose(pages: Int, records: [(table: String, count: Int?)]) {
    damagedPages = pages
    for (table, count) in records { lostRecords[table] = .some(count) }
  }

  mutating func note(_ problem: String) {
    if problems.count < Self.limit, !problems.contains(problem) { problems.append(problem) }
  }

  /// The report for people.
  package func text() -> String {
    var text = problems.map { "met: \($0)\n" }.joined()
    for older in olderVersions { text += "older: \(older)\n" }
    for change in schemaChanges { text += "changed: \(change)\n" }
    for (name, count) in savedObjects.sorted(by: { $0.key < $1.key }) { text += "saved: \(count) objects of \(name)\n" }
    for name in uncountedClasses.sorted() {
      text += "lost: perhaps more objects of \(name): how many there were is not known\n"
    }
    for (name, count) in lostObjects.sorted(by: { $0.key < $1.key }) { text += "lost: \(count) objects of \(name)\n" }
    for (name, count) in lostValues.sorted(by: { $0.key < $1.key }) { text += "lost: \(count) values of \(name)\n" }
    for (name, count) in lostLinks.sorted(by: { $0.key < $1.key }) {
      text += "lost: \(count) links of \(name), whose objects are lost\n"
    }
    if damagedPages > 0 { text += "damaged: pages of the file, with \(damagedPages) faults\n" }
    for (name, count) in lostRecords.sorted(by: { $0.key < $1.key }) {
      text += "lost: \(count.map { "\($0)" } ?? "an unknown number of") records of the table \(name)\n"
    }
    for rule in droppedRules { text += "left out: the rule that values are unique together in \(rule)\n" }
    return text + "\(outcome)\n"
  }

  /// Writes what was saved, lost and met as a table, and the outcome.
  package func page(
    store: String, as form: OutputForm, fitting width: Int? = nil, lineEnd: String = CSVText.lineEnd
  ) -> String {
    var page = TablePage("Repair of \(store)", form, fitting: width, lineEnd: lineEnd)
    var table = TextTable([.init("outcome"), .init("what"), .init("count", isNumeric: true)])
    func add(_ outcome: String, _ counts: [String: Int], _ what: (String) -> String) {
      for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
        table.append([outcome, what(name), String(count)])
      }
    }
    add("saved", savedObjects) { "objects of \($0)" }
    for name in uncountedClasses.sorted() { table.append(["lost", "perhaps more objects of \(name)", "not known"]) }
    add("lost", lostObjects) { "objects of \($0)" }
    add("lost", lostValues) { "values of \($0)" }
    add("lost", lostLinks) { "links of \($0), whose objects are lost" }
    for (name, count) in lostRecords.sorted(by: { $0.key < $1.key }) {
      table.append(["lost", "records of the table \(name)", count.map { String($0) } ?? "not known"])
    }
    if damagedPages > 0 { table.append(["damaged", "faults of pages of the file", String(damagedPages)]) }
    for rule in droppedRules { table.append(["left out", "the rule that values are unique together in \(rule)", ""]) }
    for (outcome, sentences) in [("older", olderVersions), ("changed", schemaChanges), ("met", problems)] {
      for sentence in sentences { table.append([outcome, sentence, ""]) }
    }
    page.add(nil, table)
    page.say(outcome)
    return page.finish()
  }

  private var outcome: String { "\(objects) objects saved; version \(version)" }

  /// The report as one JSON object.
  package func json() -> String {
    let records = lostRecords.sorted { $0.key < $1.key }.map { ($0.key, JSONValue($0.value)) }
    let report: JSONValue = [
      "objects": .init(objects), "version": .init(version), "lostObjects": .init(sorted: lostObjects),
      "savedObjects": .init(sorted: savedObjects), "uncountedClasses": .init(uncountedClasses.sorted()),
      "olderVersions": .init(olderVersions), "schemaChanges": .init(schemaChanges),
      "lostValues": .init(sorted: lostValues), "lostLinks": .init(sorted: lostLinks),
      "damagedPages": .init(damagedPages), "lostRecords": .init(records), "droppedRules": .init(droppedRules),
      "problems": .init(problems),
    ]
    return report.line
  }
}
