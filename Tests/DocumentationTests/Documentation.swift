import Foundation

/// The pages of the repository, and the regions of Swift files that their examples are taken from.
struct Documentation {
  /// An example of a page, or a region of a file.
  struct Passage {
    var name: String
    /// Without the indentation that its lines have in common.
    var text: String
    /// File and line.
    var place: String
  }

  /// A link of a page to another file or article.
  struct Link {
    var target: String
    var place: String
    var leads: Bool
  }

  let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static let catalog = "Sources/Larder/Larder.docc"

  /// Fenced blocks marked as Swift, of pages and of the library's doc comments.
  func examples() throws -> [Passage] {
    try blocks("swift") + files(in: "Sources/Larder", "swift").flatMap { try blocks("swift", of: $0, docComments($0)) }
  }

  /// The lines of fenced blocks marked as a shell's that call the tool, by page.
  func commands() throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    for block in try blocks("sh") {
      let lines = block.text.split(separator: "\n").filter { $0.hasPrefix("larder ") }
      found[String(block.place.prefix { $0 != ":" }), default: []] += lines.map(String.init)
    }
    return found.filter { !$0.value.isEmpty }
  }

  private func blocks(_ language: String) throws -> [Passage] {
    try pages().flatMap { try blocks(language, of: $0, lines($0)) }
  }

  private func blocks(_ language: String, of page: String, _ lines: [Substring]) -> [Passage] {
    var found: [Passage] = []
    var open: (line: Int, text: [Substring])?
    for (number, line) in lines.enumerated() {
      let isFence = line.drop { $0 == " " }.hasPrefix("```")
      if isFence, let block = open {
        found.append(Passage(name: "", text: Self.unindented(block.text), place: "\(page):\(block.line)"))
        open = nil
      } else if isFence {
        if line.hasSuffix("```\(language)") { open = (number + 2, []) } else { open = nil }
      } else {
        open?.text.append(line)
      }
    }
    return found
  }

  /// The lines of a source file with the text of doc comments, and nothing of the code between them.
  private func docComments(_ path: String) throws -> [Substring] {
    try lines(path).map { line in
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("///") else { return "" }
      return text.dropFirst(text.hasPrefix("/// ") ? 4 : 3)
    }
  }

  /// Returns the text between `// begin: name` and `// end: name`; regions of one file with one name are one, with an empty line between
  /// the parts. Lines that mark other regions are left out.
  func regions() throws -> [Passage] {
    try files(in: "Tests/DocumentationTests/Snippets", "swift").flatMap(regions)
      + regions(of: "Tests/Workers/FirstProgram/main.swift")
      // Compiled and run with the trait OpenCombine (`.ci/check-publishers`).
      + regions(of: "Tests/LarderPublisherTests/PublishersSnippets.swift")
  }

  private func regions(of file: String) throws -> [Passage] {
    var order: [String] = []
    var found: [String: Passage] = [:]
    var open: [String: (line: Int, text: [Substring])] = [:]
    for (number, line) in try lines(file).enumerated() {
      let words = line.split(separator: " ")
      guard words.count == 3, words[0] == "//", ["begin:", "end:"].contains(words[1]) else {
        for name in open.keys { open[name]?.text.append(line) }
        continue
      }
      let name = String(words[2])
      if words[1] == "begin:" {
        open[name] = (number + 2, [])
        continue
      }
      guard let block = open.removeValue(forKey: name) else {
        throw CocoaError(.fileReadCorruptFile, userInfo: [NSLocalizedDescriptionKey: "\(file): '\(name)' ends unbegun"])
      }
      let text = Self.unindented(block.text)
      if let before = found[name] {
        found[name]?.text = before.text + "\n\n" + text
      } else {
        order.append(name)
        found[name] = Passage(name: name, text: text, place: "\(file):\(block.line)")
      }
    }
    if let name = open.keys.first {
      throw CocoaError(.fileReadCorruptFile, userInfo: [NSLocalizedDescriptionKey: "\(file): '\(name)' does not end"])
    }
    return order.compactMap { found[$0] }
  }

  /// Links to files, and to articles (`<doc:Name>`).
  func links() throws -> [Link] {
    try pages().flatMap { page in
      var found: [Link] = []
      let folder = root.appendingPathComponent(page).deletingLastPathComponent()
      for (number, line) in try lines(page).enumerated() {
        let place = "\(page):\(number + 1)"
        for match in line.matches(of: /\]\(([^()#\s]+)(#[^()\s]*)?\)/) {
          let target = String(match.1)
          if target.contains(":") { continue }
          let path = folder.appendingPathComponent(target).standardizedFileURL.path
          found.append(Link(target: target, place: place, leads: FileManager.default.fileExists(atPath: path)))
        }
        for match in line.matches(of: /<doc:([A-Za-z]+)(#[^>]*)?>/) {
          let path = root.appendingPathComponent("\(Self.catalog)/\(match.1).md").path
          found.append(Link(target: String(match.0), place: place, leads: FileManager.default.fileExists(atPath: path)))
        }
      }
      return found
    }
  }

  /// Pages by their paths in the repository.
  private func pages() throws -> [String] {
    try ["README.md", "CONTRIBUTING.md"] + files(in: "docs", "md") + files(in: Self.catalog, "md")
  }

  private func files(in folder: String, _ kind: String) throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
    return names.filter { $0.hasSuffix(".\(kind)") }.sorted().map { "\(folder)/\($0)" }
  }

  private func lines(_ path: String) throws -> [Substring] {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func unindented(_ lines: [Substring]) -> String {
    let depth = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(depth)) }.joined(separator: "\n")
  }
}
