import Foundation
import LarderLocks
import LarderSync
import SyncModel
import Testing

/// A server whose database was replaced by an older one, into which another device writes.
@MainActor
@Suite("A restored server", .timeLimit(.minutes(30)))
struct RestoredServerTests {
  /// A value that callbacks of several threads change.
  private final class Counted<Value: Sendable>: Sendable {
    let value: Lock<Value>

    init(_ value: Value) { self.value = Lock(value) }
  }

  private struct Setup {
    let server: ServerProcess
    let database: PrivatePostgres?
    let backup: String

    /// Ends the server and its database, and keeps or brings back a state of it.
    func exchange(_ commands: [String]) throws {
      server.kill()
      try database?.stop()
      for command in commands { try ServerProcess.run("/bin/sh", ["-c", command]) }
      try database?.start()
      try server.start()
    }

    private var data: String { database.map { "\($0.folder)/data" } ?? server.folder.file("server.sqlite") }

    /// Copies the database with its write-ahead log, where a server that was killed leaves its last commits.
    private func copy(_ from: String, to: String) -> String {
      "rm -rf \(to) \(to)-wal \(to)-shm; cp -a \(from) \(to) && if [ -e \(from)-wal ]; then cp -a \(from)-wal \(to)-wal; fi"
    }

    func keep() throws { try exchange([copy(data, to: backup)]) }

    func restore() throws { try exchange([copy(backup, to: data)]) }
  }

  private func setup(_ isPostgres: Bool) throws -> Setup {
    let database = isPostgres ? try PrivatePostgres() : nil
    let server = try ServerProcess(database: database?.url)
    return Setup(server: server, database: database, backup: server.folder.file("backup"))
  }

  private func device(_ name: String, _ server: ServerProcess, _ mode: ClientResetMode = .recoverUnsyncedChanges())
    async throws -> TestDevice
  {
    try await TestDevice(
      name, server, token: try server.token(name, "role=editor"), DeviceOptions(clientResetMode: mode))
  }

  private func write(_ device: TestDevice, _ ids: ClosedRange<Int>) throws {
    for id in ids { try device.realm.write { device.realm.add(City(id, "\(device.user.id) \(id)", "JP")) } }
  }

  /// Makes a device that knows nothing, and waits for what it gets.
  private func fresh(_ server: ServerProcess) async throws -> TestDevice {
    let made = try await device("fresh", server)
    try await made.subscribe()
    return made
  }

  @Test(
    "F-102, F-103: Another device writes into a restored backup, and all devices end with the bits of a fresh one",
    arguments: PrivatePostgres.isInstalled ? [false, true] : [false])
  func restored(_ isPostgres: Bool) async throws {
    let setup = try setup(isPostgres)
    let server = setup.server
    let (anna, ben) = (try await device("anna", server), try await device("ben", server))
    try await anna.subscribe()
    try write(anna, 1...5)
    try await anna.settle()
    try await ben.subscribe()
    try setup.keep()
    for device in [anna, ben] { device.session.reconnect() }
    try write(anna, 6...9)
    try anna.realm.write {
      anna.city(1)?.population = 17
      anna.city(1)?.latitude = -0.0
      anna.city(3)?.alternateNames.append("e\u{301}")
      if let city = anna.city(2) { anna.realm.delete(city) }
    }
    for device in [anna, ben] { try await device.settle() }
    #expect(ben.content == anna.content)
    for device in [anna, ben] { device.session.suspend() }
    let before = anna.content

    try setup.restore()
    let carl = try await device("carl", server)
    try await carl.subscribe()
    try write(carl, 20...40)
    try await carl.settle()
    #expect(carl.city(9) == nil && carl.city(2) != nil)
    for device in [anna, ben] { device.session.resume() }
    for device in [anna, ben] {
      let error = try await device.error(.clientResetError)
      let (path, _) = try #require(error.clientResetInfo())
      var copy = device.configuration
      copy.syncConfiguration = nil
      copy.fileURL = URL(fileURLWithPath: path)
      copy.readOnly = true
      let kept = try await Realm(configuration: copy, actor: MainActor.shared)
      #expect(kept.objects(City.self).sorted(byKeyPath: "_id").map(\.content) == before)
    }
    for _ in 0..<2 { for device in [anna, ben, carl] { try await device.settle() } }
    let last = try await fresh(server)
    // What Anna still has of her own is there again.
    #expect(last.city(9) != nil && last.city(1)?.population == 17 && last.city(2) == nil && last.city(40) != nil)
    for device in [anna, ben, carl] { #expect(device.bits == last.bits) }
    #expect(anna.errors.all.count == 1 && ben.errors.all.count == 1 && carl.errors.all.isEmpty)
  }

  @Test(
    "F-113: Blocks see the Realm before and after, discarding gives up what was not sent, and observers get one change")
  func discarding() async throws {
    let setup = try setup(false)
    let server = setup.server
    let seen = Counted<[[Int]]>([])
    let blocks = ClientResetMode.discardUnsyncedChanges(
      beforeReset: { before in
        let ids = before.objects(City.self).sorted(byKeyPath: "_id").map(\._id)
        seen.value.withLock { $0.append(Array(ids)) }
      },
      afterReset: { before, after in
        for realm in [before, after] {
          let ids = realm.objects(City.self).sorted(byKeyPath: "_id").map(\._id)
          seen.value.withLock { $0.append(Array(ids)) }
        }
      })
    let anna = try await device("anna", server, blocks)
    try await anna.subscribe()
    try write(anna, 1...2)
    try await anna.settle()
    try setup.keep()
    anna.session.reconnect()
    try write(anna, 3...4)
    try await anna.settle()
    anna.session.suspend()
    try write(anna, 5...5)
    let kept = try #require(anna.city(1))
    let (beginnings, changes) = (Counted(0), Counted(0))
    let token = anna.realm.objects(City.self).observe { change in
      switch change {
      case .initial: beginnings.value.withLock { $0 += 1 }
      case .update: changes.value.withLock { $0 += 1 }
      case .error: break
      }
    }
    // An observer that begins after the reset has nothing to hear of it.
    try await eventually("the beginning") { beginnings.value.withLock { $0 } == 1 ? true : nil }
    try setup.restore()
    anna.session.resume()
    try await anna.error(.clientResetError)
    try await anna.settle()
    #expect(seen.value.withLock { $0 } == [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [1, 2]])
    #expect(!kept.isInvalidated && anna.realm.objects(City.self).count == 2)
    try await eventually("the change") { changes.value.withLock { $0 } == 1 ? true : nil }
    token.invalidate()
    // What is written now counts as another site's.
    try write(anna, 6...6)
    try await anna.settle()
    #expect(try await fresh(server).bits == anna.bits)
  }

  @Test("F-113, Y-43: A manual reset stops the session, and the next store has everything again")
  func manual() async throws {
    let setup = try setup(false)
    let server = setup.server
    var anna: TestDevice? = try await device("anna", server, .manual())
    try await anna?.subscribe()
    try write(try #require(anna), 1...2)
    try await anna?.settle()
    try setup.keep()
    anna?.session.reconnect()
    try write(try #require(anna), 3...3)
    try await anna?.settle()
    try setup.restore()
    anna?.session.reconnect()
    let error = try #require(try await anna?.error(.clientResetError))
    let (path, token) = try #require(error.clientResetInfo())
    try await eventually("the end of the session") { anna?.session.state == .inactive ? true : nil }
    try write(try #require(anna), 4...4)
    #expect(throws: Realm.Error.self) { try SyncSession.handleError(token) }
    let configuration = try #require(anna?.configuration)
    let folder = try #require(anna?.takeFolder())
    anna = nil
    try SyncSession.handleError(token)
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let cities = try await realm.objects(City.self).subscribe(name: "cities", waitForSync: .always)
    #expect(cities.count == 2)
    #expect(FileManager.default.fileExists(atPath: path))
    withExtendedLifetime(folder) {}
  }
}
