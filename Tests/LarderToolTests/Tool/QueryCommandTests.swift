import Foundation
import TestSupport
import Testing

@Suite struct QueryCommandTests {
  @Test("F-160: query and export write the same bytes, whether values come from leaves or from the objects")
  func sameBytesAsExport() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let lines = try expectLarder("export", store, "--class", "Country")
      #expect(lines.split(separator: "\n").count == 252)
      #expect(try expectLarder("query", store, "Country", "--json", "--limit", "all") == lines)
      let large = try expectLarder("query", store, "Country", "population >= 5000000", "--json").split(separator: "\n")
      #expect(large.count > 50)
      #expect(Set(large).isSubset(of: Set(lines.split(separator: "\n"))))
    }
  }

  @Test func resultsArePrintedAsTableJSONAndCSV() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let csv = try expectLarder(
        "query", store, "Country", "continent.name == 'Europe' AND population > 60000000", "--sort", "population:desc",
        "--properties", "iso,name,population,continent,languages", "--format", "csv")
      #expect(
        csv.hasPrefix(
          "iso,name,population,continent,languages\nRU,Russia,144478050,EU,\"[\"\"ru\"\", \"\"tt\"\""), "\(csv)")
      let json = try expectLarder(
        "query", store, "Country", "ANY neighbours.iso == 'PT'", "--format", "json", "--properties", "iso,continent")
      #expect(json == "{\"iso\": \"ES\", \"continent\": \"EU\"}\n")
      let table = try expectLarder("query", store, "Country", "name BEGINSWITH 'Ger'", "--properties", "iso,name")
      #expect(table.contains("DE   Germany\n") && table.hasSuffix("1 object\n"), "\(table)")
      let limited = try expectLarder("query", store, "Country", "--sort", "name", "--limit", "2")
      #expect(limited.contains("Afghanistan") && limited.hasSuffix("2 of 252 objects\n"), "\(limited)")
      #expect(try expectLarder("query", store, "Country", "population > 100000000", "--count") == "13\n")
      let danish = try expectLarder(
        "query", store, "Country", "ANY languages == 'da'", "--sort", "continent.name", "--sort", "iso:desc",
        "--properties", "iso", "--format", "csv")
      #expect(danish == "iso\nIS\n", "\(danish)")
    }
  }

  @Test("On a terminal a table is cut to the lines, elsewhere nothing is")
  func tablesFit() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let arguments = ["query", store, "Country", "iso IN {'PT', 'US'}"]
      let shown = try onTerminal(arguments).split(separator: "\n")
      #expect(shown.allSatisfy { $0.count <= 80 } && shown.count == 5, "\(shown)")
      #expect(shown.contains { $0.contains("…") && $0.contains("PT") })
      #expect(try WorkerProcess.run("larder", arguments).output.split(separator: "\n").contains { $0.count > 80 })
    }
  }

  @Test(
    "query --explain prints the plan with the index it chose, and no objects", .notUnder(.rowByRow, "it looks at plans")
  )
  func plansArePrinted() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let plan = try expectLarder("query", store, "Country", "iso == 'PT' AND name CONTAINS[c] 'port'", "--explain")
      #expect(plan.hasPrefix("Country where name CONTAINS[c] 'port'  [estimated 1, found 1; 1 leaves, "), "\(plan)")
      #expect(plan.contains("\n  index iso == 'PT'  [estimated 1, found 1; 0 leaves, "), "\(plan)")
      #expect(plan.contains("ran: 1 results; 1 objects examined") && !plan.contains("Portugal"), "\(plan)")
      let scan = try expectLarder("query", store, "Country", "population > 5", "--limit", "1", "--explain")
      #expect(scan.hasPrefix("limit 1  [found 1;") && scan.contains("  scan Country where population > 5"), "\(scan)")
    }
  }

  @Test("U-16: groups come in the order of any of their columns, from an offset")
  func groupsAreSorted() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let flags = [
        "--group-by", "continent.name", "--count", "--sum", "population", "--sort", "sum(population):desc", "--format",
        "csv",
      ]
      let all = try expectLarder(["query", store, "Country"] + flags).components(separatedBy: "\n").dropLast()
      let sums = all.dropFirst().compactMap { $0.split(separator: ",").last.flatMap { Int($0) } }
      #expect(sums.count == 7 && sums == sums.sorted(by: >) && all[1].hasPrefix("Asia,"), "\(all)")
      let part = try expectLarder(["query", store, "Country"] + flags + ["--offset", "1", "--limit", "2"])
      #expect(part == ([all[0]] + all[2...3]).map { $0 + "\n" }.joined(), "\(part)")
      try expectFailure(
        "query", store, "Country", "--group-by", "continent.name", "--sort", "iso", words: "no column 'iso'")
    }
  }

  @Test(
    "Q-100: query --rql takes the steps after the predicate, --offset what comes later, --properties numbers over lists"
  )
  func wholeQueriesAreTaken() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let flags = ["--rql", "--properties", "iso,neighbours.@count", "--format", "csv"]
      let query = ["query", store, "Country", "iso IN {'DE', 'ES', 'PT'} SORT(iso DESC) LIMIT(2)"]
      #expect(try expectLarder(query + flags) == "iso,neighbours.@count\nPT,1\nES,5\n")
      #expect(try expectLarder(query + flags + ["--offset", "1"]) == "iso,neighbours.@count\nES,5\n")
      let json = try expectLarder(query + ["--rql", "--json", "--properties", "neighbours.@count", "--limit", "1"])
      #expect(json == "{\"neighbours.@count\": 1}\n")
      let linked = try expectLarder(
        "query", store, "Continent", "@links.Country.continent.iso == 'PT'", "--rql", "--properties", "name",
        "--format",
        "csv")
      #expect(linked == "name\nEurope\n")
      try expectFailure("query", store, "Country", "--properties", "name.@count", words: "@count")
    }
  }

  @Test("Q-75, Q-76: query prints what it computes, under the name after AS, and sorts by it in RQL")
  func computedColumns() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let query = ["query", store, "Country", "iso IN {'DE', 'ES', 'PT'} SORT(length(name) DESC)", "--rql"]
      let columns = "iso,length(name) % 4 AS rest,lowercase(iso), neighbours.@count * 2 AS twice"
      #expect(
        try expectLarder(query + ["--properties", columns, "--format", "csv"]).split(separator: "\n").first
          == "iso,rest,lowercase(iso),twice")
      let json = try expectLarder(
        query + ["--json", "--limit", "1", "--properties", "iso,neighbours.@count * 2 AS twice,length(name)"])
      #expect(json == "{\"iso\": \"PT\", \"twice\": 2, \"length(name)\": 8}\n")
      let named = try expectLarder(query + ["--json", "--limit", "1", "--properties", "name AS land"])
      #expect(named == "{\"land\": \"Portugal\"}\n")
      try expectFailure("query", store, "Country", "--properties", "name * 2", words: "arithmetic takes numbers")
      try expectFailure("query", store, "Country", "--properties", "lengt(name)", words: "length")
    }
  }

  @Test("U-16: query --group-by prints groups with what is worked out over them")
  func groupsArePrinted() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let csv = try expectLarder(
        "query", store, "Country", "population > 100000000", "--group-by", "continent.name", "--count", "--max",
        "population", "--format", "csv")
      #expect(csv.hasPrefix("continent.name,count,max(population)\nAfrica,2,") && csv.contains("\nAsia,"), "\(csv)")
      let json = try expectLarder(
        "query", store, "Country", "iso IN {'PT', 'ES'}", "--group-by", "continent.name", "--format", "json")
      #expect(json == "{\"continent.name\": \"Europe\", \"count\": 2}\n", "\(json)")
      let table = try expectLarder("query", store, "Country", "--group-by", "continent.name", "--limit", "2")
      #expect(table.contains("Africa") && table.hasSuffix("\n2 of 7 groups\n"), "\(table)")
      try expectFailure("query", store, "Country", "--group-by", "nmae", words: "nmae")
      try expectFailure("query", store, "Country", "--group-by", "name", "--sum", "iso", words: "iso")
      for (flags, word) in [
        (["--having", "count > 1"], "--group-by"), (["--group-by", "name", "--properties", "iso"], "--properties"),
        (["--percentile", "population"], "--percentile"), (["--join", "Continent"], "--on"), (["--on", "x"], "--join"),
        (["--offset", "-1"], "--offset"), (["--rql"], "--rql"), (["--group-by", " , "], "at least one value"),
        (["--group-by", ""], "at least one value"), (["--join", "Continent", "--on", " , "], "--on"),
      ] {
        let refused = try WorkerProcess.run("larder", ["query", store, "Country"] + flags)
        #expect(refused.status == 2 && refused.errors.contains(word), "\(refused.errors)")
      }
    }
  }

  @Test("Dates are asked for in ISO 8601 and data in base64, by every verb that takes predicates")
  func datesAndData() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let csv = try directory.write(
        "id,at,da\n1,2013-01-31T22:00:00Z,aGVsbG8=\n2,2013-01-31T23:30:00Z,\n3,2014-01-01,Zm9v\n", to: "a.csv")
      try expectLarder(
        "import", csv, "--into", store, "--class", "F", "--type", "at=date", "--type", "da=data?", "--index", "at")
      for (predicate, count) in [
        ("at > '2013-01-31T23:00:00Z'", 2), ("at == \"2014-01-01\"", 1), ("da == 'aGVsbG8='", 1),
        ("da BEGINSWITH 'Zm8='", 1),
        ("at BETWEEN {'2013-01-31', '2013-02-01'}", 2), ("at IN {'2014-01-01T01:00:00+01:00'}", 1), ("da == nil", 1),
      ] {
        let result = try larder("query", store, "F", predicate, "--count")
        #expect(result.output == "\(count)\n", "\(predicate): \(result)")
      }
      #expect(try expectLarder("explain", store, "F", "at > '2013-12-31'").contains("found 1"))
      #expect(try expectLarder("watch", store, "F", "at > '2013-12-31'", "--changes", "0").contains("1 object"))
      let queries = try directory.write("F at > '2013-12-31'\nF da == 'Zm9v' SORT(id ASC)\n", to: "q.txt")
      #expect(try expectLarder("advise", store, "--queries", queries) == "No index would help these 2 queries.\n")
      try expectFailure("query", store, "F", "at > 'yesterday'", words: "ISO 8601", "^")
      try expectFailure("query", store, "F", "da == '!'", words: "base64")
    }
  }

  @Test("--properties reaches over links, in every format")
  func propertiesOverLinks() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      func printed(_ format: String, _ properties: String) throws -> String {
        try expectLarder(
          "query", store, "Country", "iso == 'PT'", "--properties", properties, "--format", format)
      }
      #expect(
        try printed("csv", "iso,continent.name,continent.location.latitude")
          == "iso,continent.name,continent.location.latitude\nPT,Europe,48.69096\n")
      #expect(try printed("json", "continent.name,iso") == "{\"continent.name\": \"Europe\", \"iso\": \"PT\"}\n")
      #expect(try printed("table", "continent.name").contains("Europe\n"))
      try expectFailure("query", store, "Country", "--properties", "continent.nmae", words: "Did you mean 'name'?")
      try expectFailure("query", store, "Country", "--properties", "neighbours.name", words: "no link to one object")
      #expect(try larder("query", store, "Country", "--properties", "").status == 2)
      try expectLarder("edit", store, "Country", "PT", "--null", "continent", "--write")
      #expect(try printed("json", "continent.name") == "{\"continent.name\": null}\n")
    }
  }

  @Test("Groups add up properties over links and of embedded objects")
  func groupsOverLinks() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let lands = try directory.write(
        "{\"id\": 1, \"people\": 10, \"at\": {\"x\": 1.5}}\n{\"id\": 2, \"people\": 32, \"at\": {\"x\": 4.5}}\n",
        to: "l.jsonl")
      try expectLarder("import", lands, "--into", store, "--class", "Land", "--primary-key", "id")
      let towns = try directory.write("zone,land\na,1\na,2\nb,2\nb,\nc,\n", to: "t.csv")
      try expectLarder("import", towns, "--into", store, "--class", "Town", "--link", "land=Land", "--write")
      let csv = try expectLarder(
        "query", store, "Town", "--group-by", "zone", "--sum", "land.people", "--max", "land.at.x", "--format", "csv")
      #expect(csv == "zone,sum(land.people),max(land.at.x)\na,42,4.5\nb,32,4.5\nc,0,\n", "\(csv)")
      try expectFailure("query", store, "Town", "--group-by", "zone", "--sum", "land.poeple", words: "people")
      try expectFailure("query", store, "Town", "--group-by", "zone", "--sum", "land.at", words: "land.at")
    }
  }

  @Test("U-15: query searches words and prints what fits best first")
  func wordsAreSearched() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let found = try expectLarder(
        "query", store, "Country", "name TEXT 'guinea -equatorial'", "--by-relevance", "--properties", "name",
        "--format",
        "csv")
      #expect(found.hasPrefix("name\nGuinea\n") && found.contains("Guinea-Bissau\n"), "\(found)")
      #expect(!found.contains("Equatorial"), "\(found)")
      try expectFailure("query", store, "Country", "--by-relevance", words: "TEXT")
    }
  }

  @Test func whatCannotBeAskedIsExplained() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let line = "  poplation > 3\n  ^^^^^^^^^"
      try expectFailure("query", store, "Country", "poplation > 3", words: "Did you mean 'population'?", line)
      try expectFailure("query", store, "Country", "name BEGINWITH 'x'", words: "BEGINSWITH", "^")
      try expectFailure("query", store, "Country", "name == ", words: "^")
      try expectFailure("query", store, "Country", "population > 'many'", words: "population", "^")
      try expectFailure("query", store, "Countri", "TRUEPREDICATE", words: "Did you mean 'Country'?")
      try expectFailure("query", store, "Country", "--sort", "nmae", words: "name")
      try expectFailure("query", store, "Country", "--sort", "name:dsc", words: "no order 'dsc'", ":desc")
      try expectFailure("query", store, "Country", "--properties", "nmae", words: "Did you mean 'name'?")
    }
  }

  @Test(
    "Q-77: query works out medians, percentiles and different values, over all or over groups that a condition keeps")
  func moreAggregates() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let csv = try directory.write("kind,size,at\na,1,x\nb,2,x\na,3,y\na,4,x\n,5,\n", to: "t.csv")
      try expectLarder("import", csv, "--into", store, "--class", "T")
      let all = try expectLarder(
        "query", store, "T", "--median", "size", "--percentile", "size:75", "--distinct", "at", "--format", "csv")
      #expect(all == "median(size),\"percentile(size, 75)\",distinct(at)\n3.0,4.0,2\n", "\(all)")
      let kept = try expectLarder(
        "query", store, "T", "--group-by", "kind", "--having", "median(size) >= 3 AND kind != nil", "--count", "--json")
      #expect(kept == "{\"kind\": \"a\", \"count\": 3}\n", "\(kept)")
      let sorted = try expectLarder(
        "query", store, "T", "--group-by", "kind", "--sort", "max(size):desc", "--limit", "1", "--format", "csv")
      #expect(sorted == "kind,count\n,1\n", "\(sorted)")
      let plan = try expectLarder("query", store, "T", "size > 1", "--group-by", "kind", "--sum", "size", "--explain")
      #expect(plan.hasPrefix("group by columns kind: count, sum(size)  ["), "\(plan)")
      try expectFailure("query", store, "T", "--group-by", "kind", "--having", "sum(zise) > 1", words: "size")
      try expectFailure("query", store, "T", "--group-by", "kind", "--having", "zise > 1", words: "zise")
    }
  }

  @Test("Q-77: query groups by what is computed, under names of its own")
  func computedGroups() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let csv = try directory.write(
        "kind,size,weight,at\na,1,2.5,2024-03-31T00:30:00Z\nB,2,4.5,2024-03-31T01:30:00Z\nA,3,6,2024-03-31T01:45:00Z\n,5,,\n",
        to: "t.csv")
      try expectLarder("import", csv, "--into", store, "--class", "T")
      let query = ["query", store, "T", "--format", "csv", "--group-by"]
      let hours = try run(query + ["hour(at, 'Europe/Berlin'),lowercase(kind) AS name", "--count"])
      #expect(
        hours == "\"hour(at, 'Europe/Berlin')\",name,count\n,,1\n1,a,1\n3,a,1\n3,b,1\n", "\(hours)")
      let speeds = try run(
        query + [
          "size / 2 AS half", "--average", "weight / size AS ratio", "--percentile", "size * 2:50 AS middle",
          "--having", "ratio > 1 AND half < 9", "--sort", "ratio:desc",
        ])
      #expect(speeds == "half,ratio,middle\n0,2.5,2.0\n1,2.125,5.0\n", "\(speeds)")
      let untitled = try run(
        query + ["size/2", "--sum", "weight / size", "--having", "size / 2 == 1", "--sort", "sum(weight/size):asc"])
      #expect(untitled == "size/2,sum(weight / size)\n1,4.25\n", "\(untitled)")
      let all = try run([
        "query", store, "T", "--median", "size * 2", "--distinct", "lowercase(kind) AS kinds", "--json",
      ])
      #expect(all == "{\"median(size * 2)\": 5.0, \"kinds\": 2}\n", "\(all)")
      let plan = try run(["query", store, "T", "--group-by", "hour(at)", "--sum", "size * 2", "--explain"])
      #expect(plan.hasPrefix("group by columns hour(at): count, sum((size * 2))"), "\(plan)")
      try expectFailure("query", store, "T", "--group-by", "hour(size)", words: "hour takes a date")
      try expectFailure("query", store, "T", "--group-by", "size / zise", words: "position 7")
      try expectFailure(
        "query", store, "T", "--group-by", "size", "--sum", "lowercase(kind)", words: "sum is not available")
    }
  }

  @Test("Q-78: query pairs objects of two classes, and groups the pairs")
  func joins() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let trips = try directory.write("from,hour,delay\nJFK,1,5\nJFK,2,7\nEWR,1,9\n", to: "trips.csv")
      let weather = try directory.write("place,hour,wind\nJFK,1,20\nJFK,2,30\nLGA,1,40\n", to: "weather.csv")
      try expectLarder("import", trips, "--into", store, "--class", "Trip")
      try expectLarder("import", weather, "--into", store, "--class", "Weather", "--write")
      let join = ["query", store, "Trip", "--join", "Weather", "--on", "from=place,hour"]
      let pairs = try run(join + ["--format", "csv", "--left-join", "--properties", "from,delay,Weather.wind"])
      #expect(pairs == "from,delay,Weather.wind\nJFK,5,20\nJFK,7,30\nEWR,9,\n", "\(pairs)")
      let groups = try run(
        join + ["--group-by", "Weather.wind", "--average", "delay", "--having", "Weather.wind > 25", "--json"])
      #expect(groups == "{\"Weather.wind\": 30, \"average(delay)\": 7.0}\n", "\(groups)")
      #expect(try run(join + ["--count", "--join-where", "wind > 25"]) == "1\n")
      let computed = try run(
        join + [
          "--group-by", "(Weather.wind - 1) / 20 AS strength", "--sum", "Weather.wind / 10 + Weather.wind", "--max",
          "delay * 2", "--having", "strength >= 0", "--format", "csv",
        ])
      #expect(
        computed
          == "strength,sum(Weather.wind / 10 + Weather.wind),max(delay * 2)\n0,22,10\n1,33,14\n", "\(computed)")
      let named = try run(join + ["--properties", "from,Weather.wind * 2 AS double", "--format", "csv"])
      #expect(named == "from,double\nJFK,40\nJFK,60\n", "\(named)")
      try expectFailure(
        "query", store, "Trip", "--join", "Weather", "--on", "hour", "--group-by", "delay / Weather.wind",
        words: "one side")
      #expect(try run(join + ["--json", "--limit", "1"]).contains("\"Weather.wind\": 20"))
      let plan = try run(join + ["--explain"])
      #expect(plan.hasPrefix("join by hash on Trip.from == Weather.place and Trip.hour == Weather.hour  ["), "\(plan)")
      let later = [
        "query", store, "Trip", "--join", "Weather", "--on", "lowercase(from) = lowercase(place), hour + 1=hour",
      ]
      let next = try run(later + ["--properties", "delay,Weather.wind", "--format", "csv"])
      #expect(next == "delay,Weather.wind\n5,30\n", "\(next)")
      try expectFailure(
        "query", store, "Trip", "--join", "Weather", "--on", "length(from)=place", words: "one type")
      try expectFailure("query", store, "Trip", "--join", "Weather", "--on", "from=hour", words: "one type")
      try expectFailure("query", store, "Trip", "--join", "Wether", "--on", "from", words: "Weather")
    }
  }

  private func run(_ arguments: [String]) throws -> String {
    let result = try WorkerProcess.run("larder", arguments)
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  @Test("Q-100: explain takes whole queries in RQL")
  func explainedRQL() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let plan = try expectLarder("explain", store, "Country", "population > 5 SORT(name ASC) LIMIT(3)", "--rql")
      #expect(plan.hasPrefix("limit 3"), "\(plan)")
      let refused = try WorkerProcess.run("larder", ["explain", store, "Country", "--rql"])
      #expect(refused.status == 2 && refused.errors.contains("--rql"))
    }
  }
}
