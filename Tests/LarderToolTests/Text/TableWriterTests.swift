import LarderInspection
import Testing

@Suite struct TableWriterTests {
  private func written(_ titles: [String], _ rows: [[String]], fitting limit: Int?, numeric: Bool = true) -> String {
    var table = TextTable(titles.map { .init($0, isNumeric: numeric) })
    for row in rows { table.append(row) }
    return table.render(fitting: limit)
  }

  @Test("F-72: columns of numbers that do not fit a line are left out, and named")
  func numbers() {
    let titles = ["one", "two", "three", "four"]
    let row = titles.map { _ in "1234567890" }
    let text = written(titles, [row], fitting: 30)
    #expect(
      text == """
               one         two
        ──────────  ──────────
        1234567890  1234567890
        not shown, for want of width: three, four

        """)
    #expect(!written(titles, [row], fitting: 46).contains("not shown"))
    #expect(written(titles, [row], fitting: nil).split(separator: "\n")[2].count == 46)
  }

  @Test("F-72: where not two columns fit, each row is a block with a line for each column")
  func blocks() {
    let text = written(["first", "second", "x"], [["12345678", "12345678", "1"], ["2", "3", "4"]], fitting: 16)
    #expect(
      text == """
        first   12345678
        second  12345678
        x       1

        first   2
        second  3
        x       4


        """)
    // In blocks, what would leave nothing of use is not cut.
    var mixed = TextTable([.init("number", isNumeric: true), .init("text")])
    mixed.append(["123456789012345678", String(repeating: "x", count: 40)])
    #expect(mixed.render(fitting: 25) == "number  123456789012345678\ntext    xxxxxxxxxxxxxxxx…\n\n")
    #expect(mixed.render(fitting: 20).contains(String(repeating: "x", count: 40)))
    // Texts are cut first.
    let texts = written(["a", "b"], [["a long text", "another long text"]], fitting: 16, numeric: false)
    #expect(texts.split(separator: "\n").last == "a lon…  another…" || texts.contains("…"), "\(texts)")
    #expect(texts.split(separator: "\n").allSatisfy { $0.count <= 16 })
  }

  @Test("F-72: no more rows are held than widths are made of, and rows come as they are added")
  func held() {
    var table = TableWriter([.init("n", isNumeric: true), .init("text")], sample: 100)
    var lines = 0
    var longest = ""
    for number in 0..<10_000 {
      table.append([String(number), number == 9_999 ? "wider than any before" : "x"]) { text in
        lines += 1
        if text.count > longest.count { longest = text }
      }
      #expect(lines == (number < 99 ? 0 : number + 3))
    }
    table.finish { _ in lines += 1 }
    #expect(table.mostHeld == 100 && lines == 10_002)
    // Nothing is cut where lines have no end.
    #expect(longest == "9999  wider than any before\n")
  }
}
