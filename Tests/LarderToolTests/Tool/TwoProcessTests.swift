import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// Several processes write and read one store at once, and nothing is lost.
@Suite struct TwoProcessTests {
  private static let files = 6
  private static let rows = 200

  private func write(_ directory: TemporaryDirectory, _ writer: String) throws -> [String] {
    try (0..<Self.files).map { file in
      let rows = (0..<Self.rows).map { "\(file * Self.rows + $0),\(writer) \($0),a;b;\(file)" }
      return try directory.write(
        "id,name,tags\n" + rows.joined(separator: "\n"), to: "\(writer)-\(file).csv")
    }
  }

  @Test func twoProcessesWriteWhileThisOneReads() throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("s.larder")
      let flags = ["--primary-key", "id", "--index", "name", "--split", "tags=;", "--quiet"]
      let writers = ["A", "B"]
      let inputs = try writers.map { try write(directory, $0) }
      try expectLarder("import", "--write", inputs[0][0], "--into", store, "--class", "Start")
      let opened = try StoreAccess.open(writing: store)
      var reads = 0
      for round in 0..<Self.files {
        let workers = try zip(writers, inputs).map { writer, files in
          try WorkerProcess("larder", ["import", "--write", files[round], "--into", store, "--class", writer] + flags)
        }
        while workers.contains(where: \.isRunning) {
          try checkWhole(opened, writers)
          reads += 1
        }
        for worker in workers { #expect(worker.waitUntilExit() == 0, "\(worker.errorOutput)") }
        // This process writes between the others.
        let writer = try opened.beginWrite()
        let entry = try #require(writer.schema["Start"])
        _ = try writer.create(entry.id)
        try writer.commit()
      }
      let snapshot = try opened.snapshot()
      for name in writers {
        let entry = try #require(snapshot.schema[name])
        #expect(try snapshot.count(of: entry.id) == Self.files * Self.rows)
        let names = try column(snapshot, name, "name")
        for (position, value) in names.enumerated() { #expect(value == .string("\(name) \(position % Self.rows)")) }
      }
      let start = try #require(snapshot.schema["Start"])
      #expect(try snapshot.count(of: start.id) == Self.rows + Self.files)
      #expect(snapshot.version == UInt64(1 + 3 * Self.files))
      #expect(reads > 0)
      try expectLarder("check", store, "--deep", "--quiet")
    }
  }

  /// A version holds whole imports only.
  private func checkWhole(_ store: Store, _ classes: [String]) throws {
    let snapshot = try store.snapshot()
    for name in classes {
      guard let entry = snapshot.schema[name] else { continue }
      let count = try snapshot.count(of: entry.id)
      #expect(count % Self.rows == 0)
      if count > 0, let column = entry.column(named: "id") {
        let last = try snapshot.object(entry.id, primaryKey: .int(Int64(count - 1)))
        #expect(try last.map { try snapshot.value(entry.id, column.id, $0) } == .int(Int64(count - 1)))
      }
    }
  }
}
