import AdoptRewriting
import Testing

@Suite struct SourceTextTests {
  @Test("places count lines and bytes from 1")
  func places() {
    let text = SourceText("ab\n\tc\u{E9}d\r\n\nlast")
    #expect(text.position(at: 0) == SourcePosition(line: 1, column: 1))
    #expect(text.position(at: 7) == SourcePosition(line: 2, column: 5))
    #expect(text.position(at: text.count) == SourcePosition(line: 4, column: 5))
    #expect(text.indentation(at: 6) == "\t" && text.lines(touching: 4..<5) == ["\tc\u{E9}d"])
    #expect(text.lines(touching: 0..<text.count) == ["ab", "\tc\u{E9}d", "", "last"])
    #expect(text.isBlankLine(at: 10) && !text.isBlankLine(at: 4))
  }

  @Test("the first line says how lines end")
  func newlines() {
    #expect(SourceText("a\r\nb\n").newline == "\r\n" && SourceText("a\nb\r\n").newline == "\n")
    #expect(SourceText("").newline == "\n" && SourceText("\n").newline == "\n")
  }
}
