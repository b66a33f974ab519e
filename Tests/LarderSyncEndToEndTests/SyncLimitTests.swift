#if Sync
  import Foundation
  import LarderSync
  import LarderSyncProtocol
  import SyncModel
  import TestSupport
  import Testing

  /// The tests of values above a limit, and of those that a server cannot store, between devices and a real server.
  @MainActor
  @Suite("Limits and values that cannot be stored", .timeLimit(.minutes(30)))
  struct SyncLimitTests {
    private static func text(_ bytes: Int) -> String { String(repeating: "t", count: bytes) }

    private func device(
      _ name: String, _ server: ServerProcess, _ types: [ObjectBase.Type] = [City.self]
    ) async throws -> TestDevice {
      let options = DeviceOptions(types: types)
      return try await TestDevice(name, server, token: try server.token(name, "role=editor"), options)
    }

    @Test("F-105: A transaction above 17 MiB comes to other devices, or is refused at its commit and leaves no trace")
    func transactions() async throws {
      let server = try ServerProcess()
      let (anna, ben) = (try await device("anna", server), try await device("ben", server))
      for device in [anna, ben] { try await device.subscribe() }
      try anna.realm.write {
        for id in 1...4 { anna.realm.add(City(id, Self.text(6 << 20), "JP")) }
      }
      try await anna.settle()
      try await ben.settle()
      #expect(ben.realm.objects(City.self).map(\.name.utf8.count) == Array(repeating: 6 << 20, count: 4))

      let error = #expect(throws: Realm.Error.self) {
        try anna.realm.write {
          anna.city(1)?.name = Self.text(9 << 20)
          anna.city(1)?.alternateNames.append(Self.text(9 << 20))
        }
      }
      #expect(error?.code == .transactionTooLarge && error?.className == "City")
      try anna.realm.write { anna.city(1)?.name = "Tokyo" }
      try await anna.settle()
      try await ben.settle()
      #expect(ben.city(1)?.name == "Tokyo" && ben.city(1)?.alternateNames.isEmpty == true)
      #expect(anna.errors.all.isEmpty && ben.errors.all.isEmpty)
    }

    @Test(
      "F-106: A primary key of 3,000 random bytes is refused at the commit, and by the server, and all go on",
      .enabled(if: PrivatePostgres.isInstalled, "the programs of PostgreSQL are not installed"))
    func keys() async throws {
      let database = try PrivatePostgres()
      let server = try ServerProcess(database: database.url)
      try server.pushSchema(Note.declaration)
      let all = #"[{ "name": "all", "read": true, "write": true, "insert": true, "delete": true }]"#
      try server.pushRoles(#"{ "City": \#(all), "Note": \#(all) }"#)
      let anna = try await device("anna", server, [Note.self])
      _ = try await anna.realm.objects(Note.self).subscribe(name: "notes", waitForSync: .always)
      var random = SeededRandom.forTest()
      let key = String((0..<3_000).map { _ in Character(UnicodeScalar(UInt8(random.int(33...126)))) })
      let error = #expect(throws: Realm.Error.self) {
        try anna.realm.write { _ = anna.realm.create(Note.self, value: ["key": key]) }
      }
      #expect(error?.code == .invalidInput && error?.message.contains("\(SyncLimit.primaryKey.most)") == true)
      let longest = String(key.prefix(SyncLimit.primaryKey.most))
      try anna.realm.write { _ = anna.realm.create(Note.self, value: ["key": longest, "text": "longest"]) }

      // A device that does not keep to it.
      let object = ObjectName(className: "Note", key: .string(SyncText(key)))
      let refused = try await refusal(server, [SyncOperation(object, .create([CreatedProperty("text", .string("x"))]))])
      #expect(refused?.map(\.object) == [object] && refused?.map(\.reason) == [.tooLarge])

      try await anna.settle()
      let ben = try await device("ben", server, [Note.self])
      _ = try await ben.realm.objects(Note.self).subscribe(name: "notes", waitForSync: .always)
      #expect(ben.realm.objects(Note.self).map(\.key) == [longest])
      #expect(anna.errors.all.isEmpty && ben.errors.all.isEmpty)
    }

    @Test("F-107: A property that the schema does not have is refused, so that a later schema can give it any type")
    func properties() async throws {
      let server = try ServerProcess(isDevelopment: false)
      let anna = try await device("anna", server)
      try await anna.subscribe()
      try anna.realm.write { anna.realm.add(City(1, "Tokyo", "JP")) }
      try await anna.settle()
      let city = ObjectName(className: "City", key: .int(1))
      let refused = try await refusal(
        server,
        [
          SyncOperation(city, .set(SyncPath("mayor"), .int(7))),
          SyncOperation(city, .set(SyncPath("population"), .int(9))),
        ])
      #expect(refused?.map(\.operation) == [0] && refused?.map(\.reason) == [.schema])
      try server.pushProperties(
        #""mayor": { "type": "string", "optional": true }, "districts": { "type": "string", "collection": "list" },"#)
      let ben = try await device("ben", server, [NewerCity.self])
      _ = try await ben.realm.objects(NewerCity.self).subscribe(name: "cities", waitForSync: .always)
      let seen = try #require(ben.realm.object(ofType: NewerCity.self, forPrimaryKey: 1))
      #expect(seen.mayor == nil && seen.name == "Tokyo")
      try ben.realm.write { seen.mayor = "Koike" }
      try await ben.settle()
      try await anna.settle()
      #expect(anna.content == ["1 Tokyo JP 9  0 []"])
      #expect(anna.errors.all.isEmpty && ben.errors.all.isEmpty)
    }

    /// Returns the operations that the server does not accept of those that a device without a store sends.
    private func refusal(_ server: ServerProcess, _ operations: [SyncOperation]) async throws -> [RefusedOperation]? {
      let token = try server.token("raw", "role=editor")
      return try await RawDevice.conversation { () -> [RefusedOperation]? in
        let device = try await RawDevice(server)
        guard let welcome = try await device.welcome(token) else { return nil }
        let query = SubscribedQuery(className: operations[0].object.className, predicate: "TRUEPREDICATE")
        try await device.send(.subscribe(Subscribe(version: 1, queries: [query])), site: welcome.site)
        let time = SyncTime(milliseconds: UInt64(Date().timeIntervalSince1970 * 1_000))
        let commit = SyncCommit(siteVersion: 1, time: time, nonce: 1, operations: operations)
        try await device.send(.upload(Upload(commits: [commit])), site: welcome.site)
        while let message = try await device.receive(site: welcome.site) {
          if case .refused(let refused) = message { return refused }
        }
        return nil
      }
    }
  }
#endif
