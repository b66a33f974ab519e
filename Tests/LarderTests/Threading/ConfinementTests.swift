import Dispatch
import Foundation
import Testing

@testable import Larder

/// Runs something on a thread of its own and waits for it.
func elsewhere(_ body: @escaping () -> Void) {
  let box = UncheckedBox(body)
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    box.value()
    done.signal()
  }
  thread.start()
  // That a thread is finished does not say that what it wrote can be seen.
  done.wait()
  while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
}

/// Returns the text that a process that ended by misuse said.
func misuseText(_ result: ExitTest.Result?) -> String {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}

/// Covers E-33 and O-110: what belongs to one thread ends the process on another.
@Suite("Use from another thread") struct ConfinementTests {
  private static func filled() throws -> (Realm, Person) {
    let realm = try makeRealm()
    let person = Person(id: 1, name: "A")
    person.dogs.append(Dog(name: "Rex"))
    try realm.write { realm.add(person) }
    return (realm, person)
  }

  @Test("E-33 Realm") func realm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, _) = try Self.filled()
      elsewhere { _ = realm.objects(Person.self) }
    }
    #expect(misuseText(result).contains("belongs to") && misuseText(result).contains("was used from"))
  }

  @Test("E-33 Results, also when they were evaluated before") func results() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let people = try Self.filled().0.objects(Person.self)
      #expect(people.first?.name == "A" && people.map(\.name) == ["A"])
      elsewhere { _ = people.first }
    }
    #expect(misuseText(result).contains("belongs to"))
  }

  @Test("E-33 List") func list() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let dogs = try Self.filled().1.dogs
      #expect(dogs.count == 1)
      elsewhere { _ = dogs.count }
    }
    #expect(misuseText(result).contains("belongs to"))
  }

  @Test("E-33 the first read of a property") func firstRead() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let person = try Self.filled().1
      elsewhere { _ = person.name }
    }
    #expect(misuseText(result).contains("belongs to"))
  }

  #if DEBUG
    @Test("E-33 a repeated read of a property, in programs built for debugging") func repeatedRead() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let person = try Self.filled().1
        #expect(person.name == "A" && person.name == "A")
        elsewhere { _ = person.name }
      }
      #expect(misuseText(result).contains("belongs to"))
    }
  #endif

  @Test("E-33 writing a property") func propertyWrite() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try Self.filled()
      realm.beginWrite()
      elsewhere { person.age = 3 }
    }
    #expect(misuseText(result).contains("belongs to"))
  }

  @Test("E-33 beginning a write") func writing() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, _) = try Self.filled()
      elsewhere { realm.beginWrite() }
    }
    #expect(misuseText(result).contains("belongs to"))
  }

  @Test("E-31 opening for a queue from elsewhere") func opening() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Realm(configuration: temporaryConfiguration(), queue: DispatchQueue(label: "mine"))
    }
    #expect(misuseText(result).contains("not on 'mine'"))
  }

  @Test("O-110 frozen and unmanaged objects are free") func free() throws {
    let (realm, person) = try Self.filled()
    let frozen = realm.freeze()
    let copy = person.freeze()
    let unmanaged = Person(id: 2, name: "B")
    elsewhere {
      #expect(frozen.objects(Person.self).first?.name == "A")
      #expect(copy.name == "A" && copy.dogs.first?.name == "Rex" && copy.isFrozen && !person.isFrozen)
      #expect(unmanaged.name == "B")
    }
  }
}
