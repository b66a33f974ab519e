import Foundation
import TestSupport
import Testing

@testable import LarderQuery

/// Patterns that are looked for by their literal parts, against the same patterns piece by piece.
@Suite("LIKE by parts")
struct LikePatternTests {
  /// Few letters, so that parts are found often and nearly found more often; scalars of one to four bytes.
  private func text(_ length: Int, _ random: inout SeededRandom) -> String {
    let alphabet = Array("aab*?é🦄")
    return String((0..<random.int(0...length)).map { _ in random.pick(alphabet) })
  }

  private func pattern(_ random: inout SeededRandom) -> String {
    let pieces =
      random.oneIn(4) ? ["a", "b", "ab", "é", "🦄", "*", "?", "\\*", "\\?"] : ["a", "b", "ba", "é", "*", "*", "\\*"]
    return (0..<random.int(0...7)).map { _ in random.pick(pieces) }.joined()
  }

  @Test("Q-136 the parts of a pattern are found where its pieces are")
  func parts() {
    var random = SeededRandom.forTest()
    var (byParts, matching) = (0, 0)
    for _ in 0..<20_000 {
      let (pattern, text) = (pattern(&random), text(random.oneIn(3) ? 60 : 10, &random))
      let like = LikePattern(Array(pattern.utf8))
      let bytes = Array(text.utf8)
      let expected = bytes.withUnsafeBytes { like.matchesPieces($0) }
      #expect(bytes.withUnsafeBytes { like.matches($0) } == expected, "\(text) LIKE \(pattern)")
      if like.parts != nil { byParts += 1 }
      if expected { matching += 1 }
    }
    #expect(byParts > 5_000 && matching > 1_000)
  }

  @Test("Q-138 the parts of a pattern for bytes are found where its pieces are")
  func bytes() {
    var random = SeededRandom.forTest()
    for _ in 0..<20_000 {
      let alphabet: [UInt8] = [0x61, 0x80, 0xA9, 0xC3, 0xFF]
      let pattern = (0..<random.int(0...6)).map { _ in random.oneIn(3) ? UInt8(ascii: "*") : random.pick(alphabet) }
      let text = (0..<random.int(0...40)).map { _ in random.pick(alphabet) }
      for isText in [false, true] {
        let like = LikePattern(pattern, isText: isText)
        let expected = text.withUnsafeBytes { like.matchesPieces($0) }
        #expect(text.withUnsafeBytes { like.matches($0) } == expected, "\(text) LIKE \(pattern), text \(isText)")
      }
    }
  }

  @Test("Q-134 ASCII text of any case is found by the parts of a folded pattern")
  func ignoringCase() throws {
    var random = SeededRandom.forTest()
    for _ in 0..<20_000 {
      let text = String((0..<random.int(0...40)).map { _ in random.pick(Array("aAbB[@`{k")) })
      let pattern = (0..<random.int(0...5)).map { _ in random.pick(["a", "b", "ab", "[", "@", "k", "*", "*"]) }.joined()
      let like = LikePattern(Array(pattern.utf8))
      let parts = try #require(like.parts)
      let folded = Array(text.lowercased().utf8)
      let expected = folded.withUnsafeBytes { like.matchesPieces($0) }
      #expect(
        Array(text.utf8).withUnsafeBytes { parts.matchesIgnoringCase($0) } == expected, "\(text) LIKE[c] \(pattern)")
    }
  }

  @Test("bytes are found at the first place, wherever the search begins")
  func search() throws {
    var random = SeededRandom.forTest()
    for _ in 0..<5_000 {
      let text = (0..<random.int(0...120)).map { _ in UInt8(random.int(97...99)) }
      let needle = (0..<random.int(1...6)).map { _ in UInt8(random.int(97...99)) }
      let search = try #require(ByteSearch(needle))
      let start = random.int(0...text.count)
      let expected = text.indices.dropFirst(start).first { text[$0...].starts(with: needle) }
      #expect(
        text.withUnsafeBytes { search.first(in: $0, from: start) } == expected, "\(needle) in \(text) from \(start)")
      let shouted = text.map { random.oneIn(2) ? $0 &- 32 : $0 }
      #expect(shouted.withUnsafeBytes { search.firstIgnoringCase(in: $0, from: start) } == expected)
    }
    #expect(ByteSearch([]) == nil)
  }
}
