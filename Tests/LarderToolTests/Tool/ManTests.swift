import Foundation
import TestSupport
import Testing

@testable import LarderTool

/// The manual page is made of the verbs themselves.
@Suite struct ManTests {
  @Test("The manual page has every verb with every option, and man can read it")
  func page() throws {
    let page = try expectLarder("man")
    let dump = LarderCommand._dumpHelp()
    let root = try #require(try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any])
    let command = try #require(root["command"] as? [String: Any])
    let verbs = try #require(command["subcommands"] as? [[String: Any]])
    var checked = 0
    for verb in verbs where verb["commandName"] as? String != "help" {
      let name = try #require(verb["commandName"] as? String)
      let start = try #require(page.range(of: "\n.SS \(name)\n"), "\(name)")
      let section = page[start.upperBound...].components(separatedBy: "\n.SS ")[0]
      for argument in verb["arguments"] as? [[String: Any]] ?? [] where argument["shouldDisplay"] as? Bool == true {
        for option in argument["names"] as? [[String: String]] ?? [] {
          let text = (option["kind"] == "long" ? "--" : "-") + (option["name"] ?? "")
          guard text != "--help", text != "-h", text != "--version" else { continue }
          #expect(section.contains("\\fB\(text.replacing("-", with: "\\-"))\\fR"), "\(name) \(text)")
          checked += 1
        }
      }
    }
    #expect(verbs.count > 20 && checked > 80)
    // Examples are copied from a terminal of 80 columns.
    for verb in verbs {
      let lines = (verb["discussion"] as? String ?? "").split(separator: "\n").filter { $0.hasPrefix(" ") }
      for line in lines { #expect(line.count <= 80, "\(line)") }
    }
    for status in ["0", "1", "2", "3"] { #expect(page.contains("\n.B \(status)\n")) }
    // No line that man would take for a request it does not know.
    let known = [".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".I", ".nf", ".fi"]
    for line in page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(known.contains(String(line.prefix { $0 != " " })), "\(line)")
    }
  }
}
