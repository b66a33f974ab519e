import Foundation
import TestSupport
import Testing

@testable import LarderStorage

@Suite("Words of texts")
struct TextWordsTests {
  @Test(
    "U-15: text is split at word boundaries, folded without case and diacritics",
    arguments: [
      ("", []), ("  - , . !", []), ("Hello, World!", ["hello", "world"]),
      ("Don’t stop -- can't", ["don't", "stop", "can't"]),
      ("3.14 is not 3,000,000.", ["3.14", "is", "not", "3,000,000"]),
      ("a.b example.com end.", ["a.b", "example.com", "end"]), ("snake_case __ _x", ["snake_case", "_x"]),
      ("R2D2 x86-64", ["r2d2", "x86", "64"]), ("key:value a/b", ["key", "value", "a", "b"]),
      ("Crème BRÛLÉE Ångström", ["creme", "brulee", "angstrom"]), ("e\u{301}t\u{E9}", ["ete"]),
      ("ПРИВЕТ, мир", ["привет", "мир"]), ("ΛΌΓΟΣ λόγος", ["λογοσ", "λογοσ"]),
      ("東京タワーへ", ["東", "京", "タワー", "へ"]), ("日本語 text", ["日", "本", "語", "text"]),
      ("한국어 문서", ["한국어", "문서"].map { String($0.decomposedStringWithCanonicalMapping) }),
      ("co\u{AD}operate", ["cooperate"]), ("😀 smile😀d", ["smile", "d"]), ("'quoted' \"x\"", ["quoted", "x"]),
      ("l·l 1.a a.1", ["l·l", "1", "a", "a", "1"]),
    ])
  func words(_ text: String, _ expected: [String]) {
    #expect(TextWords.words(of: text).map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(text)")
  }

  @Test("U-15: words are cut to a length; counts stop at 255")
  func limits() {
    let long = TextWords.words(of: String(repeating: "é", count: 500))
    #expect(long.count == 1 && long[0].utf8.count <= TextWords.maximumBytes && long[0].utf8.count > 100)
    let (counts, total) = TextWords.counts(of: String(repeating: "a ", count: 300) + "b")
    #expect(counts == ["a": 255, "b": 1] && total == 301)
  }

  @Test("U-15: ASCII text gives the same words by its own way")
  func waysAgree() {
    var random = SeededRandom.forTest()
    let alphabet = Array("abAB01_.',;:- \"é日")
    for _ in 0..<3_000 {
      let text = String((0..<random.int(0...12)).map { _ in random.pick(alphabet.prefix(15)) })
      // A mark that folding drops sends the text the other way.
      let other = text + " \u{301}"
      #expect(TextWords.words(of: text) == TextWords.words(of: other), "\(text)")
    }
  }
}
