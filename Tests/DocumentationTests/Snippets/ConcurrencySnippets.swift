import Dispatch
import Foundation
import Larder
import TestSupport
import Testing

@Suite("Concurrency, by its examples", .timeLimit(.minutes(30))) struct ConcurrencySnippets {
  class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
  }

  // begin: actor
  actor Directory {
    private let configuration: Realm.Configuration
    private var opened: Realm?

    init(_ configuration: Realm.Configuration) { self.configuration = configuration }

    private func realm() async throws -> Realm {
      if let opened { return opened }
      let realm = try await Realm(configuration: configuration, actor: self)
      opened = realm
      return realm
    }

    func add(_ id: Int, _ name: String) async throws {
      let realm = try await realm()
      try await realm.asyncWrite {
        realm.create(Person.self, value: ["id": id, "name": name] as [String: Any], update: .modified)
      }
    }

    func names() async throws -> [String] {
      try await realm().objects(Person.self).sorted(byKeyPath: "name").map(\.name)
    }
  }
  // end: actor

  private let directory: TemporaryDirectory
  private let configuration: Realm.Configuration

  init() throws {
    directory = try TemporaryDirectory()
    configuration = Realm.Configuration(
      fileURL: directory.url.appendingPathComponent("people.larder"), objectTypes: [Person.self])
  }

  @Test func actors() async throws {
    // begin: actor-use
    let people = Directory(configuration)
    try await people.add(1, "Ada")
    try await people.add(2, "Alan")
    print(try await people.names())
    // end: actor-use
    #expect(try await people.names() == ["Ada", "Alan"])
  }

  // begin: scoped-write
  func rename(_ id: Int, to name: String) async throws -> Bool {
    try await Realm.write(configuration: configuration) { realm in
      guard let person = realm.object(ofType: Person.self, forPrimaryKey: id) else { return false }
      person.name = name
      return true
    }
  }
  // end: scoped-write

  @Test func scopedAccess() async throws {
    let configuration = configuration
    try await Realm.write(configuration: configuration) { realm in
      realm.create(Person.self, value: ["id": 1, "name": "?"] as [String: Any])
      return
    }
    #expect(try await rename(1, to: "Ada"))
    #expect(try await !rename(2, to: "Alan"))
    // begin: scoped-read
    let names = try await Realm.read(configuration: configuration) { realm in
      Array(realm.objects(Person.self).sorted(byKeyPath: "name").map(\.name))
    }
    let ada = try await Realm.read(configuration: configuration) { realm in
      realm.object(ofType: Person.self, forPrimaryKey: 1)?.detached()
    }
    // end: scoped-read
    #expect(names == ["Ada"] && ada?.name == "Ada" && ada?.realm == nil)
  }

  @Test func queues() throws {
    let configuration = configuration
    // begin: queue
    let queue = DispatchQueue(label: "people")
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada"] as [String: Any]) }
    }
    // end: queue
    #expect(try Realm(configuration: configuration).objects(Person.self).count == 1)
  }

  @Test func references() throws {
    let configuration = configuration
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada"] as [String: Any]) }
    let person = try #require(realm.objects(Person.self).first)
    let queue = DispatchQueue(label: "elsewhere")
    // begin: reference
    let reference = ThreadSafeReference(to: person)
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      if let person = realm.resolve(reference) {
        try realm.write { person.name = "Ada Lovelace" }
      }
    }
    // end: reference
    realm.refresh()
    #expect(person.name == "Ada Lovelace")
    // begin: wrapper
    @ThreadSafe var shared: Person? = person
    queue.sync { print(_shared.wrappedValue?.name ?? "gone") }
    // end: wrapper
    #expect(queue.sync { _shared.wrappedValue?.name } == "Ada Lovelace")
  }

  @MainActor @Test func frozen() async throws {
    let realm = try await Realm(configuration: configuration)
    try await realm.asyncWrite { realm.create(Person.self, value: ["id": 1, "name": "Ada"] as [String: Any]) }
    // begin: frozen
    nonisolated(unsafe) let everybody = realm.objects(Person.self).freeze()
    let names = await Task.detached { everybody.map(\.name) }.value
    // end: frozen
    #expect(names == ["Ada"] && everybody.isFrozen)
  }

  @MainActor @Test func background() async throws {
    // begin: task
    let realm = try await Realm(configuration: configuration)
    try await realm.asyncWrite {
      realm.create(Person.self, value: ["id": 1, "name": "Ada"] as [String: Any])
    }
    // end: task
    #expect(realm.objects(Person.self).count == 1)
  }

  @Test func nested() throws {
    let realm = try Realm(configuration: configuration)
    struct Refused: Error {}
    // begin: nested
    try realm.write {
      realm.create(Person.self, value: ["id": 1, "name": "Ada"] as [String: Any])
      do {
        try realm.write {
          realm.create(Person.self, value: ["id": 2, "name": "Nobody"] as [String: Any])
          throw Refused()
        }
      } catch is Refused {
        print("only the inner part is undone")
      }
    }
    // end: nested
    #expect(realm.objects(Person.self).map(\.name) == ["Ada"])
  }

  @Test func waiting() throws {
    let realm = try Realm(configuration: configuration)
    // begin: timeout
    do {
      try realm.write(timeout: 2) { realm.create(Person.self, value: ["id": 1]) }
    } catch let error as Realm.Error where error.code == .writeTimeout {
      print("another writer is busy")
    }
    let done: Bool? = try realm.tryWrite {
      realm.create(Person.self, value: ["id": 2])
      return true
    }
    // end: timeout
    #expect(done == true && realm.objects(Person.self).count == 2)
  }
}
