import AdoptRewriting
import Foundation
import Testing

@Suite struct UnifiedDiffTests {
  @Test("hunks have three lines around what changed")
  func hunks() {
    let before = (1...20).map { "line \($0)\n" }.joined()
    let after = before.replacing("line 3\n", with: "third\n").replacing("line 18\n", with: "")
    let diff = UnifiedDiff.text(path: "a", before: SourceText(before), after: SourceText(after))
    let lines = diff.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(3) == ["--- a", "+++ a", "@@ -1,6 +1,6 @@"])
    #expect(lines.contains("-line 3") && lines.contains("+third") && lines.contains("-line 18"))
    #expect(lines.contains("@@ -15,6 +15,5 @@") && !lines.contains(" line 10"))
    #expect(UnifiedDiff.text(path: "a", before: SourceText(before), after: SourceText(before)).isEmpty)
  }

  @Test("a last line without an end is marked")
  func lastLine() {
    let diff = UnifiedDiff.text(path: "a", before: SourceText("x"), after: SourceText("x\n"))
    #expect(diff == "--- a\n+++ a\n@@ -1,1 +1,1 @@\n-x\n\\ No newline at end of file\n+x\n")
  }
}
