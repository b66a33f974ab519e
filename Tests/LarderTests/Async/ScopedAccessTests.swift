import Foundation
import Testing

@testable import Larder

/// Adds a person as a request of a server does: with no actor, and no thread of its own.
private nonisolated func add(_ id: Int, _ name: String, _ configuration: Realm.Configuration) async throws {
  try await Realm.write(configuration: configuration) { realm in
    realm.create(Person.self, value: ["id": id, "name": name] as [String: Any])
    return ()
  }
}

private nonisolated func person(_ id: Int, _ configuration: Realm.Configuration) async throws -> sending Person? {
  try await Realm.read(configuration: configuration) { realm in
    realm.object(ofType: Person.self, forPrimaryKey: id)?.detached()
  }
}

@Suite("Scoped access") struct ScopedAccessTests {
  private actor Reader {
    var last: Person?
    func keep(_ person: sending Person?) -> String? {
      last = person
      return last?.name
    }
  }

  @Test("F-81: any task reads and writes without an actor of its own, and takes values along")
  func anyTask() async throws {
    let folder = try TemporaryFolder()
    let configuration = folder.configuration([Person.self, Dog.self, Address.self, Room.self])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 1...20 { group.addTask { try await add(id, "name \(id)", configuration) } }
      try await group.waitForAll()
    }
    let count = try await Realm.read(configuration: configuration) { $0.objects(Person.self).count }
    #expect(count == 20)
    let names = try await Realm.read(configuration: configuration) { realm in
      Array(realm.objects(Person.self).where { $0.id <= 2 }.sorted(byKeyPath: "id").map(\.name))
    }
    #expect(names == ["name 1", "name 2"])
  }

  @Test("F-82: detached copies leave the task they were made in, one by one and together")
  func detached() async throws {
    let folder = try TemporaryFolder()
    let configuration = folder.configuration([Person.self, Dog.self, Address.self, Room.self])
    for id in 1...3 { try await add(id, "name \(id)", configuration) }
    let reader = Reader()
    let one = try await person(2, configuration)
    #expect(await reader.keep(one) == "name 2")
    #expect(try await person(9, configuration) == nil)
    let all = try await Realm.read(configuration: configuration) { $0.objects(Person.self).detached() }
    let found = await Task { all.map(\.name).sorted() }.value
    #expect(found == ["name 1", "name 2", "name 3"])
  }

  @Test("F-82: copies of several objects lead to one copy of what they share")
  func shared() throws {
    let realm = try makeRealm()
    try realm.write {
      let owner = Person(id: 1)
      for name in ["a", "b"] {
        let dog = Dog(name: name)
        dog.owner = owner
        realm.add(dog)
      }
    }
    let dogs = realm.objects(Dog.self).detached()
    #expect(dogs.count == 2 && dogs[0].owner != nil && dogs[0].owner === dogs[1].owner && dogs[0].realm == nil)
  }

  @Test("F-81: what a block throws comes out, and nothing of a write that threw is stored")
  func throwing() async throws {
    struct Refused: Error {}
    let folder = try TemporaryFolder()
    let configuration = folder.configuration([Person.self, Dog.self, Address.self, Room.self])
    await #expect(throws: Refused.self) {
      try await Realm.write(configuration: configuration) { realm in
        realm.add(Person(id: 1))
        throw Refused()
      }
    }
    #expect(try await Realm.read(configuration: configuration) { $0.isEmpty })
    await #expect(throws: Refused.self) { try await Realm.read(configuration: configuration) { _ in throw Refused() } }
    await #expect(throws: Realm.Error.self) {
      try await Realm.read(configuration: configuration) { $0.beginWrite() }
    }
    await #expect(throws: Realm.Error.self) {
      try await Realm.read(configuration: Realm.Configuration(fileURL: folder.url)) { _ in }
    }
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await Realm.write(configuration: configuration) { $0.add(Person(id: 2)) }
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(try await Realm.read(configuration: configuration) { $0.isEmpty })
  }

  @Test("F-81: a read sees one version, and gives it up at its end")
  func versions() async throws {
    let folder = try TemporaryFolder()
    let configuration = folder.configuration([Person.self, Dog.self, Address.self, Room.self])
    for id in 1...5 {
      try await add(id, "a", configuration)
      let seen = try await Realm.read(configuration: configuration) { realm in
        (realm.objects(Person.self).count, realm.autorefresh)
      }
      #expect(seen == (id, false))
    }
    let live = try await Realm.read(configuration: configuration) { $0.liveVersions.count }
    #expect(live <= 1)
  }
}
