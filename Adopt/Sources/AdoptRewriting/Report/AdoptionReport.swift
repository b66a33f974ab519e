/// The report of a run: what it did and what it left, for people and for programs.
package struct AdoptionReport: Sendable {
  package let outcomes: [FileOutcome]
  package let findings: [LocatedFinding]
  package let isDryRun: Bool

  package init(_ outcomes: [FileOutcome], isDryRun: Bool) {
    self.outcomes = outcomes
    self.isDryRun = isDryRun
    findings = outcomes.flatMap { outcome in
      outcome.findings.map { LocatedFinding($0, in: outcome, isWritten: !isDryRun) }
    }
  }

  /// True if nothing is left for a person to do.
  package var isComplete: Bool { findings.isEmpty }
  package var changedCount: Int { outcomes.count { $0.state == .changed } }
  package var faultyCount: Int { outcomes.count { $0.state == .faulty } }
  package var editCount: Int { outcomes.reduce(0) { $0 + $1.edits.edits.count } }

  /// The difference of all files that change.
  package var diff: String {
    outcomes.map { UnifiedDiff.text(path: $0.path, before: $0.before, after: $0.after) }.joined()
  }

  package var text: String {
    var result = isDryRun ? diff : ""
    for finding in findings { result += Self.text(finding) }
    return result + summary + "\n"
  }

  private static func text(_ finding: LocatedFinding) -> String {
    let place = "\(finding.path):\(finding.position.line):\(finding.position.column)"
    var result = "\(place): \(finding.kind.rawValue): \(finding.advice)\n"
    result += "    is:    \(finding.line.trimmingBlanks())\n"
    if let replacement = finding.replacement {
      let text = replacement.trimmingBlanks()
      result += text.isEmpty ? "    write: (nothing)\n" : "    write: \(text)\n"
    }
    return result
  }

  package var summary: String {
    let verb = isDryRun ? "would change" : "changed"
    var parts = [
      "\(verb) \(changedCount) of \(Self.count(outcomes.count, "file")) in \(Self.count(editCount, "place"))"
    ]
    if faultyCount > 0 { parts.append("left \(Self.count(faultyCount, "file")) with errors of syntax as they are") }
    parts.append(
      findings.isEmpty ? "nothing is left to do by hand" : "\(Self.count(findings.count, "place")) to look at by hand")
    return parts.joined(separator: "; ")
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
