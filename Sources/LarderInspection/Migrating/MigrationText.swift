import LarderStorage

/// What a migration did or would do, as text or JSON.
package struct MigrationText {
  private let report: StoreMigrator.Report
  private let isDryRun: Bool

  package init(_ report: StoreMigrator.Report, isDryRun: Bool) {
    self.report = report
    self.isDryRun = isDryRun
  }

  package func text(store: String) -> String {
    let old = report.oldSchemaVersion.map { "schemaVersion \($0)" } ?? "no schema"
    var lines = report.steps.isEmpty ? ["No differences."] : report.steps
    for loss in report.losses { lines.append("\(isDryRun ? "Would lose" : "Lost"): \(text(loss))") }
    let end = report.version.map { "store version \($0)" } ?? "nothing was changed"
    lines.append("\(store): \(old) to \(report.newSchemaVersion); \(end)")
    return lines.joined(separator: "\n") + "\n"
  }

  private func text(_ loss: MigrationLoss) -> String {
    let object = loss.primaryKey.map { ValueText.short($0) } ?? "#\(loss.key.rawValue)"
    guard let property = loss.property else { return "\(loss.className) \(object)" }
    return "\(loss.className) \(object).\(property) = \(values(loss).joined(separator: ", "))"
  }

  private func values(_ loss: MigrationLoss) -> [String] {
    let values = loss.values.map { value in
      if case .string(let text) = value { return JSONText.quote(text) }
      return ValueText.plain(value) ?? "null"
    }
    return loss.mapKeys.isEmpty ? values : zip(loss.mapKeys, values).map { "\(JSONText.quote($0)): \($1)" }
  }

  package func json() -> String {
    let losses = report.losses.map { loss in
      var parts = ["\"class\": \(JSONText.quote(loss.className))", "\"key\": \(loss.key.rawValue)"]
      if let primaryKey = loss.primaryKey { parts.append("\"primaryKey\": \(JSONText.value(primaryKey))") }
      if let property = loss.property {
        parts.append("\"property\": \(JSONText.quote(property))")
        let values = loss.values.map { JSONText.value($0) }
        parts.append(
          loss.mapKeys.isEmpty
            ? "\"values\": [\(values.joined(separator: ", "))]"
            : "\"values\": {\(zip(loss.mapKeys, values).map { "\(JSONText.quote($0)): \($1)" }.joined(separator: ", "))}"
        )
      }
      return "    {\(parts.joined(separator: ", "))}"
    }
    return """
      {
        "dryRun": \(isDryRun),
        "oldSchemaVersion": \(report.oldSchemaVersion.map { String($0) } ?? "null"),
        "newSchemaVersion": \(report.newSchemaVersion),
        "version": \(report.version.map { String($0) } ?? "null"),
        "steps": [\(report.steps.map { "\n    " + JSONText.quote($0) }.joined(separator: ","))
        ],
        "losses": [
      \(losses.joined(separator: ",\n"))
        ]
      }

      """
  }
}
