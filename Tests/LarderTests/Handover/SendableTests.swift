import Foundation
import Testing

@testable import Larder

private func isSendable<T>(_ type: T.Type) -> Bool { false }
private func isSendable<T: Sendable>(_ type: T.Type) -> Bool { true }

/// Tests of the types that the compiler lets cross between threads: it picks the second function for those alone.
@Suite("Sendable where it is true, and nowhere else") struct SendableTests {
  @Test("U-2 what lives in one place cannot be sent elsewhere: such a program does not compile") func confined() {
    #expect(!isSendable(Realm.self))
    #expect(!isSendable(Object.self))
    #expect(!isSendable(Person.self))
    #expect(!isSendable(EmbeddedObject.self))
    #expect(!isSendable(DynamicObject.self))
    #expect(!isSendable(Results<Person>.self))
    #expect(!isSendable(Results<Int>.self))
    #expect(!isSendable(List<Person>.self))
    #expect(!isSendable(List<Int>.self))
    #expect(!isSendable(MutableSet<Int>.self))
    #expect(!isSendable(Map<String, Int>.self))
    #expect(!isSendable(LinkingObjects<Person>.self))
    #expect(!isSendable(AnyRealmCollection<Int>.self))
    #expect(!isSendable(SectionedResults<Int, Person>.self))
    #expect(!isSendable(ResultsSection<Int, Person>.self))
    #expect(!isSendable(AnyRealmValue.self))
    #expect(!isSendable(ObjectChange<Person>.self))
    #expect(!isSendable(RealmCollectionChange<Results<Person>>.self))
    #expect(!isSendable(PropertyChange.self))
    #expect(!isSendable(Migration.self))
  }

  @Test("U-2 values, references and settings can") func values() {
    #expect(isSendable(ThreadSafeReference<Person>.self))
    #expect(isSendable(ThreadSafe<Person>.self))
    #expect(isSendable(ThreadSafe<Results<Person>>.self))
    #expect(isSendable(Realm.Configuration.self))
    #expect(isSendable(ObjectId.self))
    #expect(isSendable(Decimal128.self))
    #expect(isSendable(GeoPoint.self))
    #expect(isSendable(GeoBox.self))
    #expect(isSendable(GeoCircle.self))
    #expect(isSendable(GeoPolygon.self))
    #expect(isSendable(Distance.self))
    #expect(isSendable(Larder.SortDescriptor.self))
    #expect(isSendable(Realm.Error.self))
    #expect(isSendable(PropertyType.self))
    #expect(isSendable(StoreInspection.self))
    #expect(isSendable(NotificationToken.self))
  }
}
