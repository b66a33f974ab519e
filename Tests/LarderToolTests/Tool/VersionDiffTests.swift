import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// `diff --from`: what the log tells of two versions of one store.
@Suite struct VersionDiffTests {
  @Test("diff --from tells what came, went and changed between versions, with new values where they still are")
  func versions() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let start = try counted(store, "Country").version
      try expectLarder("edit", store, "Country", "PT", "--set", "name=Lusitania", "--set", "population=5", "--write")
      try expectLarder("edit", store, "Country", "XX", "--create", "--set", "name=Nowhere", "--write")
      try expectLarder("edit", store, "Country", "AD", "--delete", "--write")
      try expectLarder("edit", store, "Country", "PT", "--set", "population=6", "--write")
      #expect(try larder("diff", store, "--from", "\(start + 4)").status == 0)
      let result = try larder("diff", store, "--from", "\(start)")
      #expect(result.status == 1, "\(result)")
      #expect(result.errors.contains("version \(start) is no longer in the file"), "\(result.errors)")
      // Nothing asked the log to keep the primary keys of what is deleted.
      #expect(result.output.contains("- Country #0\n"), "\(result.output)")
      #expect(result.output.contains("+ Country XX  iso \"XX\", name \"Nowhere\""), "\(result.output)")
      #expect(
        result.output.contains(
          "~ Country PT\n    name        not kept → \"Lusitania\"\n    population  not kept → 6\n"),
        "\(result.output)")
      // Spain lost a neighbour with Andorra.
      #expect(result.output.contains("~ Country ES\n    neighbours  not kept → [\"PT\", \"GI\""), "\(result.output)")
      let first = try larder("diff", store, "Country", "--from", "\(start)", "--to", "\(start + 1)")
      #expect(
        first.output
          == "~ Country PT\n    name        not kept → \"Lusitania\"\n    population  not kept → changed again since\n",
        "\(first.output)")
      let made = try larder("diff", store, "--from", "\(start + 2)", "--to", "\(start + 3)", "--json")
      let changes = try made.output.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      #expect(
        changes.contains { $0["change"] as? String == "deleted" && $0["object"] as? String == "#0" }, "\(changes)")
      let summary = try larder("diff", store, "Country", "--from", "\(start)", "--summary")
      #expect(summary.output == "Country: 1 inserted, 1 deleted, 3 modified\n", "\(summary.output)")
    }
  }

  /// A store with three commits after the first version told, and what they changed.
  private func edited(_ directory: TemporaryDirectory) throws -> (store: String, start: UInt64) {
    let store = try importCountries(directory)
    let start = try counted(store, "Country").version
    try expectLarder("edit", store, "Country", "PT", "--set", "name=Lusitania", "--write")
    try expectLarder("edit", store, "Country", "AD", "--delete", "--write")
    try expectLarder("edit", store, "Country", "ES", "--set", "population=5", "--write")
    return (store, start)
  }

  @Test("F-77: diff --from shows the values of the version before the newest") func lastButOne() throws {
    try withTemporaryDirectory { directory in
      let (store, start) = try edited(directory)
      let last = try larder("diff", store, "--from", "\(start + 2)")
      #expect(last.status == 1 && last.errors.isEmpty, "\(last)")
      #expect(last.output == "~ Country ES\n    population  46723749 → 5\n", "\(last.output)")
      let json = try larder("diff", store, "--from", "\(start + 2)", "--json")
      #expect(json.output.contains("{\"old\": 46723749, \"new\": 5}"), "\(json.output)")
      #expect(try expectLarder("check", store, "--deep").contains("sound"))
    }
  }

  @Test(
    "F-77: diff --from shows the values of each version since the oldest that any process reads",
    arguments: [false, true])
  func retained(_ isEncrypted: Bool) throws {
    try withTemporaryDirectory { directory in
      let (store, start) = try edited(directory)
      var path = store
      if isEncrypted {
        path = directory.file("sealed.larder")
        try StoreAccess.open(reading: store).snapshot().copy(to: path, key: .key(.test()))
      }
      var options = StoreOptions()
      options.encryptionKey = isEncrypted ? .test() : nil
      let open = try Store.open(path: path, options: options)
      func commit(_ body: (StoreWriter) throws -> Void) throws {
        let writer = try open.beginWrite()
        try body(writer)
        try writer.commit()
      }
      // The version of a copy was written in several steps, each with pages of its own.
      try commit { _ = try $0.create(try #require($0.schema["Continent"]).id, primaryKey: .string("XX")) }
      let pinned = try open.snapshot()
      defer { withExtendedLifetime(pinned) {} }
      let country = try #require(pinned.schema["Country"])
      let name = try #require(country.column(named: "name")).id
      let object = try #require(try pinned.object(country.id, primaryKey: .string("PT")))
      for text in ["first", "second", "third"] { try commit { try $0.set(country.id, name, object, .string(text)) } }
      try commit { try $0.delete(country.id, object) }
      let scratch = directory.file("scratch")
      for (version, old) in [(start + 4, "Lusitania"), (start + 5, "first"), (start + 7, "third")] {
        let copy = try #require(try RetainedVersion.copy(version, of: try open.snapshot(), beside: scratch))
        let reader = try Store.open(path: copy.path, options: options).snapshot()
        #expect(reader.version == version)
        #expect(try reader.value(country.id, name, object) == .string(old))
        #expect(try StoreVerifier.verify(reader).isEmpty)
      }
      guard !isEncrypted else { return }
      let told = try larder("diff", path, "Country", "--from", "\(start + 5)")
      #expect(told.output.contains("- Country PT  iso \"PT\", name \"first\"") && told.errors.isEmpty, "\(told)")
    }
  }

  @Test("F-77: a version whose pages may have been used again is not read") func reused() throws {
    try withTemporaryDirectory { directory in
      let (store, start) = try edited(directory)
      let snapshot = try StoreAccess.open(reading: store).snapshot()
      for version in start...(start + 1) {
        #expect(try RetainedVersion.copy(version, of: snapshot, beside: directory.file("scratch")) == nil)
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: directory.path).allSatisfy { !$0.contains("scratch") })
    }
  }

  @Test("A version that the log does not reach, or that is not there yet, is said to be so")
  func bounds() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let open = try StoreAccess.open(writing: store)
      // More commits than a log keeps when nothing needs it.
      for number in 0..<200 {
        let writer = try open.beginWrite()
        let country = try StoreAccess.entry(named: "Country", in: writer.schema)
        let name = try #require(country.column(named: "name"))
        try writer.set(country.id, name.id, ObjectKey(rawValue: 0), .string("x\(number)"))
        try writer.commit()
      }
      let info = try expectLarder("info", store, "--json")
      let root = try JSONSerialization.jsonObject(with: Data(info.utf8)) as? [String: Any]
      let oldest = try #require((root?["log"] as? [String: Any])?["oldestVersion"] as? Int)
      #expect(oldest > 1)
      try expectFailure("diff", store, "--from", "1", words: "no longer retained", "back to version \(oldest)")
      #expect(try larder("diff", store, "--from", "\(oldest)").status == 1)
      try expectFailure("diff", store, "--from", "\(oldest)", "--to", "9999", words: "no version 9999 yet")
      try expectFailure("diff", store, "--from", "202", "--to", "201", words: "newer than")
      try expectFailure("diff", store, "Contry", "--from", "\(oldest)", words: "Did you mean 'Country'?")
      for arguments in [["diff", store], ["diff", store, "--to", "3"], ["diff", store, "A", "B", "--from", "3"]] {
        #expect(try WorkerProcess.run("larder", arguments).status == 2)
      }
    }
  }
}
