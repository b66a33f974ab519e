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
    for (loss, values) in zip(report.losses, report.lostValues) {
      lines.append("\(isDryRun ? "Would lose" : "Lost"): \(text(loss, values))")
    }
    lines += report.hints
    lines.append("\(store): \(versions); \(report.version.map { "store version \($0)" } ?? reason)")
    return lines.joined(separator: "\n") + "\n"
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
      if case .link(let name, _) = value { name.text } else { JSONText.value(value) }
    }
    return "\(name(loss).text).\(property) = \(texts.joined(separator: ", "))"
  }

  /// Each value, those of a map after their keys.
  private func values(_ loss: MigrationLoss, _ values: [ShownValue], _ text: (ShownValue) -> String) -> [String] {
    let texts = values.map(text)
    return loss.mapKeys.isEmpty ? texts : zip(loss.mapKeys, texts).map { "\(JSONText.quote($0)): \($1)" }
  }

  package func json() -> String {
    let losses = zip(report.losses, report.lostValues).map { loss, shown in
      var parts = ["\"class\": \(JSONText.quote(loss.className))", "\"key\": \(loss.key.rawValue)"]
      if let primaryKey = loss.primaryKey { parts.append("\"primaryKey\": \(JSONText.value(primaryKey))") }
      if let property = loss.property {
        parts.append("\"property\": \(JSONText.quote(property))")
        let texts = values(loss, shown) { JSONText.value($0) }.joined(separator: ", ")
        parts.append("\"values\": \(loss.mapKeys.isEmpty ? "[\(texts)]" : "{\(texts)}")")
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
