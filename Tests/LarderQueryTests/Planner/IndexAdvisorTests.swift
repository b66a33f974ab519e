import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

@Suite(.notUnder(.rowByRow, "it looks at plans")) struct IndexAdvisorTests {
  private static let store = Result { try PlannerStore() }
  private var store: PlannerStore { get throws { try Self.store.get() } }

  private func advice(_ predicates: String..., sort: [String] = [], limit: Int = .max) throws -> [IndexAdvice] {
    var advisor = IndexAdvisor(try store.snapshot)
    for predicate in predicates {
      let query = try store.query(predicate).sorted(sort.map { ($0, false) }, schema: store.snapshot.schema)
      try advisor.add(query, limit: limit)
    }
    return advisor.advice
  }

  private func names(_ advice: [IndexAdvice]) -> [String] {
    advice.map { "\($0.className) \($0.properties.joined(separator: ",")) \($0.before) \($0.after)" }
  }

  @Test("A property whose values single few objects out is advised, with what was counted")
  func oneProperty() throws {
    #expect(try names(advice("rank == 3")) == ["City rank 4000 80"])
    #expect(try names(advice("rank IN {3, 4} AND note CONTAINS '1'")) == ["City rank 4000 160"])
    #expect(try names(advice("note == 'note 1'")) == [], "a third of all")
    #expect(try names(advice("population == 5")) == [], "there is one")
    #expect(try names(advice("rank != 3")) == [] && names(advice("NOT rank == 3")) == [])
  }

  @Test("Sides of an OR, ends of links, sorts and several properties are advised, too")
  func others() throws {
    #expect(try names(advice("rank == 3 OR population == 5")) == ["City rank 4000 80"])
    #expect(try names(advice("rank == 3 OR note == 'note 1'")) == [], "one side would still be scanned")
    #expect(try names(advice("country.area == 3")) == ["Country area 40 1"])
    #expect(try names(advice("TRUEPREDICATE", sort: ["rank"], limit: 5)) == ["City rank 4000 5"])
    #expect(try names(advice("TRUEPREDICATE", sort: ["population"], limit: 5)) == [])
    let pair = try names(advice("rank == 7 AND population > 3900"))
    #expect(pair.first?.hasPrefix("City rank,population ") == true, "\(pair)")
  }

  @Test("Queries of a file add up")
  func several() throws {
    let advice = try advice("rank == 3", "country.area == 3", "rank == 4")
    #expect(names(advice) == ["City rank 8000 160", "Country area 40 1"])
    #expect(advice.map(\.queries) == [[1, 3], [2]])
  }
}
