import Dispatch
import Foundation
import Testing

@testable import Larder

extension Keeper {
  /// Refreshes in a task that was cancelled just before.
  func cancelledRefresh() async throws -> Bool {
    let realm = try realm
    withUnsafeCurrentTask { $0?.cancel() }
    return await realm.asyncRefresh()
  }

  /// Refreshes a Realm that belongs to the thread that happens to run this.
  func refreshOfThread() async throws {
    let realm = try makeRealm()
    _ = await realm.asyncRefresh()
  }
}

/// Covers: what moves a Realm on, and what does not.
@Suite("Rules of refreshing", .timeLimit(.minutes(30))) struct RefreshRulesTests {
  @Test("R-2 a write moves to the newest version although autorefresh is off, however it begins; reading does not")
  func writes() throws {
    let configuration = temporaryConfiguration()
    let realm = try Realm(configuration: configuration)
    let people = realm.objects(Person.self)
    realm.autorefresh = false
    func add(_ id: Int) {
      elsewhere {
        do {
          let realm = try Realm(configuration: configuration)
          try realm.write { realm.add(Person(id: id)) }
        } catch {
          Issue.record(error)
        }
      }
    }
    #expect(people.isEmpty)
    add(1)
    #expect(people.isEmpty && realm.objects(Person.self).count == 0 && people.first == nil)
    try realm.write { #expect(people.count == 1) }
    add(2)
    #expect(people.count == 1)
    realm.beginWrite()
    #expect(people.count == 2)
    realm.cancelWrite()
    #expect(people.count == 2)
    add(3)
    try realm.write(timeout: 5) { #expect(people.count == 3) }
    #expect(!realm.autorefresh)
  }

  @Test("R-4 autorefresh belongs to the instance: opened again while one lives it is as it was, afterwards on again")
  func reopened() throws {
    let configuration = temporaryConfiguration()
    // The store in memory stays.
    let queue = DispatchQueue(label: "keeper")
    let keep = UncheckedBox(try queue.sync { try Realm(configuration: configuration, queue: queue) })
    try Self.switchOff(configuration)
    #expect(try Realm(configuration: configuration).autorefresh)
    withExtendedLifetime(keep) {}
  }

  private static func switchOff(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    #expect(realm.autorefresh)
    realm.autorefresh = false
    #expect(try !Realm(configuration: configuration).autorefresh)
    withExtendedLifetime(realm) {}
  }

  @Test("R-5, E-45 refreshing a read-only Realm") func readOnly() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let folder = try TemporaryFolder()
      var configuration = folder.configuration([Person.self, Dog.self, Address.self, Room.self])
      _ = try Realm(configuration: configuration)
      configuration.readOnly = true
      try Realm(configuration: configuration).refresh()
    }
    #expect(misuseText(result).contains("Read-only Realms never change"))
  }

  @Test("R-5 refresh is false in a write, in a callback, for a frozen Realm and when there is nothing newer")
  func refreshing() throws {
    try onQueue([Person.self, Dog.self, Address.self, Room.self]) { realm in
      // The first access begins a version.
      #expect(realm.refresh() && !realm.refresh())
      try realm.write { #expect(!realm.refresh()) }
      #expect(!realm.freeze().refresh())
      var inCallback: Bool?
      let token = realm.objects(Person.self).observe { _ in inCallback = realm.refresh() }
      realm.refresh()
      #expect(inCallback == false)
      token.invalidate()
    }
  }

  @Test("R-6 a cancelled task gets false from asyncRefresh, and its Realm stays where it was") func cancelled()
    async throws
  {
    let configuration = temporaryConfiguration()
    let keeper = Keeper()
    try await keeper.open(configuration)
    try await keeper.here { $0.autorefresh = false }
    #expect(try await keeper.ids() == [])
    let other = try Keeper.write(configuration, 5)
    let task = Task { try await keeper.cancelledRefresh() }
    #expect(try await !task.value)
    #expect(try await keeper.ids() == [])
    #expect(try await keeper.asyncRefresh())
    #expect(try await keeper.ids() == [5])
    withExtendedLifetime(other) {}
  }

  @Test("R-6, E-41 asyncRefresh of a thread's Realm") func threadRefresh() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await Keeper().refreshOfThread()
    }
    #expect(misuseText(result).contains("asyncRefresh needs a Realm of the main thread or of an actor"))
  }
}
