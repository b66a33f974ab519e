import Foundation
import LarderLocks

/// Help and errors of the tool in the terms of its shell, where the store is there already and no `larder` is before a verb.
enum ShellText {
  /// Tells a verb that a shell has started it as a process of its own.
  static let variable = "LARDER_IN_SHELL"

  private static let flag = Lock(ProcessInfo.processInfo.environment[variable] != nil)

  /// True if this process is a shell, or a verb of one.
  static var isShell: Bool {
    get { flag.withLock { $0 } }
    set { flag.withLock { $0 = newValue } }
  }

  /// Text as the tool says it, in a shell's terms.
  static func own(_ text: String) -> String {
    var lines: [String] = []
    var isExample = false
    var isLeftOut = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if isLeftOut, line.hasPrefix("     ") { continue }
      isLeftOut = isOfTheTool(line)
      if isLeftOut { continue }
      if line == "EXAMPLE" { isExample = true } else if line.isEmpty { isExample = false }
      guard isExample, line.hasPrefix("  ") else {
        lines.append(usage(line))
        continue
      }
      // The shell has no pipes: several examples may be one here.
      if let example = example(line), lines.last != example { lines.append(example) }
    }
    return lines.joined(separator: "\n")
  }

  /// True if a line describes an argument that the shell gives: its store and its key.
  private static func isOfTheTool(_ line: String) -> Bool {
    ["  <store> ", "  --key-file <file> ", "  --into <store> ", "Help:  <store> ", "Usage: larder <subcommand>"]
      .contains {
        line.hasPrefix($0)
      }
  }

  private static func usage(_ line: String) -> String {
    var line = line
    for head in ["USAGE: ", "Usage: "] where line.hasPrefix(head + "larder ") {
      line = head + line.dropFirst(head.count + "larder ".count)
      for part in [" [--key-file <file>]", " --into <store>", " <store>"] { line = line.replacing(part, with: "") }
    }
    if let begin = line.range(of: "See 'larder "), let end = line.range(of: "' for more information") {
      let words = line[begin.upperBound..<end.lowerBound].split(separator: " ")
      let verb = words.first { $0 != "help" && !$0.hasPrefix("-") } ?? ""
      line.replaceSubrange(begin.lowerBound..<end.lowerBound, with: "See '.help\(verb.isEmpty ? "" : " \(verb)")")
    }
    return line.replacing("'larder ", with: "'")
  }

  /// An example as it is typed here; nil for one that makes no sense here.
  private static func example(_ line: String) -> String? {
    // The key is the shell's.
    guard line.hasPrefix("  larder "), !line.contains("--key-file") else { return nil }
    var text = line.dropFirst("  larder ".count)
    for end in [" | ", " > "] where !text[..<(text.range(of: end)?.lowerBound ?? text.endIndex)].contains("'") {
      text = text[..<(text.range(of: end)?.lowerBound ?? text.endIndex)]
    }
    if let pipe = text.range(of: " | jq ") { text = text[..<pipe.lowerBound] }
    var words = text.split(separator: " ", omittingEmptySubsequences: false)
    if words.first == "import", let into = words.firstIndex(of: "--into"), into + 1 < words.count {
      words.removeSubrange(into...into + 1)
    } else if let store = words.dropFirst().firstIndex(where: { $0.hasSuffix(".larder") }), store == 1 {
      words.remove(at: store)
    }
    return "  " + words.joined(separator: " ")
  }
}
