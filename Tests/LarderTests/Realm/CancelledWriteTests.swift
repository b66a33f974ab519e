import Foundation
import TestSupport
import Testing

@testable import Larder

/// Tests of what remains after a cancelled write.
@Suite("After a cancelled write") struct CancelledWriteTests {
  @Test("F-5: results of a list that a cancelled write made stay empty, whatever is made afterwards") func results()
    throws
  {
    let realm = try makeRealm()
    realm.beginWrite()
    let person = realm.create(Person.self, value: ["id": 1, "dogs": [["name": "Rex"]]] as [String: Any])
    let dogs = person.dogs
    let (sorted, filtered) = (dogs.sorted(byKeyPath: "name"), dogs.filter("name != ''"))
    #expect(sorted.count == 1 && filtered.first?.name == "Rex")
    realm.cancelWrite()
    #expect(sorted.isEmpty && filtered.first == nil && dogs.isInvalidated && person.isInvalidated)
    let other = try realm.write {
      realm.create(Person.self, value: ["id": 2, "dogs": [["name": "Fido"]]] as [String: Any])
    }
    #expect(sorted.isEmpty && filtered.isEmpty && filtered.first == nil && filtered.sorted(byKeyPath: "name").isEmpty)
    #expect(dogs.isInvalidated && person.isInvalidated && other.dogs.count == 1)
  }

  @Test("F-5: keys that a cancelled write gave are not given again, in no thread of the process") func keys() throws {
    let configuration = temporaryConfiguration()
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Person(id: 1)) }
    realm.beginWrite()
    let lost = Person(id: 2)
    realm.add(lost)
    let key = lost._objectKey
    realm.cancelWrite()
    try onThread {
      let other = try Realm(configuration: configuration)
      let made = try other.write { other.create(Person.self, value: ["id": 3]) }
      #expect(key < made._objectKey)
    }
    realm.refresh()
    let next = try realm.write { realm.create(Person.self, value: ["id": 4]) }
    #expect(
      realm.objects(Person.self).map(\.id) == [1, 3, 4] && realm.object(ofType: Person.self, forPrimaryKey: 4) == next)
  }

  @Test("F-5: keys of a part that was undone are not given by later transactions") func parts() throws {
    struct Undone: Error {}
    let realm = try makeRealm()
    var lost: [Person] = []
    try realm.write {
      realm.add(Person(id: 1))
      try? realm.write {
        let person = realm.create(Person.self, value: ["id": 2, "dogs": [["name": "Rex"]]] as [String: Any])
        lost.append(person)
        throw Undone()
      }
    }
    let dogs = try realm.write {
      realm.create(Person.self, value: ["id": 3, "dogs": [["name": "A"]]] as [String: Any])
    }
    #expect(lost[0].isInvalidated && dogs.dogs.count == 1 && lost[0]._objectKey < dogs._objectKey)
  }

  @Test("F-5: a store goes on as before after many cancelled writes, and is sound") func many() throws {
    let folder = try TemporaryFolder()
    let configuration = folder.configuration([Person.self, Dog.self, Address.self, Room.self])
    for round in 0..<3 {
      let realm = try Realm(configuration: configuration)
      for id in 0..<40 {
        realm.beginWrite()
        for lost in 0..<30 { realm.add(Person(id: 1_000_000 + lost)) }
        realm.cancelWrite()
        try realm.write { realm.add(Person(id: round * 100 + id)) }
      }
      #expect(realm.objects(Person.self).count == (round + 1) * 40)
      #expect(realm.objects(Person.self).filter("id >= 1000000").isEmpty)
    }
    let ids = try Realm(configuration: configuration).objects(Person.self).map(\.id)
    #expect(Array(ids) == [0, 100, 200].flatMap { start in (0..<40).map { start + $0 } })
  }

  @Test("F-13: a transaction whose Realm goes, and a store in memory whose last Realm goes, are reported in the log")
  func warnings() async {
    await #expect(processExitsWith: .success) {
      let recorder = Recorder()
      Logger.shared = Logger(level: .warn) { level, text in recorder.add("\(level) \(text)") }
      try Realm(configuration: temporaryConfiguration()).beginWrite()
      guard recorder.all.count == 1, recorder.all[0].hasPrefix("warn A write transaction of"),
        recorder.all[0].contains("let realm = try Realm()")
      else { fatalError("\(recorder.all)") }
      // Nothing was in this one.
      _ = try Realm(configuration: temporaryConfiguration()).objects(Person.self).count
      guard recorder.all.count == 1 else { fatalError("\(recorder.all)") }
      let configuration = temporaryConfiguration()
      try Realm(configuration: configuration).write {}
      let name = configuration.inMemoryIdentifier ?? ""
      func fill() throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Person(id: 1)) }
      }
      try fill()
      guard let last = recorder.all.last, last.hasPrefix("warn The in-memory store '\(name)' was deleted"),
        last.contains("let realm = try Realm(configuration: …)")
      else { fatalError("\(recorder.all)") }
    }
  }
}
