import Foundation
import TestSupport
import Testing

@testable import Larder

@Suite("References between threads") struct ThreadSafeReferenceTests {
  private let configuration = temporaryConfiguration()

  @Test("O-113 and O-116: objects, lists and results resolve on another thread, once")
  func resolving() throws {
    let realm = try Realm(configuration: configuration)
    let person = try realm.write {
      realm.create(Person.self, value: ["id": 1, "name": "Ada", "dogs": [["name": "Rex"]]] as [String: Any])
    }
    let object = ThreadSafeReference(to: person)
    let list = ThreadSafeReference(to: person.dogs)
    let results = ThreadSafeReference(to: realm.objects(Person.self).filter("name = 'Ada'"))
    let embedded = ThreadSafeReference(to: person)
    #expect(!object.isInvalidated)
    let configuration = configuration
    try onThread {
      let other = try Realm(configuration: configuration)
      let resolved = other.resolve(object)
      #expect(resolved?.name == "Ada" && resolved?.realm == other && resolved?.isFrozen == false)
      #expect(other.resolve(list)?.first?.name == "Rex")
      #expect(other.resolve(results)?.count == 1)
      #expect(object.isInvalidated && list.isInvalidated && !embedded.isInvalidated)
      #expect(throws: Realm.Error.self) { try other.throwing.resolve(object) }
    }
  }

  @Test("O-113: what is gone, or of another store, resolves to nil and spends the reference")
  func gone() throws {
    let realm = try Realm(configuration: configuration)
    let person = try realm.write { realm.create(Person.self, value: ["id": 1]) }
    let reference = ThreadSafeReference(to: person)
    let foreign = ThreadSafeReference(to: person)
    try realm.write { realm.delete(person) }
    #expect(realm.resolve(reference) == nil && reference.isInvalidated)
    #expect(try makeRealm().resolve(foreign) == nil && foreign.isInvalidated)
  }

  @Test("O-113: unmanaged and deleted things have no reference")
  func impossible() throws {
    let realm = try Realm(configuration: configuration)
    let person = try realm.write { realm.create(Person.self, value: ["id": 1]) }
    let other = try #require(realm.objects(Person.self).first)
    try realm.write { realm.delete(person) }
    #expect(throws: Realm.Error.self) { try realm.throwing.reference(to: Person()) }
    #expect(throws: Realm.Error.self) { try realm.throwing.reference(to: person) }
    let error = #expect(throws: Realm.Error.self) { try realm.throwing.reference(to: other) }
    #expect(error?.message.contains("deleted") == true)
  }

  @Test(
    "O-114: a Realm at an older version moves to the reference's version, one without a version starts there, one beyond stays"
  )
  func versions() throws {
    let realm = try Realm(configuration: configuration)
    let behind = try Realm(configuration: configuration, queue: nil)
    let configuration = configuration
    let person = try realm.write { realm.create(Person.self, value: ["id": 1, "name": "old"]) }
    let queue = DispatchQueue(label: "other")
    let box = Passed<Realm>()
    try queue.sync {
      let other = try Realm(configuration: configuration, queue: queue)
      other.autorefresh = false
      #expect(other.objects(Person.self).first?.name == "old")
      box.value = other
    }
    try realm.write { person.name = "new" }
    let reference = ThreadSafeReference(to: person)
    let kept = ThreadSafeReference(to: person)
    queue.sync {
      let other = box.value
      #expect(other?.objects(Person.self).first?.name == "old")
      #expect(other?.resolve(reference)?.name == "new")
    }
    try realm.write { realm.delete(person) }
    queue.sync {
      let other = box.value
      other?.invalidate()
      // Starts at the version in which the object still exists.
      #expect(other?.resolve(kept)?.name == "new")
      other?.refresh()
      #expect(other?.objects(Person.self).isEmpty == true)
      box.value = nil
    }
    _ = behind
  }

  @Test("O-114, F-3: while a write is open its references give the committed state elsewhere, or nil and stay usable")
  func inWrite() throws {
    let realm = try Realm(configuration: configuration)
    let person = try realm.write { realm.create(Person.self, value: ["id": 1, "name": "old"]) }
    realm.beginWrite()
    person.name = "new"
    let reference = ThreadSafeReference(to: person)
    let unborn = ThreadSafeReference(to: realm.create(Person.self, value: ["id": 2]))
    let configuration = configuration
    try onThread {
      let other = try Realm(configuration: configuration)
      #expect(other.resolve(reference)?.name == "old" && other.resolve(unborn) == nil)
      #expect(reference.isInvalidated && !unborn.isInvalidated)
    }
    realm.cancelWrite()
    #expect(realm.resolve(unborn) == nil && unborn.isInvalidated)
  }

  @Test("O-115: @ThreadSafe can be read any number of times on any thread, and is nil once the object is gone")
  func threadSafe() throws {
    let realm = try Realm(configuration: configuration)
    let person = try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
    let shared = ThreadSafe<Person>(wrappedValue: person)
    for _ in 0..<2 {
      try onThread {
        #expect(shared.wrappedValue?.name == "Ada" && shared.wrappedValue?.isFrozen == false)
      }
    }
    @ThreadSafe var wrapped: Person? = person
    #expect(wrapped?.isSameObject(as: person) == true)
    wrapped = nil
    #expect(wrapped == nil)
    try realm.write { realm.delete(person) }
    try onThread { #expect(shared.wrappedValue == nil) }
  }

  @Test("F-145: @ThreadSafe shows what another thread wrote through it, whether that read it in the write or before")
  func threadSafeNewest() throws {
    let realm = try Realm(configuration: configuration)
    let person = try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
    realm.autorefresh = false
    let shared = ThreadSafe<Person>(wrappedValue: person)
    let configuration = configuration
    try onThread {
      try Realm(configuration: configuration).write { shared.wrappedValue?.name = "Bea" }
    }
    #expect(shared.wrappedValue?.name == "Bea" && person.name == "Bea")
    try onThread {
      let other = shared.wrappedValue
      try other?.realm?.write { other?.name = "Cea" }
    }
    #expect(shared.wrappedValue?.name == "Cea")
    try realm.write {
      // An open write shows what it is writing.
      shared.wrappedValue?.name = "Dea"
      #expect(shared.wrappedValue?.name == "Dea")
    }
    try onThread { #expect(shared.wrappedValue?.name == "Dea") }
  }

  @Test("E-70: an unmanaged object in @ThreadSafe ends the process") func unmanaged() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ThreadSafe<Person>(wrappedValue: Person())
    }
    #expect(misuseText(result).contains("A reference can only be made to something managed"))
  }

  @Test("E-70: resolving twice ends the process") func twice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      let person = try realm.write { realm.create(Person.self, value: ["id": 1]) }
      let reference = ThreadSafeReference(to: person)
      _ = realm.resolve(reference)
      _ = realm.resolve(reference)
    }
    #expect(misuseText(result).contains("A reference can be resolved once"))
  }
}

/// Runs a block on a thread of its own and waits for it.
func onThread(_ body: @escaping @Sendable () throws -> Void) throws {
  let outcome = Passed<Result<Void, any Error>>()
  let done = DispatchSemaphore(value: 0)
  Thread {
    outcome.value = Result { try body() }
    done.signal()
  }.start()
  done.wait()
  try outcome.value?.get()
}

/// Something handed from one place to another by the test itself.
final class Passed<Value>: @unchecked Sendable {
  // Unchecked: the tests hand it over with semaphores and queues.
  var value: Value?
}
