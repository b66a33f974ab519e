import Foundation
import TestSupport
import Testing

/// Input that can be read once only.
@Suite struct PipeTests {
  @Test("import reads a pipe whose types it must find out first, packed or not, and tells the place of a fault")
  func imports() throws {
    try withTemporaryDirectory { directory in
      let rows = (0..<20_000).map { "{\"id\": \($0), \"name\": \"number \($0)\"}" }.joined(separator: "\n")
      let file = try directory.write(rows, to: "rows.jsonl")
      let store = directory.file("s.larder")
      let piped = try bash(
        "cat \"$1\" | \"$0\" import /dev/stdin --into \"$2\" --class A --format jsonl --primary-key id", file, store)
      #expect(piped.status == 0 && piped.output.hasPrefix("A: 20000 imported"), "\(piped)")
      let packed = try bash(
        "\"$0\" import <(gzip -c \"$1\") --into \"$2\" --class B --format jsonl --write", file, store)
      #expect(packed.status == 0 && packed.output.hasPrefix("B: 20000 imported"), "\(packed)")
      #expect(try counted(store, "A").count == 20_000 && counted(store, "B").count == 20_000)
      #expect(try column(store, "A", "id")[19_999] == .int(19_999))
      let fault = try bash(
        "printf 'id\\n1\\nx\\n' | \"$0\" import /dev/stdin --into \"$1\" --class C --format csv --type id=int --write",
        store)
      #expect(fault.status == 3 && fault.errors.contains("/dev/stdin:3:1: "), "\(fault)")
    }
  }

  @Test("load reads a dump from a pipe")
  func loads() throws {
    try withTemporaryDirectory { directory in
      let (store, copy) = (try importCountries(directory), directory.file("copy.larder"))
      let loaded = try bash("\"$0\" dump \"$1\" | \"$0\" load /dev/stdin --into \"$2\" --quiet", store, copy)
      #expect(loaded.status == 0, "\(loaded)")
      #expect(try expectLarder("diff", store, copy).isEmpty)
    }
  }
}
