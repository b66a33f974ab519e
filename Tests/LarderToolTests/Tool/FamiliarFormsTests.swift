import Foundation
import TestSupport
import Testing

@testable import LarderExchange

/// The forms that people write who know other tools.
@Suite struct FamiliarFormsTests {
  private func store(_ directory: TemporaryDirectory) throws -> String {
    let file = try directory.write("id,a,n\n-1,x,5\n2,x,4\n3,y,\n", to: "x.csv")
    let store = directory.file("s.larder")
    try expectLarder("import", file, "--into", store, "--class", "T", "--primary-key", "id")
    return store
  }

  @Test("F-163: --sort takes several properties with commas between them") func sorts() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let sorted = try expectLarder(
        "query", store, "T", "--sort", "a,id:desc", "--properties", "id", "--format", "csv")
      #expect(sorted == "id\n2\n-1\n3\n")
      let grouped = try expectLarder(
        "query", store, "T", "--group-by", "a", "--count", "--percentile", "n:90", "--sort", "count:desc,a", "--format",
        "csv")
      #expect(grouped.hasPrefix("a,count,") && grouped.contains("\nx,2,"), "\(grouped)")
    }
  }

  @Test("F-163: a predicate or a key may begin with a minus") func minus() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let found = try expectLarder("query", store, "T", "-1 == id", "--properties", "id", "--format", "csv")
      #expect(found == "id\n-1\n")
      #expect(try expectLarder("query", store, "T", "-id == 1", "--count") == "1\n")
      #expect(try expectLarder("inspect", store, "T", "-1").contains("id  -1"))
      try expectLarder("edit", store, "T", "-1", "--set", "n=-7", "--write")
      #expect(try column(store, "T", "n").first == .int(-7))
      #expect(try larder("query", store, "T", "--nothing").status == 2)
    }
  }

  @Test("F-163: edit --set to null says how a property becomes nil") func null() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let number = try larder("edit", store, "T", "2", "--set", "n=null")
      #expect(number.status == 3 && number.errors.contains("--null n sets it to nil"), "\(number)")
      let text = try larder("edit", store, "T", "2", "--set", "a=NULL")
      #expect(text.status == 0 && text.errors.contains("--null a sets it to nil"), "\(text)")
      let other = try larder("edit", store, "T", "2", "--set", "a=nullable")
      #expect(other.errors.isEmpty, "\(other)")
    }
  }

  @Test(
    "F-163: lines of other shells are answered with what to write here",
    arguments: [
      (".tables", "'classes'"), (".schema T", "'classes'"), ("\\d", "'classes'"), ("\\dt T", "'classes'"),
      ("show tables;", "'classes'"), ("SELECT * FROM T", ".sql SELECT"), ("select \"a b\" from T;", ".sql SELECT"),
      ("with x as (select 1) select * from x", ".sql SELECT"), ("UPDATE T SET n = 1", "'edit'"), ("\\q", "'.exit'"),
    ])
  func hints(_ line: String, _ words: String) throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let script = try directory.write(line + "\n", to: "script")
      let result = try bash("\"$0\" shell \"$1\" < \"$2\"", store, script)
      #expect(result.status == 2 && result.errors.contains(words), "\(line): \(result)")
    }
  }

  @Test("F-163: a SQLite file that is given to a verb is told to be one") func sqliteFile() throws {
    try withTemporaryDirectory { directory in
      let path = directory.file("x.db")
      try SQLiteFile(path, isNew: true).run("CREATE TABLE p (id INTEGER PRIMARY KEY)")
      try expectFailure("classes", path, words: "is a SQLite file", "larder import")
    }
  }
}
