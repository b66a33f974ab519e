import Foundation
import Larder
import TestSupport
import Testing

/// The examples of the most used calls, as their doc comments show them.
@Suite("The most used calls, by their examples", .timeLimit(.minutes(30))) struct CallSnippets {
  class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var age: Int
    @Persisted var dogs: List<Dog>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Int>
  }

  class Dog: Object {
    @Persisted var name: String
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  }

  private let directory: TemporaryDirectory
  private let configuration: Realm.Configuration

  init() throws {
    directory = try TemporaryDirectory()
    configuration = Realm.Configuration(
      fileURL: directory.url.appendingPathComponent("people.larder"), objectTypes: [Person.self, Dog.self])
  }

  private func filled() throws -> Realm {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for (id, name, age) in [(1, "Ada", 36), (2, "Alan", 41), (3, "Grace", 85)] {
        realm.create(Person.self, value: ["id": id, "name": name, "age": age] as [String: Any])
      }
    }
    return realm
  }

  private func ada(_ realm: Realm) throws -> Person {
    try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
  }

  @Test func opening() throws {
    let url = try #require(configuration.fileURL)
    // begin: call-configuration
    var configuration = Realm.Configuration(fileURL: url, schemaVersion: 1)
    configuration.objectTypes = [Person.self, Dog.self]
    // end: call-configuration
    // begin: call-open
    let realm = try Realm(configuration: configuration)
    // end: call-open
    #expect(realm.isEmpty && realm.schema.objectSchema.count == 2)
    let openDefault = {
      // begin: call-open-default
      let realm = try Realm()
      // end: call-open-default
      _ = realm
    }
    _ = openDefault
    let openURL = {
      // begin: call-open-url
      let realm = try Realm(fileURL: url)
      // end: call-open-url
      _ = realm
    }
    _ = openURL
  }

  @Test func writing() throws {
    let realm = try filled()
    let person = try ada(realm)
    // begin: call-write
    try realm.write {
      person.age += 1
    }
    // end: call-write
    #expect(person.age == 37)
    // begin: call-write-timeout
    do {
      try realm.write(timeout: 0.5) { person.age += 1 }
    } catch Realm.Error.writeTimeout {
      print("another program is writing; try again later")
    }
    // end: call-write-timeout
    // begin: call-try-write
    let isWritten = try realm.tryWrite { person.age += 1 } != nil
    // end: call-try-write
    #expect(isWritten && person.age == 39)
    // begin: call-begin-write
    realm.beginWrite()
    person.age = 36
    try realm.commitWrite()
    // end: call-begin-write
    // begin: call-cancel-write
    realm.beginWrite()
    person.age = 0
    realm.cancelWrite()
    // end: call-cancel-write
    #expect(person.age == 36)
  }

  @Test func addingAndDeleting() throws {
    let realm = try filled()
    // begin: call-add
    let person = Person(value: ["id": 4, "name": "Edsger"] as [String: Any])
    try realm.write { realm.add(person, update: .modified) }
    // end: call-add
    // begin: call-add-several
    let dogs = ["Rex", "Fido"].map { Dog(value: ["name": $0]) }
    try realm.write { realm.add(dogs) }
    // end: call-add-several
    // begin: call-create
    let made = try realm.write {
      realm.create(Person.self, value: ["id": 5, "name": "Barbara", "dogs": [["name": "Lia"]]] as [String: Any])
    }
    // end: call-create
    #expect(made.dogs.first?.name == "Lia" && realm.objects(Dog.self).count == 3)
    // begin: call-throwing
    try realm.write {
      try realm.throwing.create(Person.self, value: ["id": 6, "name": "Donald"] as [String: Any])
    }
    // end: call-throwing
    // begin: call-delete
    try realm.write { realm.delete(person) }
    // end: call-delete
    #expect(person.isInvalidated)
    // begin: call-delete-results
    try realm.write { realm.delete(realm.objects(Dog.self).where { $0.name == "Rex" }) }
    // end: call-delete-results
    #expect(realm.objects(Dog.self).count == 2)
    // begin: call-delete-all
    try realm.write { realm.deleteAll() }
    // end: call-delete-all
    #expect(realm.isEmpty)
  }

  @Test func finding() throws {
    let realm = try filled()
    // begin: call-objects
    let people = realm.objects(Person.self)
    for person in people { print(person.name) }
    // end: call-objects
    // begin: call-object
    let ada = realm.object(ofType: Person.self, forPrimaryKey: 1)
    // end: call-object
    #expect(ada?.name == "Ada")
    // begin: call-filter
    let older = people.filter("age > %@ AND name BEGINSWITH 'A'", 40)
    // end: call-filter
    #expect(older.map(\.name) == ["Alan"])
    // begin: call-filter-predicate
    let young = people.filter(NSPredicate(format: "age < %@", 40))
    // end: call-filter-predicate
    #expect(young.map(\.name) == ["Ada"])
    // begin: call-where
    let adults = people.where { $0.age >= 18 && $0.name.contains("a", options: .caseInsensitive) }
    // end: call-where
    #expect(adults.count == 3)
    // begin: call-filter-foundation
    let found = people.filter(#Predicate { $0.age > 40 })
    // end: call-filter-foundation
    #expect(found.count == 2)
    // begin: call-query
    let checked = try people.query("age > %@", 40)
    // end: call-query
    #expect(checked.count == 2)
    // begin: call-rql
    let first = people.filter(rql: "age > $0 SORT(name ASC) LIMIT(5)", 30)
    // end: call-rql
    #expect(first.count == 3)
    // begin: call-index-matching
    let position = people.index(matching: "name == %@", "Alan")
    // end: call-index-matching
    #expect(position == 1)
    // begin: call-explain
    print(try people.filter("name == 'Ada'").explain())
    // end: call-explain
  }

  @Test func arranging() throws {
    let realm = try filled()
    let people = realm.objects(Person.self)
    // begin: call-sorted
    let byAge = people.sorted(byKeyPath: "age", ascending: false)
    // end: call-sorted
    #expect(byAge.first?.name == "Grace")
    // begin: call-sorted-descriptors
    let ordered = people.sorted(by: [SortDescriptor(keyPath: "age"), SortDescriptor(keyPath: "name")])
    // end: call-sorted-descriptors
    #expect(ordered.first?.name == "Ada")
    // begin: call-distinct
    let oneOfEachAge = people.distinct(by: ["age"])
    // end: call-distinct
    #expect(oneOfEachAge.count == 3)
    // begin: call-limit
    let page = people.sorted(byKeyPath: "name").offset(1).limit(2)
    // end: call-limit
    #expect(page.map(\.name) == ["Alan", "Grace"])
    // begin: call-aggregates
    let oldest = people.max(of: \.age)
    let total = people.sum(of: \.age)
    // end: call-aggregates
    #expect(oldest == 85 && total == 162)
    // begin: call-sectioned
    let byLetter = people.sectioned(
      by: { String($0.name.prefix(1)) }, sortDescriptors: [SortDescriptor(keyPath: "name")])
    for section in byLetter { print(section.key, section.count) }
    // end: call-sectioned
    #expect(byLetter.count == 2)
    // begin: call-grouped
    let groups = try people.grouped(by: "age", .count)
    // end: call-grouped
    #expect(groups.count == 3)
    // begin: call-group
    let crowded = try people.group(by: \.age).aggregate(.count, .median(\Person.age))
      .having("count > 1").sorted(by: .count, ascending: false).limit(10).rows()
    // end: call-group
    #expect(crowded.isEmpty)
  }

  @Test func collections() throws {
    let realm = try filled()
    let person = try ada(realm)
    // begin: call-append
    try realm.write { person.dogs.append(Dog(value: ["name": "Rex"])) }
    // end: call-append
    // begin: call-append-several
    try realm.write { person.dogs.append(objectsIn: [Dog(value: ["name": "Fido"]), Dog(value: ["name": "Lia"])]) }
    // end: call-append-several
    // begin: call-insert
    try realm.write { person.dogs.insert(Dog(value: ["name": "Bo"]), at: 0) }
    // end: call-insert
    // begin: call-list-move
    try realm.write { person.dogs.move(from: 0, to: 1) }
    // end: call-list-move
    #expect(person.dogs.map(\.name) == ["Rex", "Bo", "Fido", "Lia"])
    // begin: call-list-remove
    try realm.write { person.dogs.remove(at: 1) }
    // end: call-list-remove
    // begin: call-set-insert
    try realm.write { person.tags.insert("mathematics") }
    // end: call-set-insert
    #expect(person.tags.contains("mathematics"))
    // begin: call-map
    try realm.write { person.scores["chess"] = 12 }
    let score = person.scores["chess"]
    // end: call-map
    #expect(score == 12)
    // begin: call-list-remove-all
    try realm.write { person.dogs.removeAll() }
    // end: call-list-remove-all
    #expect(person.dogs.isEmpty && realm.objects(Dog.self).count == 4)
  }

  @Test func following() async throws {
    let changes = try await onMain()
    #expect(changes == 2)
  }

  @MainActor private func onMain() async throws -> Int {
    let realm = try filled()
    let person = try ada(realm)
    var calls = 0
    // begin: call-observe
    let token = realm.objects(Person.self).observe { change in
      if case .update(let people, let deletions, let insertions, let modifications) = change {
        print(people.count, deletions, insertions, modifications)
      }
    }
    // end: call-observe
    // begin: call-observe-object
    let objectToken = person.observe { (change: ObjectChange<Person>) in
      if case .change(_, let properties) = change { print(properties.map(\.name)) }
    }
    // end: call-observe-object
    // begin: call-observe-realm
    let realmToken = realm.observe { notification, realm in
      print(notification, realm)
    }
    // end: call-observe-realm
    let counter = realm.observe { _, _ in calls += 1 }
    try realm.write { person.age += 1 }
    try realm.write { person.age += 1 }
    // begin: call-invalidate-token
    token.invalidate()
    // end: call-invalidate-token
    objectToken.invalidate()
    realmToken.invalidate()
    counter.invalidate()
    // begin: call-refresh
    let hasMoved = realm.refresh()
    // end: call-refresh
    _ = hasMoved
    // begin: call-changes
    let following = Task { @MainActor in
      for await change in realm.objects(Person.self).changes {
        if case .update(let people, _, _, _) = change { return people.count }
      }
      return 0
    }
    // end: call-changes
    following.cancel()
    return calls
  }

  @Test func elsewhere() async throws {
    try await tasks()
    let realm = try filled()
    let person = try ada(realm)
    // begin: call-freeze
    let frozen = person.freeze()
    // end: call-freeze
    // begin: call-thaw
    let live = frozen.thaw()
    // end: call-thaw
    #expect(frozen.isFrozen && live == person)
    // begin: call-freeze-results
    let unchanging = realm.objects(Person.self).freeze()
    // end: call-freeze-results
    #expect(unchanging.count == 3)
    // begin: call-freeze-realm
    let version = realm.freeze()
    // end: call-freeze-realm
    #expect(version.isFrozen)
    // begin: call-reference
    let reference = ThreadSafeReference(to: person)
    // end: call-reference
    // begin: call-resolve
    let resolved = realm.resolve(reference)
    // end: call-resolve
    #expect(resolved?.name == "Ada")
    // begin: call-detached
    let copy = person.detached(depth: 1)
    // end: call-detached
    #expect(copy.realm == nil && copy.name == "Ada")
    let copyURL = directory.url.appendingPathComponent("copy.larder")
    // begin: call-write-copy
    try realm.writeCopy(toFile: copyURL)
    // end: call-write-copy
    #expect(FileManager.default.fileExists(atPath: copyURL.path))
    // begin: call-invalidate
    realm.invalidate()
    // end: call-invalidate
    #expect(person.isInvalidated)
  }

  @MainActor private func tasks() async throws {
    // begin: call-open-actor
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    // end: call-open-actor
    // begin: call-async-write
    try await realm.asyncWrite {
      realm.create(Person.self, value: ["id": 9, "name": "Hedy"] as [String: Any])
    }
    // end: call-async-write
    // begin: call-write-async
    realm.writeAsync {
      realm.create(Person.self, value: ["id": 10, "name": "Lise"] as [String: Any])
    } onComplete: { error in
      if let error { print(error) }
    }
    // end: call-write-async
    await realm.asyncRefresh()
    while realm.isPerformingAsynchronousWriteOperations { try await Task.sleep(for: .milliseconds(1)) }
    #expect(realm.objects(Person.self).count == 2)
    try realm.write { realm.deleteAll() }
  }

  @Test func migrating() throws {
    _ = try filled()
    let url = try #require(configuration.fileURL)
    // begin: call-migration
    let configuration = Realm.Configuration(
      fileURL: url, schemaVersion: 1,
      migrationBlock: { migration, oldSchemaVersion in
        if oldSchemaVersion < 1 {
          migration.enumerateObjects(ofType: "Person") { old, new in
            new?["name"] = (old?["name"] as? String)?.uppercased()
          }
        }
      }, objectTypes: [Person.self, Dog.self])
    // end: call-migration
    // begin: call-perform-migration
    try Realm.performMigration(for: configuration)
    // end: call-perform-migration
    #expect(try ada(Realm(configuration: configuration)).name == "ADA")
  }

  @Test func removing() throws {
    try filled().invalidate()
    // begin: call-delete-files
    let wasThere = try Realm.deleteFiles(for: configuration)
    // end: call-delete-files
    #expect(wasThere)
  }
}
