import LarderExchange
import LarderStorage

/// The report of a migration that ran, or would run, as text, tables or JSON.
package struct MigrationText {
  private let report: StoreMigrator.Report
  private let isDryRun: Bool
  /// The reason that nothing was written, where nothing was.
  private let reason: String

  package init(_ report: StoreMigrator.Report, isDryRun: Bool, reason: String = "nothing was changed") {
    self.report = report
    self.isDryRun = isDryRun
    self.reason = reason
  }

  package func text(store: String) -> String {
    var lines = steps
    for (group, shown) in zip(report.losses.groups, report.lostValues) {
      let count = "\(group.count) \(group.property == nil ? "object" : "value")\(group.count == 1 ? "" : "s")"
      lines.append("\(report.version != nil ? "Lost" : "Would lose") \(count) of \(name(group)):")
      lines += zip(group.examples, shown).map { "  \(text($0, $1))" }
      if group.count > group.examples.count { lines.append("  and \(group.count - group.examples.count) more") }
    }
    lines += report.hints
    lines.append(outcome(store))
    return lines.joined(separator: "\n") + "\n"
  }

  /// A table of the steps, one of what is lost, with examples, and the outcome.
  ///
  /// - Parameter form: Any but JSON and CSV, which holds one table.
  package func page(store: String, as form: OutputForm, fitting width: Int? = nil) -> String {
    var page = TablePage("Migration of \(store)", form, fitting: width)
    var table = TextTable([.init("step")])
    for step in steps { table.append([step]) }
    page.add(nil, table)
    var losses = TextTable([
      .init("class"), .init("property"), .init("lost", isNumeric: true), .init("examples"),
    ])
    for (group, shown) in zip(report.losses.groups, report.lostValues) {
      let examples = zip(group.examples, shown).map { text($0, $1) } + (group.count > group.examples.count ? ["…"] : [])
      losses.append([
        group.className, group.property ?? "", String(group.count), examples.joined(separator: "; "),
      ])
    }
    if !losses.isEmpty { page.add(report.version != nil ? "Lost" : "Would be lost", losses) }
    for hint in report.hints { page.say(hint) }
    page.say(outcome(store))
    return page.finish()
  }

  private var steps: [String] {
    guard !report.steps.isEmpty else { return ["No differences."] }
    return report.version != nil ? report.steps : report.steps.map { $0.replacing(" has been ", with: " would be ") }
  }

  private func outcome(_ store: String) -> String {
    "\(store): \(versions); \(report.version.map { "store version \($0)" } ?? reason)"
  }

  private func name(_ group: LossTally.Group) -> String {
    group.property.map { "\(group.className).\($0)" } ?? group.className
  }

  private var versions: String {
    guard let old = report.oldSchemaVersion else { return "no schema to schemaVersion \(report.newSchemaVersion)" }
    return old == report.newSchemaVersion
      ? "schemaVersion \(old)" : "schemaVersion \(old) to \(report.newSchemaVersion)"
  }

  private func name(_ loss: MigrationLoss) -> ObjectName {
    ObjectName(className: loss.className, key: loss.key, primaryKey: loss.primaryKey)
  }

  private func text(_ loss: MigrationLoss, _ values: [ShownValue]) -> String {
    guard let property = loss.property else { return name(loss).text }
    let texts = self.values(loss, values) { value in
      switch value {
      case .link(let name, _): name.text
      case .scalar(.null): "nil"
      default: JSONText.value(value)
      }
    }
    return "\(name(loss).text).\(property) = \(texts.joined(separator: ", "))"
  }

  /// Each value, those of a map after their keys.
  private func values(_ loss: MigrationLoss, _ values: [ShownValue], _ text: (ShownValue) -> String) -> [String] {
    let texts = values.map(text)
    return loss.mapKeys.isEmpty ? texts : zip(loss.mapKeys, texts).map { "\(JSONText.quote($0)): \($1)" }
  }

  package func json() -> String {
    let losses = zip(report.losses.groups, report.lostValues).map { group, shown -> String in
      let value: JSONValue = [
        "class": .init(group.className), "property": .init(group.property), "count": .init(group.count),
        "examples": .init(zip(group.examples, shown).map(example)),
      ]
      return "    " + value.text
    }
    return """
      {
        "dryRun": \(isDryRun),
        "refused": \(report.isRefused),
        "oldSchemaVersion": \(report.oldSchemaVersion.map { String($0) } ?? "null"),
        "newSchemaVersion": \(report.newSchemaVersion),
        "version": \(report.version.map { String($0) } ?? "null"),
        "steps": [\(report.steps.map { "\n    " + JSONText.quote($0) }.joined(separator: ","))
        ],
        "losses": [
      \(losses.joined(separator: ",\n"))
        ],
        "hints": [\(report.hints.map(JSONText.quote).joined(separator: ", "))]
      }

      """
  }

  private func example(_ loss: MigrationLoss, _ shown: [ShownValue]) -> JSONValue {
    let texts = values(loss, shown) { JSONText.value($0) }.joined(separator: ", ")
    let values = JSONValue(written: loss.mapKeys.isEmpty ? "[\(texts)]" : "{\(texts)}")
    return [
      "key": .init(loss.key.rawValue), "primaryKey": loss.primaryKey.map { .init(written: JSONText.value($0)) },
      "values": loss.property == nil ? nil : values,
    ]
  }
}
