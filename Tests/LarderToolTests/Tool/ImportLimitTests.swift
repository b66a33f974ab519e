import Foundation
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// Files that are larger, or other, than what can be imported.
@Suite struct ImportLimitTests {
  /// Makes a packed file whose second line is long.
  private func packed(_ directory: TemporaryDirectory, bytes: Int) throws -> String {
    let path = directory.file("long.jsonl.gz")
    let made = try bash(
      "{ printf '{\"a\": \"x\"}\\n{\"a\": \"'; head -c \(bytes) /dev/zero | tr '\\0' a; printf '\"}\\n{\"a\": \"y\"}\\n'; } "
        + "| gzip -1 > \"$1\"", path)
    #expect(made.status == 0)
    return path
  }

  @Test("F-48: a line above the limit is reported with file and line, counted unpacked; --max-line sets it")
  func lines()
    throws
  {
    try withTemporaryDirectory { directory in
      let (file, store) = (try packed(directory, bytes: 3_000_000), directory.file("s.larder"))
      try expectFailure(
        "import", file, "--into", store, "--class", "A", "--max-line", "1M",
        words: "long.jsonl.gz:2:1: the line has more than 1M", "--max-line")
      #expect(!FileManager.default.fileExists(atPath: store))
      let left = try larder("import", file, "--into", store, "--class", "A", "--max-line", "1000k", "--keep-going")
      #expect(left.status == 1 && left.errors.contains(":2:1: "), "\(left)")
      #expect(try column(store, "A", "a") == [.string("x"), .string("y")])
      try expectLarder("import", file, "--into", store, "--class", "B", "--max-line", "4M", "--write")
      #expect(try counted(store, "B").count == 3)
      #expect(try larder("import", file, "--into", store, "--class", "C", "--max-line", "much").status == 2)
    }
  }

  @Test("F-48: the usual limit ends a packed line of many megabytes, in load too when it is given") func usual() throws
  {
    try withTemporaryDirectory { directory in
      let (file, store) = (try packed(directory, bytes: 40_000_000), directory.file("s.larder"))
      try expectFailure("import", file, "--into", store, "--class", "A", words: ":2:1: the line has more than 16M")
      let dump = directory.file("d.jsonl")
      try expectLarder("dump", try importCountries(directory), "--out", dump)
      try expectFailure(
        "load", dump, "--into", store, "--max-line", "200", words: "d.jsonl:1:1: the line has more than 200 bytes")
      #expect(!FileManager.default.fileExists(atPath: store))
      try expectLarder("load", dump, "--into", store, "--max-line", "1M")
    }
  }

  @Test("F-48: a quoted field over many lines counts as one line") func quoted() throws {
    try withTemporaryDirectory { directory in
      let text = "a,b\n1,x\n2,\"" + String(repeating: "many lines\n", count: 1000) + "\"\n"
      let file = try directory.write(text, to: "q.csv")
      try expectFailure(
        "import", file, "--into", directory.file("s.larder"), "--class", "A", "--max-line", "5000", words: "q.csv:3:1: "
      )
      try expectLarder("import", file, "--into", directory.file("s.larder"), "--class", "A")
    }
  }

  @Test("F-48: a named pipe is refused, and what is open already is read") func pipes() throws {
    try withTemporaryDirectory { directory in
      let (pipe, store) = (directory.file("pipe"), directory.file("s.larder"))
      #expect(mkfifo(pipe, 0o600) == 0)
      for arguments in [["import", pipe, "--class", "A", "--format", "csv"], ["load", pipe]] {
        let result = try WorkerProcess.run("larder", arguments + ["--into", store])
        #expect(result.status == 3 && result.errors.contains("\(pipe): this is a named pipe"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: store))
      }
      let world = try importCountries(directory)
      let loaded = try bash(
        "\"$0\" dump \"$1\" > \"$3\" & \"$0\" load /dev/stdin --into \"$2\" < \"$3\" && wait", world, store, pipe)
      #expect(loaded.status == 0, "\(loaded)")
      #expect(try expectLarder("diff", world, store).isEmpty)
    }
  }

  @Test("F-43: a record with more fields than a class can have is reported with its line, and leaves no store")
  func wide()
    throws
  {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let fields = (0...SchemaNumbers.countLimit).map { "\"f\($0)\": 1" }.joined(separator: ", ")
      let file = try directory.write("{\"f1\": 2}\n{\(fields)}\n", to: "wide.jsonl")
      try expectFailure(
        "import", file, "--into", store, "--class", "A",
        words: "wide.jsonl:2:", "the field \"f65278\" is one too many: a class has at most 65278 properties")
      #expect(!FileManager.default.fileExists(atPath: store))
      // A few of them are no more than others.
      try expectLarder("import", file, "--into", store, "--class", "A", "--only", "f1,f65278")
      #expect(try column(store, "A", "f1") == [.int(2), .int(1)])
    }
  }
}
