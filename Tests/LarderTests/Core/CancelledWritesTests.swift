import Foundation
import LarderStorage
import Testing

@testable import Larder

/// Tests of what a Realm remembers of the writes that it cancelled.
@Suite("Cancelled writes") struct CancelledWritesTests {
  @Test("each transaction has its own first keys, by class")
  func floors() {
    let (people, dogs) = (ClassID(rawValue: 1), ClassID(rawValue: 2))
    var cancelled = CancelledWrites()
    #expect(cancelled.isEmpty && !cancelled.hold(people, ObjectKey(rawValue: 9), of: 3))
    cancelled.note(3, [people: ObjectKey(rawValue: 5)])
    cancelled.note(4, [:])
    cancelled.note(7, [people: ObjectKey(rawValue: 8), dogs: ObjectKey(rawValue: 0)])
    for (classID, key, number, isGone) in [
      (people, 5, 3, true), (people, 4, 3, false), (people, 9, 3, true), (people, 9, 4, false), (people, 7, 7, false),
      (people, 8, 7, true), (dogs, 0, 7, true), (dogs, 0, 3, false), (people, 9, 2, false), (people, 9, 8, false),
    ] as [(ClassID, UInt64, UInt32, Bool)] {
      #expect(cancelled.hold(classID, ObjectKey(rawValue: key), of: number) == isGone, "\(classID) \(key) \(number)")
    }
  }

  @Test(
    "F-139: a Realm that cancels without end remembers the last of its cancelled writes, and takes no more memory for others"
  )
  func bounded() {
    let people = ClassID(rawValue: 1)
    var cancelled = CancelledWrites()
    let count = 3 * CancelledWrites.most
    for number in 1...count { cancelled.note(UInt32(number), [people: ObjectKey(rawValue: UInt64(number))]) }
    #expect(cancelled.count <= CancelledWrites.most && cancelled.count >= CancelledWrites.most / 2)
    for number in count - CancelledWrites.most / 2 + 1...count {
      #expect(cancelled.hold(people, ObjectKey(rawValue: UInt64(number)), of: UInt32(number)))
      #expect(!cancelled.hold(people, ObjectKey(rawValue: UInt64(number) - 1), of: UInt32(number)))
    }
  }

  @Test("F-139: so a program's Realm does")
  func ofARealm() throws {
    let realm = try makeRealm()
    for number in 0..<2_000 {
      realm.beginWrite()
      realm.add(Person(id: number))
      realm.cancelWrite()
      if number % 10 == 0 { try realm.write { realm.add(Dog(name: "\(number)")) } }
    }
    #expect(realm.core.session.cancelled.count == 2_000)
    #expect(realm.objects(Person.self).isEmpty && realm.objects(Dog.self).count == 200)
  }
}
