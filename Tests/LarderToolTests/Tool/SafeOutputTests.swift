import Foundation
import LarderInspection
import TestSupport
import Testing

/// The output of a store's texts, on a terminal and in a file.
@Suite struct SafeOutputTests {
  /// Everything that a terminal may obey, or that turns a line around.
  private static let evil = "a\u{1B}[2Jb\u{9B}1m\u{7F}c\u{202E}d\u{2066}e\u{2069}f\u{61C}g\u{200E}h\u{200F}i"

  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Two stores that differ in one object.
  private func stores(_ directory: TemporaryDirectory) throws -> (String, String) {
    let (store, other) = (directory.file("s.larder"), directory.file("t.larder"))
    let csv = try directory.write("id,name\n1,\(Self.evil)\n", to: "a.csv")
    try expectLarder("import", csv, "--into", store, "--class", "A", "--primary-key", "id")
    try expectLarder("backup", store, other)
    try expectLarder("edit", other, "A", "1", "--set", "name=x", "--write")
    return (store, other)
  }

  @Test("F-73: no control character and no mark of direction of a store reaches a terminal, whatever the verb and form")
  func terminals() throws {
    try withTemporaryDirectory { directory in
      let (store, other) = try stores(directory)
      for arguments in [
        ["query", store, "A"], ["query", store, "A", "--format", "csv"], ["query", store, "A", "--json"],
        ["query", store, "A", "--group-by", "name"], ["query", store, "A", "--group-by", "name", "--format", "csv"],
        ["inspect", store, "A", "1"], ["inspect", store, "A", "1", "--json"], ["diff", store, other],
        ["diff", store, other, "--json"], ["dump", store], ["export", store, "--class", "A"],
        ["export", store, "--class", "A", "--format", "csv"], ["edit", store, "A", "1", "--set", "name=y"],
        ["query", store, "A", "name == '\(Self.evil)\u{1B}'"], ["query", store, "A", "name = \u{202E}"],
      ] {
        let shown = try onTerminal(arguments, environment: ["NO_COLOR": "1"])
          // The tool's own: how far it is.
          .replacing("\r\u{1B}[K", with: "").replacing("\r", with: "")
        #expect(!shown.unicodeScalars.contains(where: Self.isHarmful), "\(arguments): \(shown.debugDescription)")
        #expect(!shown.isEmpty)
      }
    }
  }

  @Test("F-73: JSON escapes them and keeps the value; CSV and dumps in files and pipes have every byte")
  func files() throws {
    try withTemporaryDirectory { directory in
      let (store, _) = try stores(directory)
      for arguments in [["query", store, "A", "--json"], ["inspect", store, "A", "1", "--json"]] {
        let json = try WorkerProcess.run("larder", arguments).output
        #expect(!json.unicodeScalars.contains(where: Self.isHarmful) && json.contains("\\u202e"), "\(json)")
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect(object?["name"] as? String == Self.evil)
      }
      #expect(try expectLarder("query", store, "A", "--format", "csv") == "id,name\n1,\(Self.evil)\n")
      let dump = try expectLarder("dump", store)
      #expect(dump.contains("c\u{202E}d\u{2066}e\u{2069}f\u{61C}g\u{200E}h\u{200F}i"), "\(dump.debugDescription)")
      // What a terminal is shown of a dump is the same JSON.
      let shown = try onTerminal(["dump", store]).replacing("\r\u{1B}[K", with: "")
      let last = { (text: String) in
        try JSONSerialization.jsonObject(with: Data((text.split(separator: "\n").last ?? "").utf8))
      }
      #expect(try last(shown) as? NSDictionary == last(dump) as? NSDictionary, "\(shown.debugDescription)")
    }
  }

  @Test("F-73: text for a terminal keeps lines and tabs, and shows the rest as pictures or as JSON does")
  func texts() {
    #expect(ScreenText.safe("a\tb\r\nc\n") == "a\tb\nc\n")
    #expect(ScreenText.safe("a\rb\r") == "a⏎b⏎" && ScreenText.safe("\u{1B}[m\u{9B}") == "␛[m\\u{9b}")
    #expect(ScreenText.safe("\u{200F}x\u{1B}", .json) == "\\u200fx\\u001b")
    #expect(ScreenText.safe("Größe 東京 👍🏽") == "Größe 東京 👍🏽")
  }
}
