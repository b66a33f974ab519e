import LarderStorage
import Testing

@testable import Larder

/// The state machine of a Realm's write transactions, with real transactions of a store.
@Suite("Write session")
struct WriteSessionTests {
  private let person = ClassID(rawValue: 3)
  private let dog = ClassID(rawValue: 4)

  private func withWriters(_ count: Int, _ body: ([StoreWriter]) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let store = try Store.open(path: folder.url.appendingPathComponent("a.larder").path, options: StoreOptions())
    var writers: [StoreWriter] = []
    for _ in 0..<count {
      let writer = try store.beginWrite()
      writer.cancel()
      writers.append(writer)
    }
    try body(writers)
  }

  @Test("numbers transactions from 1, and has number 0 outside of them")
  func numbers() throws {
    try withWriters(2) { writers in
      var session = WriteSession()
      #expect(!session.isOpen && session.number == 0)
      session.begin(writers[0], changes: 7)
      session.openSavepoints = 2
      #expect(session.isOpen && session.number == 1 && session.changesAtBegin == 7 && !session.isMigrating)
      #expect(session.end() == nil)
      #expect(!session.isOpen && session.number == 0)
      session.begin(writers[1], changes: 9, isMigration: true)
      #expect(session.number == 2 && session.openSavepoints == 0 && session.isMigrating)
      _ = session.end()
      #expect(!session.isMigrating)
    }
  }

  @Test("R-8: what a cancelled transaction made has vanished, and nothing else")
  func vanished() throws {
    try withWriters(2) { writers in
      var session = WriteSession()
      session.begin(writers[0], changes: 0)
      #expect(!session.hasVanished(person, ObjectKey(rawValue: 10), bornIn: 1))
      _ = session.end()
      session.forget(1, [person: ObjectKey(rawValue: 10)])
      #expect(session.hasVanished(person, ObjectKey(rawValue: 10), bornIn: 1))
      #expect(!session.hasVanished(person, ObjectKey(rawValue: 9), bornIn: 1), "was there before")
      #expect(!session.hasVanished(dog, ObjectKey(rawValue: 10), bornIn: 1), "made no object of the class")
      #expect(!session.hasVanished(person, ObjectKey(rawValue: 10), bornIn: 0), "found outside of a transaction")
      session.begin(writers[1], changes: 0)
      #expect(!session.hasVanished(person, ObjectKey(rawValue: 10), bornIn: 2))
      #expect(session.hasVanished(person, ObjectKey(rawValue: 10), bornIn: 1))
    }
  }

  @Test("one outcome for all references of a transaction, another one for the next")
  func outcomes() throws {
    try withWriters(2) { writers in
      var session = WriteSession()
      #expect(session.sharedOutcome() == nil)
      session.begin(writers[0], changes: 0)
      let shared = session.sharedOutcome()
      let first = try #require(shared)
      #expect(session.sharedOutcome() === first && session.outcome === first)
      #expect(session.end() === first && session.outcome == nil)
      session.begin(writers[1], changes: 0)
      #expect(session.sharedOutcome() !== first)
    }
  }
}
