/// The difference of two texts in the form that `patch` takes.
package struct UnifiedDiff {
  private enum Line {
    case common(String)
    case removed(String)
    case inserted(String)
  }

  private static let context = 3

  /// Empty for equal texts.
  package static func text(path: String, before: SourceText, after: SourceText) -> String {
    guard before != after else { return "" }
    let lines = merged(split(before), split(after))
    var result = "--- \(path)\n+++ \(path)\n"
    var oldLine = 1
    var newLine = 1
    var start = 0
    for hunk in hunks(lines) {
      for line in lines[start..<hunk.lowerBound] { advance(&oldLine, &newLine, line) }
      result += text(of: lines[hunk], from: oldLine, newLine)
      for line in lines[hunk] { advance(&oldLine, &newLine, line) }
      start = hunk.upperBound
    }
    return result
  }

  /// Lines with what ends them, so that a last line without an end differs from one with it.
  private static func split(_ text: SourceText) -> [String] {
    text.bytes.split(separator: Ascii.newline, omittingEmptySubsequences: false).enumerated().compactMap {
      index, line in
      let end = text.bytes.count
      let isLast = line.endIndex == end
      if isLast { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
      return String(decoding: line, as: UTF8.self) + "\n"
    }
  }

  private static func merged(_ before: [String], _ after: [String]) -> [Line] {
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in after.difference(from: before) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var result: [Line] = []
    var old = 0
    var new = 0
    while old < before.count || new < after.count {
      if removed.contains(old) {
        result.append(.removed(before[old]))
        old += 1
      } else if inserted.contains(new) {
        result.append(.inserted(after[new]))
        new += 1
      } else {
        result.append(.common(before[old]))
        old += 1
        new += 1
      }
    }
    return result
  }

  /// Ranges of changed lines with their neighbours; those that touch are one.
  private static func hunks(_ lines: [Line]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for (index, line) in lines.enumerated() {
      if case .common = line { continue }
      let range = max(0, index - context)..<min(lines.count, index + context + 1)
      if let last = result.last, last.upperBound >= range.lowerBound {
        result[result.count - 1] = last.lowerBound..<range.upperBound
      } else {
        result.append(range)
      }
    }
    return result
  }

  private static func advance(_ old: inout Int, _ new: inout Int, _ line: Line) {
    switch line {
    case .common:
      old += 1
      new += 1
    case .removed: old += 1
    case .inserted: new += 1
    }
  }

  private static func text(of lines: ArraySlice<Line>, from old: Int, _ new: Int) -> String {
    var oldEnd = old
    var newEnd = new
    var body = ""
    for line in lines {
      advance(&oldEnd, &newEnd, line)
      switch line {
      case .common(let text): body += marked(" ", text)
      case .removed(let text): body += marked("-", text)
      case .inserted(let text): body += marked("+", text)
      }
    }
    return "@@ -\(span(old, oldEnd)) +\(span(new, newEnd)) @@\n" + body
  }

  private static func span(_ start: Int, _ end: Int) -> String {
    end == start ? "\(start - 1),0" : "\(start),\(end - start)"
  }

  private static func marked(_ mark: String, _ text: String) -> String {
    text.utf8.last == Ascii.newline ? mark + text : mark + text + "\n\\ No newline at end of file\n"
  }
}
