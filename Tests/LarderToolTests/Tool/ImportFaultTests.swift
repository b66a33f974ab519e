import Foundation
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// A faulty input leaves the store as it was, and says where the fault is.
@Suite struct ImportFaultTests {
  /// Imports a good file, then a bad one; the bad one must fail with the words and change nothing.
  private func refuse(
    _ good: String, _ bad: String, name: String = "bad.csv", flags: [String] = [], words: [String],
    location: SourceLocation = #_sourceLocation
  ) throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let first = try directory.write(good, to: "good.csv")
      try expectLarder(
        "import", "--write", first, "--into", store, "--class", "T", "--primary-key", "id", "--index", "n",
        location: location)
      let before = try Data(contentsOf: URL(fileURLWithPath: store))
      let path = try directory.write(bad, to: name)
      let result = try WorkerProcess.run(
        "larder", ["import", "--write", path, "--into", store, "--class", "T"] + flags)
      #expect(result.status == 3, sourceLocation: location)
      for word in words { #expect(result.errors.contains(word), "\(result.errors)", sourceLocation: location) }
      #expect(try counted(store, "T") == (2, 1), sourceLocation: location)
      #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before, sourceLocation: location)
      try expectLarder("check", store, "--deep", "--quiet", location: location)
    }
  }

  private let good = "id,n,name\n1,10,a\n2,20,b\n"

  @Test func aMalformedCSVLine() throws {
    try refuse(good, "id,n,name\n3,30,c\n4,40\n", words: ["bad.csv:3:5: ", "2 fields"])
  }

  @Test func aMalformedJSONLine() throws {
    try refuse(
      good, "{\"id\": 3, \"n\": 1, \"name\": \"x\"}\n{\"id\": 4, \"n\": oops}\n", name: "bad.jsonl",
      words: ["bad.jsonl:2:16: ", "JSON value"])
  }

  @Test func aValueThatDoesNotFit() throws {
    try refuse(good, "id,n,name\n3,30,c\n4,4x,d\n", words: ["bad.csv:3:3: ", "\"4x\"", "'n'", "int"])
    try refuse(good, "id,n,name\n3,99999999999999999999,c\n", words: ["bad.csv:2:3: ", "'n'", "int"])
    try refuse(good, "id,n,name\n3,,c\n", words: ["bad.csv:2:3: ", "needs a value"])
    try refuse(
      good, "{\"id\": 3, \"n\": \"x\", \"name\": \"x\"}", name: "bad.jsonl", words: ["bad.jsonl:1:16: ", "'n'"])
    try refuse(
      good, "{\"id\": 3, \"n\": 1}\n{\"id\": 4}", name: "bad.jsonl", words: ["bad.jsonl:2:1: ", "no field 'n'"])
  }

  @Test func aDuplicatePrimaryKey() throws {
    try refuse(good, "id,n,name\n3,30,c\n2,40,d\n", words: ["bad.csv:3:1: ", "primary key id = 2", "already there"])
    try refuse(good, "id,n,name\n3,30,c\n3,40,d\n", words: ["bad.csv:3:1: ", "primary key id = 3"])
  }

  @Test func aFileThatIsNotThereOrNamesNoFormat() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      try expectFailure(
        "import", "--write", directory.file("no.csv"), "--into", store, "--class", "T", words: "no such file")
      #expect(!FileManager.default.fileExists(atPath: store))
      let file = try directory.write("a\n1\n", to: "x.dat")
      try expectFailure("import", "--write", file, "--into", store, "--class", "T", words: "format")
    }
  }

  @Test func aLinkToNothing() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let file = try directory.write("iso,neighbours\nXX,DE\nYY,\"FR,QQ\"\n", to: "x.csv")
      let flags = ["--type", "iso=string", "--link", "neighbours=Country.iso", "--split", "neighbours=,"]
      let result = try WorkerProcess.run(
        "larder", ["import", "--write", file, "--into", store, "--class", "Region", "--primary-key", "iso"] + flags)
      #expect(result.status == 3)
      #expect(result.errors.contains("x.csv:3:4: "), "\(result.errors)")
      #expect(result.errors.contains("no object of 'Country' has iso \"QQ\""), "\(result.errors)")
      #expect(try counted(store, "Region") == (0, 2))
      try expectFailure(
        "import", "--write", file, "--into", store, "--class", "Region", "--link", "iso=Contry.iso",
        words: "'Contry'", "Did you mean 'Country'?")
    }
  }

  @Test func keepGoingCountsExactlyWhatItLeavesOut() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let file = try directory.write(
        "id,next,n\n1,2,10\n2,9,20\n3,1,x\n4,1\n1,1,40\n5,,50\n6,5,60\n", to: "x.csv")
      let result = try larder(
        "import", "--write", file, "--into", store, "--class", "T", "--primary-key", "id", "--link", "next=T.id",
        "--type",
        "id=int", "--type", "n=int", "--keep-going")
      #expect(result.status == 1)
      #expect(result.output.contains("T: 3 imported"), "\(result.output)")
      #expect(result.errors.contains("4 lines left out"), "\(result.errors)")
      for place in ["x.csv:3:3: ", "x.csv:4:5: ", "x.csv:5:4: ", "x.csv:6:1: "] {
        #expect(result.errors.contains("skipped: ") && result.errors.contains(place), "\(place) in \(result.errors)")
      }
      #expect(try column(store, "T", "id") == [.int(1), .int(5), .int(6)])
      try expectLarder("check", store, "--quiet")
    }
  }
}
