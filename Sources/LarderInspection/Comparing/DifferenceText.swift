import LarderExchange

/// Differences of stores as text.
package enum DifferenceText {
  /// A line for the object and, where it was modified, one for each property.
  package static func text(_ change: StoreDifference.Change) -> String {
    let head = change.name.text
    guard !change.isFromLog else { return fromLog(change, head) }
    switch change.kind {
    case .inserted: return "+ \(head)  \(values(change) { $0.new })\n"
    case .deleted: return "- \(head)  \(values(change) { $0.old })\n"
    case .modified:
      let width = change.values.map { DisplayWidth.of($0.property) }.max() ?? 0
      return change.values.reduce("~ \(head)\n") { text, value in
        let space = String(repeating: " ", count: width - DisplayWidth.of(value.property))
        return text + "    \(value.property)\(space)  \(value.old ?? "no property") → \(value.new ?? "no property")\n"
      }
    }
  }

  /// A change that the log tells of: values before are known only where that version is still in the file.
  private static func fromLog(_ change: StoreDifference.Change, _ head: String) -> String {
    switch change.kind {
    case .deleted:
      let values = values(change) { $0.old }
      return "- \(head)\(values.isEmpty ? "" : "  \(values)")\n"
    case .inserted:
      let values = values(change) { $0.new }
      return "+ \(head)\(values.isEmpty ? "" : "  \(values)")\n"
    case .modified:
      let width = change.values.map { DisplayWidth.of($0.property) }.max() ?? 0
      return change.values.reduce("~ \(head)\n") { text, value in
        let space = String(repeating: " ", count: width - DisplayWidth.of(value.property))
        let old = value.old ?? (change.knowsOld ? "no property" : "not kept")
        return text + "    \(value.property)\(space)  \(old) → \(value.new ?? "changed again since")\n"
      }
    }
  }

  /// Titles of `rows`.
  package static let columns: [TableWriter.Column] = [
    .init("change"), .init("object"), .init("property"), .init("old"), .init("new"),
  ]

  /// A row for each property that differs, or was inserted or deleted with its object. Values are as in text; what is not there is empty.
  package static func rows(_ change: StoreDifference.Change) -> [[String]] {
    let head = [change.kind.rawValue, change.name.text]
    let rows = change.values.map { value -> [String] in
      let isLost = change.isFromLog && change.kind == .modified
      let old = value.old ?? (isLost && !change.knowsOld ? "not kept" : "")
      return head + [value.property, old, value.new ?? (isLost ? "changed again since" : "")]
    }
    return rows.isEmpty ? [head + ["", "", ""]] : rows
  }

  /// Titles of `summaryRow`.
  package static let summaryColumns: [TableWriter.Column] = [
    .init("class"), .init("inserted", isNumeric: true), .init("deleted", isNumeric: true),
    .init("modified", isNumeric: true),
  ]

  package static func summaryRow(_ className: String, _ counts: [StoreDifference.Change.Kind: Int]) -> [String] {
    let kinds: [StoreDifference.Change.Kind] = [.inserted, .deleted, .modified]
    return [className] + kinds.map { String(counts[$0] ?? 0) }
  }

  private static func values(
    _ change: StoreDifference.Change, _ side: ((property: String, old: String?, new: String?)) -> String?
  ) -> String {
    change.values.compactMap { value in side(value).map { "\(value.property) \($0)" } }.joined(separator: ", ")
  }

  /// The change as one JSON object on a line.
  package static func json(_ change: StoreDifference.Change) -> String {
    let values = change.values.map { value -> (String, JSONValue?) in
      let sides: JSONValue = [
        "old": value.old.map { .init(written: $0) }, "new": value.new.map { .init(written: $0) },
      ]
      return (value.property, sides)
    }
    let line: JSONValue = [
      "change": .init(change.kind.rawValue), "class": .init(change.name.className),
      "object": .init(written: change.name.json), "values": .init(values),
    ]
    return line.line
  }

  /// Writes the number of objects of a class that were inserted, deleted and modified.
  package static func summary(
    _ className: String, _ counts: [StoreDifference.Change.Kind: Int], json: Bool
  ) -> String {
    let (inserted, deleted) = (counts[.inserted] ?? 0, counts[.deleted] ?? 0)
    let modified = counts[.modified] ?? 0
    let value: JSONValue = [
      "class": .init(className), "inserted": .init(inserted), "deleted": .init(deleted), "modified": .init(modified),
    ]
    return json
      ? value.line
      : "\(className): \(inserted) inserted, \(deleted) deleted, \(modified) modified\n"
  }
}
