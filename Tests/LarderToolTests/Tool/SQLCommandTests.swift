import Foundation
import TestSupport
import Testing

/// Parameters, statements from elsewhere, and the forms of results of `larder sql`.
@Suite struct SQLCommandTests {
  private func store(_ directory: TemporaryDirectory) throws -> String {
    let file = try directory.write(
      """
      {"id": 1, "zip": "00601", "n": 601, "t": "", "d": 1.1}
      {"id": 2, "zip": "601", "n": 2, "t": null, "d": 1.5}
      {"id": 3, "zip": "+49123", "n": 3, "t": "a,\\"b\\"", "d": 2.0}
      """, to: "x.jsonl")
    let store = directory.file("s.larder")
    try expectLarder("import", file, "--into", store, "--class", "T", "--primary-key", "id")
    return store
  }

  @Test("F-156: a parameter is a text unless it is a number in the only way that is written, or has a type")
  func parameters() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      func ids(_ condition: String, _ parameters: String...) throws -> String {
        let flags = parameters.flatMap { ["--param", $0] }
        let text = try expectLarder(
          ["sql", store, "SELECT id FROM T WHERE \(condition) ORDER BY id", "--format", "csv"] + flags)
        return text.split(separator: "\n").dropFirst().joined(separator: ",")
      }
      #expect(try ids("zip = :p", "p=00601") == "1")
      #expect(try ids("zip = :p", "p=601") == "2")
      #expect(try ids("zip = :p", "p=+49123") == "3")
      #expect(try ids("n = :p", "p=601") == "1")
      #expect(try ids("n + 0 = :p", "p=601") == "1")
      #expect(try ids("n + 0 = :p", "p=0601") == "")
      #expect(try ids("d = :p", "p=1.10") == "1")
      #expect(try ids("n + 0 = :p", "p:int=0601") == "1")
      #expect(try ids("zip || '' = :p", "p:text=601") == "2")
      #expect(try ids("t IS :p", "p:null=") == "2")
      #expect(try ids("t = :p", "p=") == "1")
      for (text, type) in [
        ("00601", "text"), ("+49123", "text"), ("1.10", "text"), ("0x10", "text"), ("1e3", "text"), ("-0", "text"),
        ("inf", "text"), (" 5", "text"), ("5", "integer"), ("-5", "integer"), ("1.5", "real"), ("-0.25", "real"),
        ("9223372036854775808", "text"),
      ] {
        let told = try expectLarder("sql", store, "SELECT typeof(:p)", "--param", "p=\(text)", "--format", "csv")
        #expect(told == "typeof(:p)\n\(type)\n", "\(text)")
      }
      for wrong in ["p:int=x", "p:number=5", "p:null=x", "p", "p:double=0x"] {
        let result = try larder("sql", store, "SELECT :p", "--param", wrong)
        #expect(result.status == 2, "\(wrong): \(result)")
      }
    }
  }

  @Test("F-157: CSV tells nil from the empty text, and its lines end with LF, or with CR and LF where they are to")
  func nilAndEmpty() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let expected = "id,t\n1,\"\"\n2,\n3,\"a,\"\"b\"\"\"\n"
      let windows = expected.replacing("\n", with: "\r\n")
      let sql = ["sql", store, "SELECT id, t FROM T", "--format", "csv"]
      let query = ["query", store, "T", "--properties", "id,t", "--format", "csv"]
      for command in [sql, query] {
        #expect(try expectLarder(command) == expected)
        #expect(try expectLarder(command + ["--crlf"]) == windows)
      }
      // Computed, grouped and paired ones as well.
      let own = try expectLarder("query", store, "T", "--properties", "id,t AS text", "--format", "csv")
      #expect(own == expected.replacing("id,t\n", with: "id,text\n"))
      let groups = try expectLarder("query", store, "T", "--group-by", "t", "--count", "--format", "csv")
      #expect(groups == "t,count\n,1\n\"\",1\n\"a,\"\"b\"\"\",1\n")
      let pairs = try expectLarder(
        "query", store, "T", "--join", "T", "--on", "id", "--properties", "id,T.t", "--format", "csv")
      #expect(pairs.split(separator: "\n").dropFirst().joined(separator: "\n") + "\n" == expected.dropFirst(5))
      let export = try expectLarder("export", store, "--class", "T", "--format", "csv", "--crlf")
      #expect(export.hasPrefix("id,zip,n,t,d\r\n1,00601,601,\"\",1.1\r\n"), "\(export)")
      #expect(try larder("query", store, "T", "--crlf").status == 2)
    }
  }

  @Test("F-161: statements come from standard input and files, one after the other")
  func statements() throws {
    try withTemporaryDirectory { directory in
      let store = try store(directory)
      let file = try directory.write(
        "-- two\nSELECT id FROM T WHERE n > :p;\n\nSELECT count(*) AS c FROM T;\n", to: "q.sql")
      let both = "id\n1\n3\nc\n3\n"
      let flags = "--format csv --param p=2"
      for command in [
        "\"$0\" sql \"$1\" \(flags) < \"$2\"", "\"$0\" sql \"$1\" - \(flags) < \"$2\"",
        "cat \"$2\" | \"$0\" sql \"$1\" \(flags)", "\"$0\" sql \"$1\" --file \"$2\" \(flags)",
      ] {
        let result = try bash(command, store, file)
        #expect(result.status == 0 && result.output == both, "\(command): \(result)")
      }
      let tables = try bash("\"$0\" sql \"$1\" < /dev/null", store)
      #expect(tables.output.contains("CREATE TABLE \"T\""), "\(tables)")
      let empty = try bash("printf '' | \"$0\" sql \"$1\"", store)
      #expect(empty.output.contains("CREATE TABLE \"T\""), "\(empty)")
      let wrong = try bash("printf 'SELECT 1;\\nSELECT x FROM T' | \"$0\" sql \"$1\" --json", store)
      #expect(wrong.status == 3 && wrong.errors.contains("\"position\": 17"), "\(wrong)")
      let unused = try bash("printf 'SELECT 1' | \"$0\" sql \"$1\" --param q=1", store)
      #expect(unused.status == 2 && unused.errors.contains("'q'"), "\(unused)")
      // Lines of a shell's script are its own.
      let script = try bash("printf 'sql\\nquery T --count\\n' | \"$0\" shell \"$1\"", store)
      #expect(script.output.contains("CREATE TABLE") && script.output.hasSuffix("3\n"), "\(script)")
    }
  }
}
