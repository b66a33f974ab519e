import Dispatch
import Foundation
import LarderLMDB
import LarderLocks
import LarderStorage
import Testing

@testable import Larder

/// All reader slots of a store, taken until it lets go of them.
private final class TakenSlots: Sendable {
  private let held = Lock<[ReadTransaction]>([])

  init(_ store: Store) throws {
    do {
      while true {
        let taken = try store.environment.beginRead()
        held.withLock { $0.append(taken) }
      }
    } catch let error as LMDBError {
      try #require(error.code == .readersFull)
    }
  }

  var count: Int { held.withLock { $0.count } }

  /// Releases them on a thread of its own: the queues' threads may all be waiting in other tests.
  func releaseElsewhere() { Thread.detachNewThread { self.release() } }

  func release() {
    let released = held.withLock { held in
      defer { held = [] }
      return held
    }
    withExtendedLifetime(released) {}
  }
}

@Suite("Reader slots") struct ReaderSlotTests {
  private func filled(_ folder: TemporaryFolder) throws -> Realm {
    let realm = try Realm(configuration: folder.configuration([Person.self, Dog.self, Address.self, Room.self]))
    try realm.write { realm.add(Person(id: 1, name: "A")) }
    return realm
  }

  @Test("F-40: a durable commit succeeds without a free reader slot, and is read as soon as there is one")
  func commit() throws {
    let folder = try TemporaryFolder()
    let realm = try filled(folder)
    realm.beginWrite()
    realm.add(Person(id: 2, name: "B"))
    let slots = try TakenSlots(realm.core.store)
    #expect(slots.count > 4_000)
    try realm.commitWrite()
    #expect(!realm.isInWriteTransaction)
    slots.releaseElsewhere()
    #expect(realm.objects(Person.self).count == 2)
    try realm.write { realm.add(Person(id: 3, name: "C")) }
    #expect(realm.objects(Person.self).count == 3)
  }

  @Test("F-40: refresh, a first read and beginWrite wait for a slot that another gives back")
  func waiting() throws {
    let folder = try TemporaryFolder()
    let realm = try filled(folder)
    let steps: [() -> Void] = [
      { _ = realm.refresh() }, { _ = realm.objects(Person.self).count }, { realm.beginWrite() },
    ]
    for step in steps {
      realm.invalidate()
      let slots = try TakenSlots(realm.core.store)
      slots.releaseElsewhere()
      step()
    }
    realm.cancelWrite()
    #expect(realm.objects(Person.self).count == 1)
  }

  @Test("F-40: where the signature throws, a missing slot is thrown, with how many there are and whose")
  func thrown() throws {
    let folder = try TemporaryFolder()
    let realm = try filled(folder)
    realm.invalidate()
    let slots = try TakenSlots(realm.core.store)
    let error = #expect(throws: Realm.Error.self) { try realm.write { Issue.record("the block ran") } }
    let text = error?.localizedDescription ?? ""
    #expect(text.contains("no free reader slot") && text.contains("\(slots.count) by this process"), "\(text)")
    slots.release()
    try realm.write { realm.add(Person(id: 2, name: "B")) }
    #expect(realm.objects(Person.self).count == 2)
  }

  @Test("F-40: observers hear of a commit that could not be read at first")
  func observed() throws {
    let folder = try TemporaryFolder()
    let queue = DispatchQueue(label: "observes")
    let heard = DispatchSemaphore(value: 0)
    let configuration = folder.configuration([Person.self, Dog.self, Address.self, Room.self])
    let store = try filled(folder).core.store
    let token = try queue.sync {
      try Realm(configuration: configuration, queue: queue).objects(Person.self).observe(on: queue) { change in
        if case .update(let results, _, _, _) = change, results.count == 2 { heard.signal() }
      }
    }
    let writer = try Realm(configuration: configuration)
    writer.beginWrite()
    writer.add(Person(id: 2, name: "B"))
    let slots = try TakenSlots(store)
    try writer.commitWrite()
    slots.release()
    #expect(heard.wait(timeout: .now() + 30) == .success)
    _ = queue.sync { token.invalidate() }
  }

  @Test(
    "F-40: references made in a write transaction lead to its objects when no slot was free after the commit",
    arguments: [false, true])
  func references(_ isStillMissing: Bool) throws {
    let folder = try TemporaryFolder()
    let realm = try filled(folder)
    let other = try Realm(configuration: folder.configuration([Person.self, Dog.self, Address.self, Room.self]))
    realm.beginWrite()
    let made = Person(id: 2, name: "B")
    realm.add(made)
    let (reference, second) = (ThreadSafeReference(to: made), ThreadSafeReference(to: made))
    let slots = try TakenSlots(realm.core.store)
    try realm.commitWrite()
    if isStillMissing {
      slots.releaseElsewhere()
    } else {
      slots.release()
    }
    #expect(other.resolve(reference)?.name == "B")
    #expect(realm.resolve(second)?.name == "B" && made.name == "B")
  }
}
