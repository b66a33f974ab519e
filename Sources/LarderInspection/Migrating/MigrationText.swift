import LarderStorage

/// What a migration did or would do, as text or JSON.
package struct MigrationText {
  private let report: StoreMigrator.Report
  private let isDryRun: Bool
  /// Why nothing was written, where nothing was.
  private let reason: String

  package init(_ report: StoreMigrator.Report, isDryRun: Bool, reason: String = "nothing was changed") {
    self.report = report
    self.isDryRun = isDryRun
    self.reason = reason
  }

  package func text(store: String) -> String {
    var lines = isDryRun ? report.steps.map { $0.replacing(" has been ", with: " would be ") } : report.steps
    if lines.isEmpty { lines.append("No differences.") }
    for loss in report.losses { lines.append("\(isDryRun ? "Would lose" : "Lost"): \(text(loss))") }
    lines += report.hints
    lines.append("\(store): \(versions); \(report.version.map { "store version \($0)" } ?? reason)")
    return lines.joined(separator: "\n") + "\n"
  }

  private var versions: String {
    guard let old = report.oldSchemaVersion else { return "no schema to schemaVersion \(report.newSchemaVersion)" }
    return old == report.newSchemaVersion
      ? "schemaVersion \(old)" : "schemaVersion \(old) to \(report.newSchemaVersion)"
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
        ],
        "hints": [\(report.hints.map(JSONText.quote).joined(separator: ", "))]
      }

      """
  }
}
