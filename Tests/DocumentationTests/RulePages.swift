import Foundation

/// The pages of `docs/rules`, and where the repository names their rules.
struct RulePages {
  struct Rule {
    /// The mark of the rule, such as `O-3`.
    var mark: String
    var text: String
    /// File and line.
    var place: String

    /// True if the page says why no test names it.
    var saysWhyUntested: Bool { text.contains("*(no test: ") }
  }

  private let documentation = Documentation()

  /// The rules of all pages, in the order of the pages.
  func rules() throws -> [Rule] {
    try files(in: "docs/rules", ["md"]).flatMap { path in
      var found: [Rule] = []
      for (number, line) in try text(path).split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        if let match = line.firstMatch(of: /^(?:- |\| )\*\*((?:MR|[A-Z])-[0-9]+[a-d]?)\*\*/) {
          let rest = line[match.range.upperBound...].drop { " |".contains($0) }
          found.append(Rule(mark: String(match.output.1), text: String(rest), place: "\(path):\(number + 1)"))
        } else if line.hasPrefix("  "), !found.isEmpty {
          found[found.count - 1].text += line.dropFirst()
        }
      }
      return found
    }
  }

  /// Finds the marks of rules in the files of some folders: the first file of each mark.
  func citations(in folders: [String]) throws -> [String: String] {
    var found: [String: String] = [:]
    for folder in folders {
      for path in try files(in: folder, ["swift", "json", "md", "py"]) where !path.hasPrefix("docs/rules/") {
        for mark in Self.marks(in: try data(path)) where found[mark] == nil { found[mark] = path }
      }
    }
    return found
  }

  /// Every `O-3` of a file. By bytes: a regular expression takes half a minute for the repository.
  static func marks(in text: Data) -> Set<String> {
    let letters = Set("CEFLMNOQRSUY".utf8)
    var found: Set<String> = []
    var start = text.startIndex
    while let hyphen = text[start...].firstIndex(of: UInt8(ascii: "-")) {
      start = hyphen + 1
      guard hyphen > text.startIndex, letters.contains(text[hyphen - 1]) else { continue }
      var first = hyphen - 1
      // `MR` is the only page with two letters.
      if first > text.startIndex, text[first - 1...first].elementsEqual("MR".utf8) { first -= 1 }
      guard first == text.startIndex || !isWord(text[first - 1]) else { continue }
      let digits = text[start...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      var end = digits.endIndex
      if end < text.endIndex, (UInt8(ascii: "a")...UInt8(ascii: "d")).contains(text[end]) { end += 1 }
      guard !digits.isEmpty, end == text.endIndex || !isWord(text[end]) else { continue }
      found.insert(String(decoding: text[first..<end], as: UTF8.self))
    }
    return found
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
  }

  private func data(_ path: String) throws -> Data {
    try Data(contentsOf: documentation.root.appendingPathComponent(path))
  }

  private func text(_ path: String) throws -> String { String(decoding: try data(path), as: UTF8.self) }

  /// Paths from the root, sorted.
  private func files(in folder: String, _ extensions: Set<String>) throws -> [String] {
    let start = documentation.root.appendingPathComponent(folder)
    let names = FileManager.default.enumerator(atPath: start.path)?.compactMap { $0 as? String } ?? []
    return names.filter { extensions.contains(($0 as NSString).pathExtension) }.sorted().map { "\(folder)/\($0)" }
  }
}
