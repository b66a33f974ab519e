import Foundation
import LarderStorage
import Testing

@testable import Larder

@Suite struct IncrementTests {
  final class Meter: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var count: Int
    @Persisted var long: Int64
    @Persisted var price: Decimal128
    @Persisted(localOnly: true) var note = "here"
    @Persisted(localOnly: true) var marks: List<String>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func syncMode() -> SyncMode { .local }
  }

  @Test("L-19: additions to properties of managed and unmanaged objects")
  func increments() throws {
    var configuration = temporaryConfiguration()
    configuration.objectTypes = [Meter.self]
    let realm = try Realm(configuration: configuration)
    let loose = Meter()
    loose.increment(\.count, by: 3)
    #expect(loose.count == 3)
    try realm.write {
      let meter = realm.create(Meter.self, value: ["id": 1])
      meter.increment(\.count, by: 5)
      meter.increment(\.count, by: -2)
      meter.increment(\.long, by: 1 << 40)
      meter.increment(\.price, by: 0.5)
      #expect(meter.count == 3)
    }
    let meter = try #require(realm.object(ofType: Meter.self, forPrimaryKey: 1))
    #expect(meter.count == 3 && meter.long == 1 << 40 && meter.price == 0.5)
  }

  @Test("E-40 an addition outside of a write") func outside() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      let person = try realm.write { realm.create(Person.self, value: ["id": 1]) }
      person.increment(\.age, by: 1)
    }
    #expect(misuseText(result).contains("write"))
  }

  @Test("L-23: what a class says of syncing is in what a synced store is to have, and changes nothing in another")
  func declarations() {
    let model = ModelClass.of(Meter.self)
    #expect(model.declaration.syncMode == nil)
    #expect(model.syncedDeclaration.syncMode == .local)
    #expect(ModelClass.of(Person.self).syncedDeclaration.syncMode == .synced)
    let columns = model.syncedDeclaration.columns
    #expect(columns.filter(\.isLocalOnly).map(\.name) == ["note", "marks"])
    #expect(Meter().note == "here")
  }
}
