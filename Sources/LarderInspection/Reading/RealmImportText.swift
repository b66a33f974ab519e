import LarderExchange
import LarderRealmImport

/// What an import of a `.realm` file did, as a table and as JSON.
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
    var text = table.isEmpty ? "" : table.render(fitting: width)
    for notice in report.notices { text += "\(notice.className).\(notice.property) \(notice.why)\n" }
    for fault in report.faults { text += "in the file: \(VisibleText.line(fault))\n" }
    for table in report.skippedTables {
      let objects = table.objects.map { " with \(count($0, "object"))" } ?? ""
      text += "not carried: table '\(table.name)'\(objects): \(table.why)\n"
    }
    for omission in report.omissions.prefix(Self.shown) { text += "not carried: \(VisibleText.line("\(omission)"))\n" }
    let others = report.omissionCount - min(report.omissionCount, Self.shown)
    if others > 0 { text += "not carried: \(others) more; --report writes them to a file\n" }
    let what = count(report.objects, "object") + " of " + count(report.classes.count, "class", "classes")
    return text + "\(what) \(isRehearsal ? "would be imported" : "imported"); schema version \(report.schemaVersion)\n"
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
      "faults": .init(report.faults),
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
