import Foundation
import LarderExchange
import LarderInspection
import TestSupport
import Testing

/// Stores that `import` and `load` make are there when they are complete, or not at all.
@Suite struct KilledImportTests {
  /// Runs a verb that reads a file from its standard input and is killed while it waits for more, its store in the making.
  private func kill(_ arguments: String, _ file: String, _ store: String, _ directory: TemporaryDirectory) throws {
    // `$$` is the tool once bash has become it.
    let ended = try bash(
      "exec \"$0\" \(arguments) --into \"$1\" < <(cat \"$2\"; for ((n = 0; n < 1000000; n++)); do "
        + "compgen -G \"$3/*.copying\" > /dev/null && break; done; kill -9 $$)", store, file, directory.path)
    #expect(ended.status == 9, "\(ended)")
  }

  private func others(_ directory: TemporaryDirectory) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.contains("copying") }
  }

  @Test("F-49: a killed import leaves nothing under the store's name, and the next one tidies up") func imports() throws
  {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let file = try directory.write("{\"id\": 1}\n{\"id\": 2}\n", to: "t.jsonl")
      try kill("import /dev/stdin --format jsonl --class T", file, store, directory)
      #expect(try !FileManager.default.fileExists(atPath: store) && !others(directory).isEmpty)
      try expectLarder("import", file, "--into", store, "--class", "T")
      #expect(try counted(store, "T").count == 2 && others(directory).isEmpty)
      try expectLarder("check", store, "--deep")
    }
  }

  @Test("F-49: a killed load leaves nothing under the store's name, and the next one tidies up") func loads() throws {
    try withTemporaryDirectory { directory in
      let (store, dump) = (directory.file("s.larder"), directory.file("d.jsonl"))
      let world = try importCountries(directory)
      try expectLarder("dump", world, "--out", dump)
      try kill("load /dev/stdin", dump, store, directory)
      #expect(try !FileManager.default.fileExists(atPath: store) && !others(directory).isEmpty)
      try expectLarder("load", dump, "--into", store)
      #expect(try others(directory).isEmpty)
      #expect(try expectLarder("diff", world, store).isEmpty)
    }
  }

  @Test("F-49: a store that came meanwhile is not replaced, and a failed import leaves nothing") func others() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let file = try directory.write("{\"id\": 1}\n", to: "t.jsonl")
      let error = #expect(throws: (any Error).self) {
        try StoreAccess.making(store) { _ in try Data("mine".utf8).write(to: URL(fileURLWithPath: store)) }
      }
      #expect(error.map { "\($0)" }?.contains("was made by another program meanwhile") == true)
      #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == Data("mine".utf8))
      try FileManager.default.removeItem(atPath: store)
      try expectFailure("import", file, "--into", store, "--class", "T", "--type", "id=date", words: "t.jsonl:1:")
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["t.jsonl"])
    }
  }
}
