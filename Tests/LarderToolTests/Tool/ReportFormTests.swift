import Foundation
import LarderExchange
import TestSupport
import Testing

/// The reports of verbs that change or make stores, as Markdown and as pages.
@Suite struct ReportFormTests {
  /// A text of a store that must not become markup.
  private static let hostile = "<script>alert('x')</script>|`*_[a](b)\"&amp;\u{1B}[31m\u{202E}"

  /// Objects with hostile texts.
  private func store(_ directory: TemporaryDirectory) throws -> String {
    let store = directory.file("<b>&.larder")
    let lines = (0..<8).map { "{\"id\": \($0), \"name\": \(JSONText.quote("\(Self.hostile) \($0)"))}\n" }
    try expectLarder(
      "import", try directory.write(lines.joined(), to: "t.jsonl"), "--into", store, "--class", "T", "--primary-key",
      "id")
    return store
  }

  private func expectPage(_ page: String, _ words: String...) {
    #expect(page.hasPrefix("<!doctype html>\n") && page.hasSuffix("</body>\n</html>\n"), "\(page)")
    for marks in ["<script", "<b>", "\u{1B}", "\u{202E}"] { #expect(!page.contains(marks), "\(page)") }
    for word in words { #expect(page.contains(word), "\(word): \(page)") }
  }

  private func expectMarkdown(_ text: String, _ words: String...) {
    #expect(text.hasPrefix("# ") && !text.replacing("\\<", with: "").contains("<"), "\(text)")
    for line in text.split(separator: "\n") where line.hasPrefix("|") {
      #expect(line.hasSuffix(" |") || line.hasSuffix("| "), "\(line)")
    }
    for marks in ["\u{1B}", "\u{202E}"] { #expect(!text.contains(marks), "\(text)") }
    for word in words { #expect(text.contains(word), "\(word): \(text)") }
  }

  @Test("F-73: a migration reports its steps and losses in every form, with the exit codes of the text")
  func migrations() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let file = try directory.write(
        "{\"classes\": {\"T\": {\"properties\": {\"id\": \"int primary\"}}}}", to: "f.json")
      let page = try larder("migrate", store, file, "--write", "--format", "html")
      #expect(page.status == 4)
      expectPage(page.output, "<h2>Would be lost</h2>", "<td class=\"n\">8</td>", "nothing was written", "would be")
      let dry = try expectLarder("migrate", store, file, "--format", "markdown")
      expectMarkdown(dry, "\n## Would be lost\n", "| T | name | 8 |", "T 0.name", "; …", "schemaVersion")
      let vertical = try expectLarder("migrate", store, file, "--vertical")
      #expect(vertical.contains("property  name\n") && vertical.contains("lost      8\n"), "\(vertical)")
      #expect(
        try expectLarder("migrate", store, file, "--format", "json") == expectLarder("migrate", store, file, "--json"))
      let done = try expectLarder("migrate", store, file, "--write", "--accept-loss", "--format", "markdown")
      expectMarkdown(done, "\n## Lost\n", "has been", "store version 2")
      expectMarkdown(try expectLarder("migrate", store, file, "--format", "markdown"), "No differences.")
    }
  }

  @Test("F-73: a repair reports what it saved and lost in every form, with the exit codes of the text")
  func repairs() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      func repaired(_ store: String, _ form: String) throws -> (status: Int32, output: String) {
        let result = try larder("repair", store, "--into", directory.file("\(UUID()).larder"), "--format", form)
        return (result.status, result.output)
      }
      let page = try repaired(store, "html")
      #expect(page.status == 0)
      expectPage(page.output, "<td>objects of T</td><td class=\"n\">8</td>", "8 objects saved")
      let markdown = try repaired(store, "markdown")
      expectMarkdown(markdown.output, "| saved | objects of T | 8 |", "\n8 objects saved; version ")
      #expect(try repaired(store, "csv").output == "outcome,what,count\nsaved,objects of T,8\n")
      var bytes = try Data(contentsOf: URL(fileURLWithPath: store))
      var start = bytes.startIndex
      while let found = bytes.range(of: Data("alert('x')".utf8), in: start..<bytes.endIndex) {
        bytes[found.lowerBound] ^= 1
        start = found.upperBound
      }
      let damaged = directory.file("damaged.larder")
      try bytes.write(to: URL(fileURLWithPath: damaged))
      let lossy = try repaired(damaged, "html")
      #expect(lossy.status == 1)
      expectPage(lossy.output, "<td>lost</td>", "<td>values of T.name</td>", "<td>met</td>")
      expectMarkdown(try repaired(damaged, "markdown").output, "| lost | values of T.name | ")
    }
  }

  @Test("F-157: rows of reports that are CSV end with CR and LF where they are to")
  func windowsRows() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let earlier = directory.file("earlier.larder")
      try FileManager.default.copyItem(atPath: store, toPath: earlier)
      try expectLarder(
        "import", try directory.write("{\"id\": 8, \"name\": \"new\"}\n", to: "u.jsonl"), "--into", store, "--class",
        "T", "--write")
      let verbs = [
        ["classes", store], ["schema", store], ["du", store], ["check", store], ["advise", store, "T", "name == 'x'"],
        ["explain", store, "T", "id == 1"], ["diff", earlier, store], ["watch", store, "T", "--changes", "0"],
        ["sql", store, "SELECT id FROM T", "--explain"], ["query", store, "T", "--count", "--group-by", "id"],
        ["query", store, "T", "--explain"],
      ]
      for verb in verbs {
        let plain = try larder(arguments: verb + ["--format", "csv"]).output
        let windows = try larder(arguments: verb + ["--format", "csv", "--crlf"]).output
        let ends = (plain: plain.utf8.filter { $0 == 10 }.count, windows: windows.utf8.filter { $0 == 13 }.count)
        #expect(ends.plain > 0 && !plain.utf8.contains(13), "\(verb): \(plain)")
        guard verb[0] != "explain", !verb.contains("--explain") else {
          // Times differ.
          #expect(ends.windows == ends.plain, "\(verb): \(windows)")
          continue
        }
        #expect(windows == plain.replacing("\n", with: "\r\n"), "\(verb): \(windows)")
      }
      let repaired = try larder("repair", store, "--into", directory.file("r.larder"), "--format", "csv", "--crlf")
      #expect(repaired.output == "outcome,what,count\r\nsaved,objects of T,9\r\n")
    }
  }

  @Test("U-41: the report of an import of a .realm file is a page or Markdown where its name says so")
  func realmFiles() throws {
    try withTemporaryDirectory { directory in
      let sample = "\(fixtures)/realm/types.realm"
      func report(_ name: String) throws -> String {
        let file = directory.file(name)
        let result = try larder("import", sample, "--into", directory.file("s.larder"), "--dry-run", "--report", file)
        #expect(result.status == 1, "\(result)")
        return try String(contentsOfFile: file, encoding: .utf8)
      }
      let json = try #require(try JSONSerialization.jsonObject(with: Data(report("r.json").utf8)) as? [String: Any])
      let omissions = try #require(json["omissions"] as? [[String: Any]])
      #expect(!omissions.isEmpty)
      for name in ["r.html", "r.HTM"] {
        let page = try report(name)
        expectPage(page, "<h2>Classes</h2>", "<h2>Not carried</h2>", "would be imported", "table &#39;metadata&#39;")
        #expect(
          page.components(separatedBy: "<tr>").count - 1 == omissions.count + 2
            + (json["classes"] as? [Any] ?? []).count)
      }
      let markdown = try report("r.md")
      expectMarkdown(markdown, "\n## Classes\n", "\n## Not carried\n", "| class | key | property | not carried |")
      #expect(try markdown == report("r.markdown"))
    }
  }
}
