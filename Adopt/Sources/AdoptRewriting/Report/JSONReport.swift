/// The report as JSON: stable names, for programs.
package struct JSONReport: Encodable {
  package struct File: Encodable {
    package let path: String
    package let state: String
    package let edits: Int
    package let diff: String?
  }

  package struct Item: Encodable {
    package let kind: String
    package let path: String
    package let line: Int
    package let column: Int
    package let text: String
    package let replacement: String?
    package let advice: String
  }

  package struct Summary: Encodable {
    package let files: Int
    package let changed: Int
    package let faulty: Int
    package let edits: Int
    package let left: Int
    package let dryRun: Bool
  }

  package let files: [File]
  package let findings: [Item]
  package let summary: Summary

  package init(_ report: AdoptionReport) {
    files = report.outcomes.map { outcome in
      let diff = UnifiedDiff.text(path: outcome.path, before: outcome.before, after: outcome.after)
      return File(
        path: outcome.path, state: "\(outcome.state)", edits: outcome.edits.edits.count,
        diff: report.isDryRun ? diff : nil)
    }
    findings = report.findings.map { finding in
      Item(
        kind: finding.kind.rawValue, path: finding.path, line: finding.position.line, column: finding.position.column,
        text: finding.line, replacement: finding.replacement, advice: finding.advice)
    }
    summary = Summary(
      files: report.outcomes.count, changed: report.changedCount, faulty: report.faultyCount, edits: report.editCount,
      left: report.findings.count, dryRun: report.isDryRun)
  }
}
