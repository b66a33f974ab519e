import TestSupport
import Testing

@testable import LarderInspection

/// Bars in a line of text.
@Suite struct SparklineTests {
  @Test("Every value is in one bin, and only empty bins have the mark of nothing")
  func bins() throws {
    var random = SeededRandom.forTest()
    for _ in 0..<500 {
      let values = (0..<random.int(1...200)).map { _ in Double(random.int(-1000...1000)) }
      let line = try #require(Sparkline(values))
      #expect(line.bins.count == Sparkline.binCount && line.bins.reduce(0, +) == values.count)
      for marks in [Sparkline.Marks.blocks, .ascii] {
        let text = Array(line.text(marks))
        let empty: Character = marks == .ascii ? "." : "·"
        for (bin, mark) in zip(line.bins, text) { #expect((bin == 0) == (mark == empty)) }
        let fullest = try #require(line.bins.max())
        for (bin, mark) in zip(line.bins, text) where bin == fullest { #expect("▇#".contains(mark)) }
      }
    }
  }

  @Test("The smallest and largest numbers are counted, and what is no number has no bars")
  func extremes() {
    #expect(Sparkline([]) == nil && Sparkline([.nan]) == nil && Sparkline([1, .infinity]) == nil)
    #expect(Sparkline([1, .nan, 2]) == nil)
    let widest = Sparkline([-Double.greatestFiniteMagnitude, .greatestFiniteMagnitude])
    #expect(widest?.bins == [1, 0, 0, 0, 0, 0, 0, 1])
    #expect(Sparkline([7, 7])?.bins == [2, 0, 0, 0, 0, 0, 0, 0])
    #expect(Sparkline(bins: [1, 2, 3, 4, 5, 0, 5, 1]).text(.blocks) == "▁▂▃▅▇·▇▁")
    #expect(Sparkline(bins: [1, 2, 3, 4, 5, 0, 5, 1]).text(.ascii) == "_-=+#.#_")
  }

  @Test(
    "Blocks are drawn where the locale has them",
    arguments: [
      ([:], true), (["LANG": "C"], false), (["LANG": "de_DE.UTF-8"], true),
      (["LANG": "de_DE.utf8", "LC_ALL": "C"], false),
      (["LANG": "de_DE.ISO-8859-1"], false), (["LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"], true),
    ] as [([String: String], Bool)])
  func locales(_ environment: [String: String], _ hasBlocks: Bool) {
    #expect((Sparkline.Marks.of(environment) == .blocks) == hasBlocks)
  }
}
