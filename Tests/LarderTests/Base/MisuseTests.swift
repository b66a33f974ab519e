import Foundation
import Testing

@testable import Larder

@Suite struct MisuseTests {
  @Test("E-40 a change outside of a write transaction ends the process")
  func outsideOfWrite() async {
    await #expect(processExitsWith: .failure) {
      let realm = try makeRealm()
      realm.add(Person(id: 1))
    }
  }

  @Test("E-55 a primary key that exists ends the process")
  func duplicate() async {
    await #expect(processExitsWith: .failure) {
      let realm = try makeRealm()
      try realm.write {
        realm.add(Person(id: 1))
        realm.add(Person(id: 1))
      }
    }
  }

  @Test("E-50 a deleted object cannot be read; E-33 nor one of another thread's Realm")
  func deleted() async {
    await #expect(processExitsWith: .failure) {
      let realm = try makeRealm()
      let person = Person(id: 1)
      try realm.write {
        realm.add(person)
        realm.delete(person)
      }
      print(person.name)
    }
  }
}
