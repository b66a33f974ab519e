import LarderExchange
import LarderRealmImport

/// The report of an import of a `.realm` file, as text, tables and JSON.
package struct RealmImportText {
  private let report: RealmImportReport
  /// So many omissions have a line each.
  private static let shown = 20

  package init(_ report: RealmImportReport) { self.report = report }

  /// Classes with their numbers of objects, and after them what is not in the store.
  ///
  /// - Parameters:
  ///   - width: Characters in a line of the table; nil: as many as there are.
  ///   - isRehearsal: Nothing was made.
  package func text(width: Int? = nil, isRehearsal: Bool = false) -> String {
    let table = classes
    var text = table.isEmpty ? "" : table.render(fitting: width)
    for sentence in sentences { text += "\(VisibleText.line(sentence))\n" }
    for omission in report.omissions.prefix(Self.shown) { text += "not carried: \(VisibleText.line("\(omission)"))\n" }
    let others = report.omissionCount - min(report.omissionCount, Self.shown)
    if others > 0 { text += "not carried: \(others) more; --report writes them to a file\n" }
    return text + outcome(isRehearsal) + "\n"
  }

  /// The whole report: the classes, what was not carried, and the outcome.
  ///
  /// - Parameters:
  ///   - file: What was imported.
  ///   - form: Any but JSON and CSV, which holds one table.
  package func page(of file: String, as form: OutputForm, isRehearsal: Bool = false) -> String {
    var page = TablePage("Import of \(file)", form, fitting: nil)
    page.add("Classes", classes)
    var table = TextTable([.init("class"), .init("key", isNumeric: true), .init("property"), .init("not carried")])
    for omission in report.omissions {
      table.append([omission.className, "\(omission.key)", omission.property ?? "", omission.detail])
    }
    if !table.isEmpty { page.add("Not carried", table) }
    for sentence in sentences { page.say(sentence) }
    let others = report.omissionCount - report.omissions.count
    if others > 0 { page.say("not carried: \(others) more, which are only counted") }
    page.say(outcome(isRehearsal))
    return page.finish()
  }

  private var classes: TextTable {
    var table = TextTable([
      .init("class"), .init("objects", isNumeric: true), .init("carried", isNumeric: true),
      .init("links", isNumeric: true),
    ])
    for entry in report.classes {
      table.append([
        entry.isEmbedded ? "\(entry.name) (embedded)" : entry.name, "\(entry.found)", "\(entry.carried)",
        "\(entry.links)",
      ])
    }
    return table
  }

  /// The notices of properties, of the file and of tables as a whole.
  private var sentences: [String] {
    let notices = report.notices.map { "\($0.className).\($0.property) \($0.why)" }
    return notices + unresolvedLinks + report.faults.map { "in the file: \($0)" }
      + report.skippedTables.map { table in
        let objects = table.objects.map { " with \(count($0, "object"))" } ?? ""
        return "not carried: table '\(table.name)'\(objects): \(table.why)"
      }
  }

  private var unresolvedLinks: [String] {
    guard report.unresolvedLinks > 0 else { return [] }
    let links = count(report.unresolvedLinks, "link leads", "links lead")
    return ["\(links) to objects that were deleted or never synchronised: nil, as Realm reads them"]
  }

  private func outcome(_ isRehearsal: Bool) -> String {
    let what = count(report.objects, "object") + " of " + count(report.classes.count, "class", "classes")
    return "\(what) \(isRehearsal ? "would be imported" : "imported"); schema version \(report.schemaVersion)"
  }

  private func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(number == 1 ? one : many ?? one + "s")"
  }

  /// The whole report as a JSON object on a line.
  package func json(isRehearsal: Bool = false) -> String {
    let value: JSONValue = [
      "dryRun": .init(isRehearsal), "format": .init(report.format), "schemaVersion": .init(report.schemaVersion),
      "objects": .init(report.objects),
      "classes": .init(
        report.classes.map { entry in
          [
            "class": .init(entry.name), "embedded": .init(entry.isEmbedded), "found": .init(entry.found),
            "carried": .init(entry.carried), "links": .init(entry.links),
          ]
        }),
      "skippedTables": .init(
        report.skippedTables.map {
          ["table": .init($0.name), "objects": .init($0.objects as Int?), "why": .init($0.why)]
        }),
      "notices": .init(
        report.notices.map { ["class": .init($0.className), "property": .init($0.property), "why": .init($0.why)] }),
      "faults": .init(report.faults), "unresolvedLinks": .init(report.unresolvedLinks),
      "omissionCounts": .init(
        sorted: Dictionary(uniqueKeysWithValues: report.omissionCounts.map { ($0.key.rawValue, $0.value) })),
      "omissions": .init(
        report.omissions.map { omission in
          [
            "class": .init(omission.className), "key": .init(omission.key),
            "property": omission.property.map { .init($0) }, "reason": .init(omission.reason.rawValue),
            "detail": .init(omission.detail),
          ]
        }),
    ]
    return value.line
  }
}
