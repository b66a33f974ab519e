/// A finding as it is shown: where it is, the line as it is, and the line to write instead.
package struct LocatedFinding: Sendable, Equatable {
  package let kind: Finding.Kind
  package let path: String
  package let position: SourcePosition
  /// The first line that it is about.
  package let line: String
  /// The text to write instead of the lines it is about; nil where only the advice can be given.
  package let replacement: String?
  package let advice: String

  /// Places are those of the file as it is now: the rewritten one, or the one that was read if nothing is written.
  init(_ finding: Finding, in outcome: FileOutcome, isWritten: Bool) {
    let edits = isWritten ? outcome.edits : EditList()
    let source = isWritten ? outcome.after : outcome.before
    let start = edits.moved(finding.range.lowerBound)
    kind = finding.kind
    path = outcome.path
    advice = finding.advice
    position = source.position(at: start)
    line = source.lines(touching: start..<start).first ?? ""
    replacement = Self.replacement(finding.suggestion, edits, source)
  }

  private static func replacement(_ suggestion: [Edit], _ edits: EditList, _ source: SourceText) -> String? {
    let moved = suggestion.compactMap { edits.moved($0) }
    guard !moved.isEmpty, moved.count == suggestion.count, let list = try? EditList(moved) else { return nil }
    let first = moved.map(\.range.lowerBound).min() ?? 0
    let last = moved.map(\.range.upperBound).max() ?? 0
    let after = list.applied(to: source)
    let start = source.lineStart(at: first)
    let end = list.moved(source.lineEnd(at: max(first, last - 1)))
    guard start <= end, end <= after.count else { return nil }
    return after.text(start..<end)
  }
}
