import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import LarderExchange

/// The forms of files that `import` reads, and what it says of them.
@Suite struct ImportFormatTests {
  @Test("Standard input is imported with a format, from pipes and files")
  func standardInput() throws {
    try withTemporaryDirectory { directory in
      let file = try directory.write("a,b\n1,x\n2,y\n", to: "a.csv")
      let result = try bash(
        """
        set -e; cd "$1"; cat a.csv | "$0" import - --format csv --into piped.larder --class T
        "$0" import - --format csv --into read.larder --class T < a.csv
        """, directory.path)
      #expect(result.status == 0, "\(result)")
      for name in ["piped.larder", "read.larder"] {
        #expect(try column(directory.file(name), "T", "a") == [.int(1), .int(2)])
      }
      let unnamed = try bash("\"$0\" import - --into \"$1/x.larder\" --class T < \"$2\"", directory.path, file)
      #expect(unnamed.status == 3 && unnamed.errors.contains("--format"), "\(unnamed)")
    }
  }

  @Test("--dry-run says what would be imported, and makes and changes no file")
  func dryRun() throws {
    try withTemporaryDirectory { directory in
      let file = try directory.write("id,name\n1,x\n2,\n", to: "a.csv")
      let store = directory.file("s.larder")
      let told = try expectLarder("import", file, "--into", store, "--class", "T", "--primary-key", "id", "--dry-run")
      #expect(told.contains("T: 2 would be imported") && told.contains("id: int, primary key"), "\(told)")
      #expect(told.contains("name: string?"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a.csv"])
      try expectLarder("import", file, "--into", store, "--class", "T", "--primary-key", "id")
      let before = try Data(contentsOf: URL(fileURLWithPath: store))
      // No leave is needed for what changes nothing. Both rows are there already.
      let again = try larder("import", file, "--into", store, "--class", "T", "--primary-key", "id", "--dry-run")
      #expect(
        again.status == 3 && again.errors.contains("a.csv:2:1") && again.errors.contains("already there"), "\(again)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
      let export = directory.file("e")
      try expectLarder("export", store, "--into", export, "--format", "csv")
      let whole = try expectLarder("import", export, "--into", directory.file("n.larder"), "--dry-run")
      #expect(whole.contains("2 objects would be imported"), "\(whole)")
      #expect(!FileManager.default.fileExists(atPath: directory.file("n.larder")))
    }
  }

  @Test("The flags of a file's text reach the import")
  func textFlags() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let bytes: [UInt8] = Array("1,5|31.01.2013|Gr".utf8) + [0xFC, 0x0A]
      try expectLarder(
        "import", try directory.write(bytes, to: "a.csv"), "--into", store, "--class", "T", "--no-header", "--encoding",
        "latin-1",
        "--decimal-comma", "--date-format", "dd.MM.yyyy", "--separator", "|")
      #expect(try column(store, "T", "field1") == [.double(1.5)])
      #expect(try column(store, "T", "field2") == [.date(Timestamp(seconds: 1_359_590_400))])
      #expect(try column(store, "T", "field3") == [.string("Grü")])
      for flags in [
        ["--encoding", "ebcdic"], ["--date-format", "QQ"], ["--quote", "ab"], ["--separator", ";", "--quote", ";"],
      ] {
        let result = try WorkerProcess.run("larder", ["import", "a.csv", "--into", store, "--class", "T"] + flags)
        #expect(result.status == 2, "\(flags): \(result)")
      }
    }
  }

  @Test("Tables of a SQLite file are imported with the flags that other files know, and faults are listed")
  func tables() throws {
    try withTemporaryDirectory { directory in
      let path = directory.file("x.db")
      let file = try SQLiteFile(path, isNew: true)
      try file.run(
        """
        CREATE TABLE p (id INTEGER PRIMARY KEY, at INTEGER); CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p);
        INSERT INTO p VALUES (1, 1359590400); INSERT INTO c VALUES (1, 1), (2, 5)
        """)
      let store = directory.file("s.larder")
      let flags = ["--rename", "p=Parent", "--rename", "p.at=since", "--date", "p.at=unix"]
      let fault = try WorkerProcess.run("larder", ["import", path, "--into", store] + flags)
      #expect(
        fault.status == 3 && fault.errors.contains("'c', row 2, column 'p': no object of 'Parent' has id 5"), "\(fault)"
      )
      #expect(!FileManager.default.fileExists(atPath: store))
      let json = try WorkerProcess.run("larder", ["import", path, "--into", store, "--json"] + flags)
      #expect(json.errors.contains("\"kind\": \"input\"") && json.errors.contains("\"row\": 2"), "\(json)")
      let kept = try WorkerProcess.run("larder", ["import", path, "--into", store, "--keep-going"] + flags)
      #expect(
        kept.status == 1 && kept.output.contains("Parent: 1 imported") && kept.output.contains("c: 2 imported"),
        "\(kept)")
      #expect(try column(store, "Parent", "since") == [.date(Timestamp(seconds: 1_359_590_400))])
      try expectLarder("check", store, "--deep")
      try expectFailure(
        "import", path, "--into", directory.file("t.larder"), "--only-tables", "q", words: "no table 'q'")
      #expect(try larder("import", path, "--into", store, "--class", "T").status == 2)
    }
  }

  @Test("Flags name columns of a SQLite file with their tables; those for files of one class are refused")
  func tableFlags() throws {
    try withTemporaryDirectory { directory in
      let path = directory.file("x.db")
      let file = try SQLiteFile(path, isNew: true)
      try file.run(
        """
        CREATE TABLE a (k TEXT, n INTEGER); CREATE TABLE b (v TEXT); CREATE TABLE c (x);
        INSERT INTO a VALUES ('x', 1); INSERT INTO b VALUES ('NA')
        """)
      let (store, other) = (directory.file("s.larder"), directory.file("t.larder"))
      try expectLarder(
        "import", path, "--into", store, "--only-tables", "a,b", "--primary-key", "a.k", "--type", "a.n=double?",
        "--index", "b.v", "--null", "NA")
      let snapshot = try StoreAccess.open(reading: store).snapshot()
      #expect(Set(snapshot.schema.classes.map(\.name)) == ["a", "b"])
      #expect(snapshot.schema["a"]?.primaryKey?.name == "k")
      #expect(snapshot.schema["b"]?.column(named: "v")?.isIndexed == true)
      #expect(try column(snapshot, "a", "n") == [.double(1)])
      #expect(try column(snapshot, "b", "v") == [.null])
      for flags in [
        ["--type", "n=double"], ["--type", "a.n=number"], ["--index", "n"], ["--primary-key", "k"],
        ["--date", "n=unix"],
        ["--date", "a.n=year"], ["--join", "a=b"], ["--link", "n=b.v"], ["--split", "k=,"], ["--embed", "p=P:k"],
        ["--only", "k"],
      ] {
        let result = try larder(arguments: ["import", path, "--into", other] + flags)
        #expect(result.status == 2, "\(flags): \(result)")
      }
      try expectFailure("import", path, "--into", other, "--type", "a.x=int", words: "the table 'a' has no column 'x'")
      try expectFailure("import", path, "--into", other, "--rename", "q=Q", words: "'q': there is no such table")
      let csv = try directory.write("n\n1\n", to: "x.csv")
      for flags in [["--date", "t.n=unix"], ["--only-tables", "t"], ["--join", "t=A.b"]] {
        let result = try larder(arguments: ["import", csv, "--into", other, "--class", "T"] + flags)
        #expect(result.status == 2 && result.errors.contains("are for SQLite files"), "\(flags): \(result)")
      }
      #expect(!FileManager.default.fileExists(atPath: other))
    }
  }
}
