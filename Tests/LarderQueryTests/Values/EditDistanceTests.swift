import LarderQuery
import Testing

@Suite("Edit distance") struct EditDistanceTests {
  @Test(
    "insertions, deletions, replacements and swaps of neighbours cost one each",
    arguments: [
      ("", "", 0), ("abc", "", 3), ("", "abc", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "acb", 1),
      ("abc", "bc", 1),
      ("kitten", "sitting", 3), ("name", "anme", 1), ("abcd", "dcba", 3),
    ])
  func distance(_ a: String, _ b: String, _ expected: Int) {
    #expect(EditDistance.between(Array(a), Array(b)) == expected)
    #expect(EditDistance.between(Array(b), Array(a)) == expected)
  }
}
