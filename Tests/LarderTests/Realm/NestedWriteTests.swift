import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Larder

/// Covers U-22: writes within writes, and writes that wait only so long.
@Suite("Nested and timed writes", .timeLimit(.minutes(30))) struct NestedWriteTests {
  private struct Undo: Error, Equatable { var number = 0 }

  @Test("U-22, E-34 a write within a write is a part of it: an error undoes the part and is thrown on")
  func parts() throws {
    let realm = try makeRealm()
    let people = realm.objects(Person.self)
    let lost = Person(id: 2, name: "lost")
    try realm.write {
      let first = Person(id: 1, name: "A")
      realm.add(first)
      let error = #expect(throws: Undo.self) {
        try realm.write {
          realm.add(lost)
          first.name = "B"
          first.dogs.append(Dog(name: "Rex"))
          #expect(people.map(\.id) == [1, 2] && realm.objects(Dog.self).count == 1)
          throw Undo(number: 7)
        }
      }
      #expect(error == Undo(number: 7) && realm.isInWriteTransaction)
      #expect(people.map(\.id) == [1] && first.name == "A" && first.dogs.isEmpty && realm.objects(Dog.self).isEmpty)
      let kept = try realm.write { () -> Person in
        let kept = Person(id: 2, name: "kept")
        realm.add(kept)
        return kept
      }
      #expect(kept.name == "kept" && people.map(\.id) == [1, 2])
      // The row that it showed is deleted; the other one with its key is not its own.
      #expect(lost.isInvalidated)
    }
    #expect(people.map(\.name) == ["A", "kept"] && lost.isInvalidated)
  }

  @Test("U-22, R-8 objects deleted in a part that is undone live again, but not their accessors")
  func deletedInside() throws {
    let realm = try makeRealm()
    try realm.write { realm.add(Person(id: 1, name: "A")) }
    try realm.write {
      let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
      let other = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
      try? realm.write {
        realm.delete(person)
        #expect(other.isInvalidated)
        throw Undo()
      }
      #expect(person.isInvalidated && !other.isInvalidated && other.name == "A")
    }
    #expect(realm.objects(Person.self).count == 1)
  }

  @Test("U-22 parts within parts; the outermost write undoes everything") func depth() throws {
    let realm = try makeRealm()
    try? realm.write {
      realm.add(Person(id: 1))
      try realm.write {
        realm.add(Person(id: 2))
        try? realm.write {
          realm.add(Person(id: 3))
          throw Undo()
        }
        #expect(realm.objects(Person.self).map(\.id) == [1, 2])
      }
      throw Undo()
    }
    #expect(realm.isEmpty && !realm.isInWriteTransaction)
  }

  @Test("U-22 cancelling in a part ends the whole transaction; committing there and leaving observers out throws")
  func ending() throws {
    let realm = try makeRealm()
    let number = try realm.write {
      realm.add(Person(id: 1))
      let result = try realm.write {
        realm.cancelWrite()
        #expect(!realm.isInWriteTransaction)
        return 5
      }
      return result
    }
    #expect(number == 5 && realm.isEmpty)
    try realm.write {
      realm.add(Person(id: 2))
      try realm.write {
        let error = #expect(throws: Realm.Error.self) { try realm.commitWrite() }
        #expect(error?.message.contains("A nested write is open") == true && realm.isInWriteTransaction)
        realm.add(Person(id: 3))
      }
      let token = NotificationToken()
      let error = #expect(throws: Realm.Error.self) { try realm.write(withoutNotifying: [token]) {} }
      #expect(error?.message.contains("nested write") == true)
    }
    #expect(realm.objects(Person.self).map(\.id) == [2, 3])
    // A transaction begun again within the part's block is no part.
    try realm.write {
      try realm.write {
        realm.cancelWrite()
        realm.beginWrite()
        realm.add(Person(id: 4))
        try realm.commitWrite()
      }
    }
    #expect(realm.objects(Person.self).map(\.id) == [2, 3, 4])
  }

  @Test("U-22, N-10 observers hear of what was kept, and of nothing that was undone") func observers() throws {
    try onQueue([Person.self, Dog.self, Address.self, Room.self]) { realm in
      try realm.write { for id in 0..<3 { realm.add(Person(id: id)) } }
      var told: [String] = []
      let token = realm.objects(Person.self).observe { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          told.append("-\(deletions) +\(insertions) ~\(modifications)")
        }
      }
      try realm.write {
        try? realm.write {
          realm.add(Person(id: 10))
          realm.object(ofType: Person.self, forPrimaryKey: 0)?.age = 1
          throw Undo()
        }
        try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 1)?.age = 1 }
        try? realm.write {
          realm.delete(realm.objects(Person.self))
          throw Undo()
        }
        realm.add(Person(id: 11))
      }
      try realm.write {}
      #expect(told == ["-[] +[3] ~[1]"])
      token.invalidate()
    }
  }

  @Test("U-22 a part of a queued write, and of a task's") func asynchronous() async throws {
    let keeper = Keeper()
    try await keeper.open(temporaryConfiguration())
    try await keeper.update { realm in
      realm.add(Person(id: 1))
      try? realm.write {
        realm.add(Person(id: 2))
        throw Undo()
      }
      try? realm.write { realm.add(Person(id: 3)) }
    }
    #expect(try await keeper.ids() == [1, 3])
    await keeper.close()
  }

  @Test("U-22 random parts, undone and kept, agree with a dictionary; what was added in an undone part is invalid")
  func random() throws {
    var random = SeededRandom.forTest()
    let realm = try makeRealm()
    var model: [Int: String] = [:]
    var next = 0
    func part(_ depth: Int) throws {
      for _ in 0..<random.int(1...4) {
        if depth < 3, random.oneIn(3) {
          let before = model
          var added: [Person] = []
          let isUndone = random.oneIn(2)
          try? realm.write {
            let person = Person(id: next, name: "x")
            (model[next], next) = ("x", next + 1)
            realm.add(person)
            added.append(person)
            try part(depth + 1)
            if isUndone { throw Undo() }
          }
          if isUndone {
            model = before
            #expect(!added.contains { !$0.isInvalidated })
          }
        } else if !model.isEmpty, random.oneIn(3) {
          let id = random.pick(model.keys.sorted())
          model[id] = nil
          if let person = realm.object(ofType: Person.self, forPrimaryKey: id) { realm.delete(person) }
        } else {
          let (id, name) = (random.oneIn(2) ? next : random.int(0...max(0, next - 1)), "n\(random.int(0...9))")
          next = max(next, id + 1)
          model[id] = name
          realm.add(Person(id: id, name: name), update: .modified)
        }
      }
    }
    for _ in 0..<150 {
      try realm.write { try part(0) }
      let found = realm.objects(Person.self).map { ($0.id, $0.name) }
      #expect(Dictionary(uniqueKeysWithValues: Array(found)) == model)
    }
  }

  @Test("U-22 write(timeout:) throws when another writer holds the lock for longer, and writes when it is free")
  func timeout() async throws {
    let configuration = temporaryConfiguration()
    let keeper = Keeper()
    try await keeper.open(configuration)
    let blocker = try await HeldLock(configuration)
    try await keeper.here { realm in
      var hasRun = false
      let error = #expect(throws: Realm.Error.self) { try realm.write(timeout: 0.05) { hasRun = true } }
      #expect(error?.code == .writeTimeout && error?.message.contains("within 0.05 s") == true)
      let attempt: Void? = try realm.tryWrite { hasRun = true }
      #expect(attempt == nil)
      #expect(!hasRun && !realm.isInWriteTransaction)
    }
    blocker.release()
    try await keeper.here { realm in
      let written = try realm.write(timeout: 30) {
        realm.add(Person(id: 1))
        return try realm.write(timeout: 0) { realm.objects(Person.self).count }
      }
      #expect(written == 1)
      for longest in [Double.infinity, 1e300, .nan, -1] { #expect(try realm.write(timeout: longest) { 7 } == 7) }
      // What another Realm could not do inside is no reason to give up here.
      while try realm.tryWrite({ realm.add(Person(id: 2)) }) == nil {}
      #expect(realm.objects(Person.self).map(\.id) == [1, 2])
    }
    // A lock that came too late was given back.
    try await keeper.add(3)
    #expect(try await keeper.ids() == [1, 2, 3])
    await keeper.close()
  }

  @Test("U-22 the log says when the main thread stood waiting for the write lock") func slowMain() async {
    await #expect(processExitsWith: .success) { try await Self.waitOnMain() }
  }

  @MainActor
  private static func waitOnMain() async throws {
    let recorder = Recorder()
    Logger.shared = Logger(level: .warn) { _, text in recorder.add(text) }
    let configuration = temporaryConfiguration()
    let realm = try await Realm(configuration: configuration)
    try realm.write { realm.add(Person(id: 1)) }
    guard recorder.all.isEmpty else { fatalError("\(recorder.all)") }
    let blocker = try await HeldLock(configuration)
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.15) { blocker.release() }
    try realm.write { realm.add(Person(id: 2)) }
    guard recorder.all.count == 1, recorder.all[0].contains("The main thread waited") else {
      fatalError("\(recorder.all)")
    }
  }
}
