import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

@Suite("larder watch", .timeLimit(.minutes(30))) struct WatchCommandTests {
  @Test("N-80 prints the results there are, and what another program does to them")
  func watching() throws {
    try withTemporaryDirectory { directory in
      let path = directory.file("s.larder")
      let first = try directory.write("id,name\n1,Ann\n2,Bob\n", to: "first.csv")
      let second = try directory.write("id,name\n3,Abe\n", to: "second.csv")
      try expectLarder("import", "--write", first, "--into", path, "--class", "Person", "--primary-key", "id")
      let watcher = try WorkerProcess(
        "larder", ["watch", path, "Person", "name BEGINSWITH 'A'", "--sort", "name:desc", "--changes", "1"])
      #expect(watcher.readLine()?.hasSuffix(": 1 object") == true, "\(watcher.errorOutput)")
      try expectLarder("import", "--write", second, "--into", path, "--class", "Person", "--primary-key", "id")
      #expect(watcher.readLine()?.hasSuffix(": 1 inserted") == true)
      let line = watcher.readLine() ?? ""
      #expect(line.hasPrefix("+ Person 3  {") && line.contains("\"Abe\""))
      #expect(watcher.waitUntilExit() == 0, "\(watcher.errorOutput)")
    }
  }

  @Test(
    "F-15: a watcher holds no version but the newest, also when only other classes change", arguments: [true, false])
  func versions(ofOtherClass: Bool) throws {
    try withTemporaryDirectory { directory in
      let path = directory.file("s.larder")
      for name in ["Person", "Other"] {
        let input = try directory.write("id,name\n1,Ann\n", to: "\(name).csv")
        try expectLarder("import", "--write", input, "--into", path, "--class", name, "--primary-key", "id")
      }
      let watcher = try WorkerProcess("larder", ["watch", path, "Person"])
      #expect(watcher.readLine()?.hasSuffix(": 1 object") == true, "\(watcher.errorOutput)")
      let store = try StoreAccess.open(writing: path)
      let entry = try #require(try store.snapshot().schema[ofOtherClass ? "Other" : "Person"])
      let name = try #require(entry.column(named: "name")).id
      let key = try #require(try store.snapshot().object(entry.id, primaryKey: .int(1)))
      for number in 0..<1_000 {
        let writer = try store.beginWrite()
        try writer.set(entry.id, name, key, .string("name \(number)"))
        try writer.commit()
      }
      // The time limit of the suite ends this when the watcher keeps an old version.
      while store.environment.oldestReader < store.environment.lastTransactionID { sched_yield() }
      #expect(Set(try store.environment.readerTable().compactMap(\.transactionID)).count <= 1)
      watcher.kill()
    }
  }

  @Test("watch names what was deleted by its primary key")
  func deletions() throws {
    try withTemporaryDirectory { directory in
      let path = directory.file("s.larder")
      let first = try directory.write("id,name\n11,Ann\n12,Abe\n", to: "first.csv")
      try expectLarder("import", first, "--into", path, "--class", "Person", "--primary-key", "id")
      let watcher = try WorkerProcess("larder", ["watch", path, "Person", "--changes", "2"])
      #expect(watcher.readLine()?.hasSuffix(": 2 objects") == true, "\(watcher.errorOutput)")
      try expectLarder("edit", path, "Person", "12", "--set", "name=Bob", "--write")
      #expect(watcher.readLine()?.hasSuffix(": 1 modified") == true)
      #expect(watcher.readLine()?.hasPrefix("~ Person 12  {") == true)
      try expectLarder("edit", path, "Person", "12", "--delete", "--write")
      #expect(watcher.readLine()?.hasSuffix(": 1 deleted") == true)
      #expect(watcher.readLine() == "- Person 12")
      #expect(watcher.waitUntilExit() == 0, "\(watcher.errorOutput)")
    }
  }

  @Test("watch --json prints each change as an object with positions, keys and objects")
  func json() throws {
    try withTemporaryDirectory { directory in
      let path = directory.file("s.larder")
      let first = try directory.write("id,name\n1,Ann\n2,Amy\n3,Al\n", to: "first.csv")
      try expectLarder("import", "--write", first, "--into", path, "--class", "Person", "--primary-key", "id")
      let watcher = try WorkerProcess(
        "larder", ["watch", path, "Person", "name BEGINSWITH 'A'", "--sort", "id", "--changes", "2", "--json"])
      func next() throws -> [String: Any] {
        let line = watcher.readLine() ?? ""
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
      }
      #expect(try next()["count"] as? Int == 3)
      try expectLarder("edit", path, "Person", "2", "--delete", "--write")
      let deletion = try next()
      #expect(deletion["deleted"] as? [[String: Int]] == [["position": 1, "key": 1, "primaryKey": 2]], "\(deletion)")
      try expectLarder("edit", path, "Person", "3", "--set", "name=Abe", "--write")
      let change = try #require(try next()["modified"] as? [[String: Any]])
      #expect(change.count == 1 && change[0]["position"] as? Int == 1)
      #expect((change[0]["object"] as? [String: Any])?["name"] as? String == "Abe")
      #expect(watcher.waitUntilExit() == 0, "\(watcher.errorOutput)")
    }
  }

  @Test func unknownClass() throws {
    try withTemporaryDirectory { directory in
      let path = directory.file("s.larder")
      try expectLarder(
        "import", "--write", try directory.write("id\n1\n", to: "a.csv"), "--into", path, "--class", "Person")
      try expectFailure("watch", path, "Persn", words: "Persn", "Person")
    }
  }
}
