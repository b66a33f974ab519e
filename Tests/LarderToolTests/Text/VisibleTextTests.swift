import LarderExchange
import LarderInspection
import TestSupport
import Testing

@Suite struct VisibleTextTests {
  @Test(
    "Nothing of a stored text reaches a terminal that the terminal obeys",
    arguments: [
      ("plain", "plain"), ("a\nb\r\nc", "a⏎b⏎c"), ("\u{1B}[31mred", "␛[31mred"), ("\u{7}\u{7F}\t", "␇␡␉"),
      ("\u{9B}31m", "\\u{9b}31m"), ("\u{202E}x", "\\u{202e}x"),
      ("\u{61C}a\u{200E}b\u{200F}", "\\u{61c}a\\u{200e}b\\u{200f}"), ("a\u{200D}b", "a\u{200D}b"),
      ("Größe 東京 👍🏽", "Größe 東京 👍🏽"),
    ])
  func lines(_ text: String, _ shown: String) { #expect(VisibleText.line(text) == shown) }

  @Test("Tables, objects, differences and messages make control characters visible")
  func output() throws {
    try withTemporaryDirectory { directory in
      let (store, other) = (directory.file("s.larder"), directory.file("t.larder"))
      let evil = "\u{1B}[2J\u{9B}1m\u{7F}"
      let csv = try directory.write("id,name\n\(evil),\(evil)\n", to: "a.csv")
      try expectLarder("import", csv, "--into", store, "--class", "A", "--primary-key", "id")
      try expectLarder(
        "import", try directory.write("id,name\n1,2\n", to: "b.csv"), "--into", other, "--class", "A", "--primary-key",
        "id", "--type", "id=string", "--type", "name=string")
      for arguments in [
        ["query", store, "A"], ["inspect", store, "A", evil], ["diff", store, other],
        ["inspect", store, "A", evil + "x"],
        ["query", store, "A", "--group-by", "name"], ["edit", store, "A", evil, "--set", "name=x"],
        ["query", store, "A", "--format", "json"],
      ] {
        let result = try WorkerProcess.run("larder", arguments)
        let told = result.output + result.errors
        #expect(
          told.contains("[2J") && !told.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" },
          "\(told.debugDescription)")
        #expect(!told.unicodeScalars.contains { (0x7F..<0xA0).contains($0.value) }, "\(told.debugDescription)")
      }
    }
  }
}
