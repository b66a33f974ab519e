import Foundation
import TestSupport
import Testing

@Suite struct AdviseCommandTests {
  @Test(
    "advise names the index that would help a query, and those for a file of queries",
    .notUnder(.rowByRow, "it looks at plans"))
  func advice() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let one = try expectLarder("advise", store, "Country", "population > 100000000")
      #expect(one == "index Country.population: 13 objects looked at, instead of 252\n")
      #expect(
        try expectLarder("advise", store, "Country", "iso == 'PT'") == "No index would help this query.\n")
      let file = directory.file("queries.txt")
      let lines = """
        # what the page of a country asks
        Country population > 100000000

        Country iso == 'PT'
        Country TRUEPREDICATE SORT(population DESC) LIMIT(5)
        """
      try lines.write(toFile: file, atomically: true, encoding: .utf8)
      #expect(
        try expectLarder("advise", store, "--queries", file)
          == "index Country.population: 18 objects looked at, in their order, instead of 504; queries 1, 3\n")
      try "Country\nCountry poplation > 3\n".write(toFile: file, atomically: true, encoding: .utf8)
      try expectFailure("advise", store, "--queries", file, words: ":2:9: ", "Did you mean 'population'?")
      try expectFailure("advise", store, "Countri", words: "Did you mean 'Country'?")
    }
  }
}
