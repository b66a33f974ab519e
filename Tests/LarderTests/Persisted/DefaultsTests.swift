import Foundation
import LarderLocks
import Testing

@testable import Larder

private final class Counted: Object {
  static let made = Lock(0)
  @Persisted var number: Int = Counted.made.withLock { count in
    count += 1
    return count
  }
}

@Suite("Types of properties") struct DefaultsTests {
  @Test("O-20 and O-21: every type has its default, unmanaged and stored; optionals are nil") func defaults() throws {
    let realm = try makeRealm()
    let made = Everything()
    for object in [Everything(), try realm.write { realm.create(Everything.self) }, try added(made, realm)] {
      #expect(!object.bool && object.int == 0 && object.int8 == 0 && object.int16 == 0 && object.int32 == 0)
      #expect(
        object.int64 == 0 && object.float == 0 && object.double == 0 && object.string.isEmpty && object.data.isEmpty)
      #expect(object.decimal == 0 && object.kind == .plain && object.level == .low)
      #expect(object.optBool == nil && object.optInt == nil && object.optInt8 == nil && object.optFloat == nil)
      #expect(object.optDouble == nil && object.optString == nil && object.optData == nil && object.optDate == nil)
      #expect(object.optUuid == nil && object.optObjectId == nil && object.optDecimal == nil && object.optKind == nil)
      #expect(object.ints.isEmpty && object.optInts.isEmpty && object.kinds.isEmpty)
      #expect(object.uuid == object.uuid && object.objectId == object.objectId && object.date <= Date())
    }
    #expect(Set(realm.objects(Everything.self).map(\.uuid)).count == 2)
    #expect(Set(realm.objects(Everything.self).map(\.objectId)).count == 2)
  }

  private func added(_ object: Everything, _ realm: Realm) throws -> Everything {
    let (uuid, key, date) = (object.uuid, object.key, object.date)
    try realm.write { realm.add(object) }
    #expect(object.uuid == uuid && object.key == key && abs(object.date.timeIntervalSince(date)) < 1e-6)
    return object
  }

  @Test("O-21: an identifier that nothing gives is another for each object, and stays once anything has seen it")
  func identifiers() throws {
    let realm = try makeRealm()
    let (seen, unseen, copied) = (Everything(), Everything(), Everything())
    let (first, copy) = (seen.uuid, Everything(value: copied))
    #expect(copied.uuid == copy.uuid && seen.uuid == first)
    #expect(unseen["uuid"] as? UUID == unseen.uuid)
    let later = Everything()
    try realm.write { for object in [seen, unseen, copied, later] { realm.add(object) } }
    #expect(seen.uuid == first && copied.uuid == copy.uuid && later.uuid == later.uuid)
    #expect(Set(realm.objects(Everything.self).map(\.uuid)).count == 4)
    for object in realm.objects(Everything.self) {
      // Version 4, and the variant of RFC 9562.
      #expect(object.uuid.uuid.6 >> 4 == 4 && object.uuid.uuid.8 >> 6 == 2)
    }
  }

  @Test("O-21: a default expression runs once for each object that is made, and never for one that is read") func once()
    throws
  {
    let realm = try makeRealm([Counted.self])
    _ = Counted()
    let before = Counted.made.withLock { $0 }
    let object = Counted()
    #expect(object.number == before + 1 && object.number == object.number)
    try realm.write {
      realm.add(object)
      realm.create(Counted.self)
    }
    #expect(realm.objects(Counted.self).map(\.number) == [before + 1, before + 2])
    #expect(realm.objects(Counted.self).filter("number > 0").first?.freeze().number == before + 1)
    #expect(Counted.made.withLock { $0 } == before + 2)
  }

  @Test("Aggregates as the old number and date types") func legacy() throws {
    let realm = try makeRealm()
    try realm.write { for age in [3, 5] { realm.create(Everything.self, value: ["int": age, "double": 0.5]) } }
    let sum: NSNumber = realm.objects(Everything.self).sum(ofProperty: "int")
    let least: NSNumber? = realm.objects(Everything.self).min(ofProperty: "double")
    let last: NSDate? = realm.objects(Everything.self).max(ofProperty: "date")
    #expect(sum == 8 && least == 0.5 && last != nil)
  }

  @Test("O-25: text with NUL and of any script comes back byte by byte; empty is not nil") func text() throws {
    let realm = try makeRealm()
    for text in ["", "a\0b", "\0", "e\u{301}", "é", "𝄞🇩🇪", "\u{10FFFF}", String(repeating: "ж", count: 10_000)] {
      let object = try realm.write { realm.create(Everything.self, value: ["string": text, "optString": text]) }
      #expect(
        Array(object.string.utf8) == Array(text.utf8) && object.optString.map { Array($0.utf8) } == Array(text.utf8))
    }
  }
}
