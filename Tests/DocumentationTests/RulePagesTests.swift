import Foundation
import Testing

/// The rules of behaviour are in the repository: `E-82` leads to what it says and to the test that shows it.
@Suite("Pages of rules") struct RulePagesTests {
  private let pages = RulePages()

  @Test("every rule has its text once, on the page of its letter")
  func rulesAreUnique() throws {
    let rules = try pages.rules()
    #expect(rules.count > 500, "too few rules were found; do their items or rows still begin with the mark in bold?")
    for (mark, all) in Dictionary(grouping: rules, by: \.mark) where all.count > 1 {
      Issue.record("\(mark) is told more than once: \(all.map(\.place).joined(separator: ", "))")
    }
    for rule in rules {
      if !rule.place.hasPrefix("docs/rules/\(rule.mark.prefix { $0 != "-" }).md") {
        Issue.record("\(rule.place): \(rule.mark) belongs on the page of its letter.")
      }
      if rule.text.count < 4 { Issue.record("\(rule.place): \(rule.mark) says nothing.") }
    }
  }

  @Test("a mark is a letter of a page, a hyphen and a number, and no part of a word")
  func marksAreFound() {
    let text = "see O-3, N-1 to N-8 and E-0a; not UTF-8, X-1, O-3b7, E-, or 1E-10. (Q-12)"
    #expect(RulePages.marks(in: Data(text.utf8)) == ["O-3", "N-1", "N-8", "E-0a", "Q-12"])
    #expect(RulePages.marks(in: Data("F-1".utf8)) == ["F-1"])
    #expect(RulePages.marks(in: Data("MR-1, (MR-2) and AMR-3, C-4".utf8)) == ["MR-1", "MR-2", "C-4"])
  }

  @Test("every rule that is named anywhere is on its page")
  func citationsLead() throws {
    let known = Set(try pages.rules().map(\.mark))
    let named = try pages.citations(in: ["Sources", "Tests", "Fixtures", "docs"])
    #expect(named.count > 300)
    for (mark, place) in named.sorted(by: { $0.key < $1.key }) where !known.contains(mark) {
      Issue.record("\(place) names \(mark), which no page of docs/rules tells.")
    }
  }

  @Test("every rule is named by a test, or says why not")
  func rulesAreTested() throws {
    let tested = try pages.citations(in: ["Tests", "Fixtures", "Adopt/Tests", "Server/Tests"])
    for rule in try pages.rules() {
      switch (tested[rule.mark], rule.saysWhyUntested) {
      case (nil, false): Issue.record("\(rule.place): no test names \(rule.mark), and the page does not say why.")
      case (let place?, true): Issue.record("\(rule.place): \(rule.mark) is named by a test, \(place).")
      default: break
      }
    }
  }
}
