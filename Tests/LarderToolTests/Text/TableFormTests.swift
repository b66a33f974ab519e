import Foundation
import TestSupport
import Testing

@testable import LarderInspection

/// Tables in every form and at every width, compared with files that show how they look.
@Suite struct TableFormTests {
  private static let columns: [TableWriter.Column] = [
    .init("id", isNumeric: true), .init("name"), .init("population", isNumeric: true), .init("names"),
    .init("area", isNumeric: true), .init("note"),
  ]
  private static let rows = [
    ["1", "Lisbon", "517802", "(3) Lisboa, Lisbonne, Lissabon", "100.05", "nil"],
    [
      "22", "東京", "8336599", "(4) Tokyo, Tokio, とうきょう, 東京都", "2194.07",
      "a long text that no narrow terminal has room for",
    ],
    ["333", "नई दिल्ली", "317797", "(2) New Delhi, cafe\u{301}", "42.7", "👍🏽 👨‍👩‍👧 ❤️ 🇵🇹"],
    ["4444", "<b>&\"'|*_`", "-1", "a\nb\tc\u{1B}[2J", "nan", "left\u{202E}right"],
  ]

  private func text(_ form: OutputForm, _ width: Int?) -> String {
    var table = TextTable(Self.columns)
    for row in Self.rows { table.append(row) }
    return table.render(fitting: width, as: form)
  }

  @Test(
    "F-72: tables look as the files in Fixtures/tables show",
    arguments: [
      (.table, 40), (.table, 80), (.table, 200), (.vertical, 40), (.markdown, nil), (.html, nil),
    ] as [(OutputForm, Int?)])
  func looks(_ form: OutputForm, _ width: Int?) throws {
    let file = "\(fixtures)/tables/\(form.rawValue)\(width.map { "-\($0)" } ?? "").txt"
    let text = text(form, width)
    if ProcessInfo.processInfo.environment["LARDER_RECORD_TABLES"] != nil {
      try text.write(toFile: file, atomically: true, encoding: .utf8)
    }
    #expect(text == (try String(contentsOfFile: file, encoding: .utf8)), "\(text)")
  }

  @Test(
    "F-72: no line of a table is wider than the terminal, and numbers are whole", arguments: [24, 40, 60, 80, 120, 200])
  func widths(_ width: Int) {
    let text = text(.table, width)
    for line in text.split(separator: "\n") where !line.hasPrefix("not shown") {
      #expect(DisplayWidth.of(line) <= width, "\(line)")
    }
    if !text.contains("not shown") { #expect(text.contains("8336599")) }
    #expect(text.contains("4444"))
  }

  @Test(
    "F-72: wide characters take two cells, marks none, and an emoji two however it is put together",
    arguments: [
      ("abc", 3), ("東京", 4), ("ｱｲ", 2), ("ＡＢ", 4), ("cafe\u{301}", 4), ("e\u{301}\u{323}", 1), ("👍🏽", 2), ("👨‍👩‍👧", 2),
      ("🇵🇹", 2), ("❤️", 2), ("❤", 1), ("1️⃣", 2), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("दिल्ली", 5), ("a\u{AD}b", 3),
      ("a\u{200D}", 1), ("", 0), ("©", 1), ("️", 0),
    ])
  func cells(_ text: String, _ width: Int) {
    #expect(DisplayWidth.of(text) == width)
    for limit in 1...6 {
      #expect(DisplayWidth.of(DisplayWidth.cut(text, to: limit)) <= max(limit, 1), "\(text) \(limit)")
    }
  }

  @Test("F-73: nothing that a store holds is markup in a page, and nothing else is loaded by it")
  func hostile() {
    let evil = [
      "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "</td></table>", "&lt;b&gt;", "' onmouseover='x",
      "<!--", "]]>", "javascript:alert(1)", "\u{0}<b>", "a\u{202E}<i>", "&#60;u&#62;",
    ]
    var table = TextTable([.init(evil[0]), .init("n", isNumeric: true)])
    for text in evil { table.append([text, text]) }
    var page = TablePage(evil[1], .html, fitting: nil)
    page.add(evil[2], table)
    page.say(evil[3])
    let text = page.finish()
    let tags = text.components(separatedBy: "<").dropFirst().map { String($0.prefix { $0 != ">" }) }
    let known = [
      "!doctype html", "html lang=\"en\"", "meta charset=\"utf-8\"",
      "meta name=\"viewport\" content=\"width=device-width\"",
      "th scope=\"col\"", "th scope=\"col\" class=\"n\"", "td class=\"n\"",
    ]
    let names = [
      "head", "title", "style", "body", "h1", "h2", "table", "thead", "tbody", "tr", "td", "th", "p", "html",
    ]
    for tag in tags { #expect(known.contains(tag) || names.contains(tag.replacing("/", with: "")), "\(tag)") }
    #expect(!text.contains("http") && !text.contains("url(") && !text.contains("\u{202E}"))
    #expect(text.contains("&amp;lt;b&amp;gt;") && text.contains("&amp;#60;u&amp;#62;"))
  }

  @Test("F-73: a cell of Markdown is one cell, whatever is in it")
  func markdown() {
    let text = text(.markdown, nil)
    #expect(text.contains("\\<b\\>\\&\"'\\|\\*\\_\\`"))
    for line in text.split(separator: "\n") {
      let bars = line.replacing("\\|", with: "").count { $0 == "|" }
      #expect(bars == Self.columns.count + 1, "\(line)")
    }
  }
}
