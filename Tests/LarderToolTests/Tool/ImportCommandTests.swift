import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

@Suite struct ImportCommandTests {
  @Test func countriesWithLinksToLaterCountriesAreImported() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      #expect(try counted(store, "Country").count == 252)
      let text = try expectLarder("inspect", store, "Country", "DE", "--json", "--depth", "1")
      let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      #expect(object["name"] as? String == "Germany")
      #expect((object["continent"] as? [String: Any])?["name"] as? String == "Europe")
      let neighbours = try #require(object["neighbours"] as? [[String: Any]])
      #expect(
        Set(neighbours.compactMap { $0["iso"] as? String }) == ["CH", "PL", "NL", "DK", "BE", "CZ", "LU", "FR", "AT"])
      // "NA" is North America here, not a missing value.
      #expect(try expectLarder("inspect", store, "Continent", "NA").contains("North America"))
      try expectLarder("check", store, "--deep")
    }
  }

  @Test func typesAreSeenInACSVFile() throws {
    try withTemporaryDirectory { directory in
      let file = try directory.write(
        "id,code,name,height,born,ok,note\n1,007,Ann,1.5,2001-02-03,true,\n2,010,Bo,2,1999-12-31,false,x\n",
        to: "people.csv")
      let store = directory.file("s.larder")
      try expectLarder(
        "import", "--write", file, "--into", store, "--class", "Person", "--primary-key", "id", "--index", "name")
      let snapshot = try StoreAccess.open(reading: store).snapshot()
      let entry = try #require(snapshot.schema["Person"])
      let types = Dictionary(
        uniqueKeysWithValues: entry.columns.map { ($0.name, TypeName.describe($0, in: snapshot.schema)) })
      #expect(
        types == [
          "id": "int", "code": "string", "name": "string", "height": "double", "born": "date", "ok": "bool",
          "note": "string?",
        ])
      #expect(entry.primaryKey?.name == "id")
      #expect(entry.column(named: "name")?.isIndexed == true)
      #expect(try column(store, "Person", "note") == [.null, .string("x")])
      #expect(try column(store, "Person", "code") == [.string("007"), .string("010")])
    }
  }

  @Test func nestedObjectsAndArraysBecomeEmbeddedObjectsAndLists() throws {
    try withTemporaryDirectory { directory in
      let file = try directory.write(
        """
        {"name": "a", "place": {"lat": 1.5, "lon": 2}, "tags": ["x", "y"], "parts": [{"n": 1}, {"n": 2}]}
        {"name": "b", "tags": [], "parts": []}
        """, to: "x.jsonl")
      let store = directory.file("s.larder")
      try expectLarder("import", "--write", file, "--into", store, "--class", "Thing")
      let text = try expectLarder("inspect", store, "Thing", "--key", "0", "--json")
      #expect(
        text == """
          {"name": "a", "place": {"lat": 1.5, "lon": 2}, "tags": ["x", "y"], "parts": [{"n": 1}, {"n": 2}]}

          """)
      #expect(try expectLarder("inspect", store, "Thing", "--key", "1").contains("nil"))
      try expectLarder("check", store)
    }
  }

  @Test func flagsSayWhatAMappingSays() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let airlines = "\(fixtures)/nycflights13/airlines.csv"
      try expectLarder("import", "--write", airlines, "--into", store, "--class", "Airline", "--primary-key", "carrier")
      let file = try directory.write(
        "id,when,carrier,lat,lon,tags\n1,NA,UA,1,2,a;b\n2,5,,3,4,\n", to: "f.csv")
      try expectLarder(
        "import", "--write", file, "--into", store, "--class", "Flight", "--null", "NA", "--rename", "when=time",
        "--type",
        "time=int?", "--link", "carrier=Airline.carrier", "--embed", "place=Place:lat,lon", "--split", "tags=;")
      let text = try expectLarder("inspect", store, "Flight", "--key", "0", "--json", "--depth", "0")
      let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      #expect(object["carrier"] as? String == "UA")
      #expect(object["time"] is NSNull)
      #expect((object["place"] as? [String: Any])?["lat"] as? Int == 1)
      #expect(object["tags"] as? [String] == ["a", "b"])
    }
  }

  @Test func planesAndAirportsAreImportedWithNA() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("fly.larder")
      for name in ["airlines", "airports", "planes"] {
        try expectLarder(
          "import", "--write", "\(fixtures)/nycflights13/\(name).csv", "--into", store, "--mapping",
          "\(fixtures)/nycflights13/\(name).map.json")
      }
      #expect(try counted(store, "Plane").count == 3_322)
      #expect(try counted(store, "Airport").count == 1_458)
      #expect(try column(store, "Plane", "year").filter { $0 == .null }.count == 70)
      try expectLarder("check", store)
    }
  }
}

@Suite struct ImportUpdateTests {
  @Test func updateOverwritesObjectsWithTheSameKey() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let first = try directory.write("id,n\n1,10\n2,20\n", to: "a.csv")
      let second = try directory.write("id,n\n2,21\n3,30\n", to: "b.csv")
      try expectLarder("import", "--write", first, "--into", store, "--class", "T", "--primary-key", "id")
      let output = try expectLarder("import", "--write", second, "--into", store, "--class", "T", "--update")
      #expect(output.contains("1 imported, 1 updated"))
      #expect(try column(store, "T", "n") == [.int(10), .int(21), .int(30)])
    }
  }

  @Test func aNewPropertyNeedsToBeAllowed() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let first = try directory.write("id,name\n1,a\n", to: "a.csv")
      let second = try directory.write("id,nmae\n2,b\n", to: "b.csv")
      try expectLarder("import", "--write", first, "--into", store, "--class", "T", "--primary-key", "id")
      try expectFailure(
        "import", "--write", second, "--into", store, "--class", "T", words: "no property 'nmae'",
        "Did you mean 'name'?")
      #expect(try counted(store, "T").version == 1)
      let third = try directory.write("id,name,size\n2,b,7\n", to: "c.csv")
      try expectLarder("import", "--write", third, "--into", store, "--class", "T", "--add-properties")
      #expect(try column(store, "T", "size") == [.int(0), .int(7)])
    }
  }
}
