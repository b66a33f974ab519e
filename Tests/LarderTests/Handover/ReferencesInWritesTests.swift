import Foundation
import TestSupport
import Testing

@testable import Larder

private final class BestCard: Projection<Person> {
  @Projected(\Person.name) var title
}

@Suite("References made within a write", .timeLimit(.minutes(30))) struct ReferencesInWritesTests {
  private let configuration = temporaryConfiguration()

  /// One reference of each kind to what a write makes.
  private struct References: Sendable {
    let object: ThreadSafeReference<Person>
    let embedded: ThreadSafeReference<Address>
    let list: ThreadSafeReference<List<Dog>>
    let values: ThreadSafeReference<List<String>>
    let results: ThreadSafeReference<Results<Dog>>
    let inverse: ThreadSafeReference<AnyRealmCollection<Dog>>
    let card: ThreadSafeReference<BestCard>
    let wrapped: ThreadSafe<Person>

    init(_ person: Person) throws {
      object = ThreadSafeReference(to: person)
      embedded = ThreadSafeReference(to: try #require(person.address))
      list = ThreadSafeReference(to: person.dogs)
      values = ThreadSafeReference(to: person.dogs[0].tags)
      results = ThreadSafeReference(to: person.dogs.sorted(byKeyPath: "name"))
      inverse = ThreadSafeReference(to: AnyRealmCollection(person.dogs))
      card = ThreadSafeReference(to: BestCard(projecting: person))
      wrapped = ThreadSafe(wrappedValue: person)
    }

    func check(in realm: Realm) {
      #expect(realm.resolve(object)?.name == "Ada")
      #expect(realm.resolve(embedded)?.city == "Rome")
      #expect(realm.resolve(list)?.map(\.name) == ["Rex", "Fido"])
      #expect(realm.resolve(values).map { Array($0) } == ["good"])
      #expect(realm.resolve(results)?.map(\.name) == ["Fido", "Rex"])
      #expect(realm.resolve(inverse)?.count == 2)
      #expect(realm.resolve(card)?.title == "Ada")
      #expect(wrapped.wrappedValue?.name == "Ada" && wrapped.wrappedValue?.name == "Ada")
    }

    func checkGone(in realm: Realm) {
      #expect(realm.resolve(object) == nil && realm.resolve(embedded) == nil && realm.resolve(list) == nil)
      #expect(realm.resolve(values) == nil && realm.resolve(results)?.isEmpty ?? true && realm.resolve(inverse) == nil)
      #expect(realm.resolve(card) == nil && wrapped.wrappedValue == nil)
    }
  }

  private func ada(_ realm: Realm) -> Person {
    realm.create(
      Person.self,
      value: [
        "id": 1, "name": "Ada", "address": ["city": "Rome"],
        "dogs": [["name": "Rex", "tags": ["good"]], ["name": "Fido"]],
      ] as [String: Any])
  }

  @Test("F-3: references made in the write that made the object resolve after its commit, here and on other threads")
  func committed() throws {
    let realm = try Realm(configuration: configuration)
    let (here, there) = try realm.write {
      let person = ada(realm)
      return (try References(person), try References(person))
    }
    here.check(in: realm)
    let configuration = configuration
    try onThread { there.check(in: try Realm(configuration: configuration)) }
  }

  @Test("F-3: they resolve in the same open write, too") func sameWrite() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { try References(ada(realm)).check(in: realm) }
  }

  @Test("F-3: nil when the write was cancelled, also when others make the same objects again") func cancelled() throws {
    let realm = try Realm(configuration: configuration)
    realm.beginWrite()
    let (here, there) = (try References(ada(realm)), try References(try #require(realm.objects(Person.self).first)))
    realm.cancelWrite()
    let configuration = configuration
    try onThread {
      let other = try Realm(configuration: configuration)
      try other.write {
        for id in 0..<10 {
          other.create(
            Person.self,
            value: ["id": 100 + id, "name": "Eve", "address": ["city": "X"], "dogs": [["name": "Y", "tags": ["z"]]]]
              as [String: Any])
        }
      }
      there.checkGone(in: other)
    }
    realm.refresh()
    here.checkGone(in: realm)
  }

  @Test("F-3: nil for what a nested write made and gave up; the rest of the write is there") func nested() throws {
    struct GiveUp: Error {}
    let realm = try Realm(configuration: configuration)
    var lost: ThreadSafeReference<Person>?
    var kept: ThreadSafeReference<Person>?
    try realm.write {
      kept = ThreadSafeReference(to: realm.create(Person.self, value: ["id": 1]))
      try? realm.write {
        lost = ThreadSafeReference(to: realm.create(Person.self, value: ["id": 2]))
        throw GiveUp()
      }
      realm.create(Person.self, value: ["id": 3])
    }
    #expect(realm.resolve(try #require(lost)) == nil)
    #expect(realm.resolve(try #require(kept))?.id == 1)
  }

  @Test("F-3, O-114: the version of the commit is kept, so that what is deleted later resolves where no version is")
  func keepsVersion() throws {
    let realm = try Realm(configuration: configuration)
    let reference = try realm.write { ThreadSafeReference(to: ada(realm)) }
    try realm.write { realm.deleteAll() }
    let configuration = configuration
    try onThread {
      let other = try Realm(configuration: configuration)
      #expect(other.resolve(reference)?.name == "Ada")
    }
  }

  @MainActor
  @Test("F-3: references made in an asynchronous write resolve after it") func asynchronous() async throws {
    let realm = try await Realm(configuration: configuration)
    let (here, there) = try await realm.asyncWrite {
      let person = ada(realm)
      return (try References(person), try References(person))
    }
    here.check(in: realm)
    let configuration = configuration
    try onThread { there.check(in: try Realm(configuration: configuration)) }
  }
}
