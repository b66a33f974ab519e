import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import Larder

/// Keys and indexes of every legal type, kept right through random changes, with dictionaries as the oracle.
@Suite("Keys and indexes") struct KeyTypesTests {
  @Test("O-40, O-41 and O-43: a primary key of each type finds its object, is taken once, and comes free again")
  func primaryKeys() throws {
    var random = SeededRandom.forTest()
    let texts = ["", "a", "A", "ä", "a\0", String(repeating: "x", count: 2_000), "x"]
    let ids = (0..<8).map { _ in ObjectId.generate() }
    let uuids = (0..<8).map { _ in UUID() }
    try check(IntRow.self, [Int.min, -3, 0, 7, .max], &random)
    try check(Int8Row.self, [-128, -1, 0, 1, 127], &random)
    try check(Int16Row.self, [nil, Int16.min, 0, 3, Int16.max], &random)
    try check(Int32Row.self, [Int32.min, 0, 1, 2, .max], &random)
    try check(Int64Row.self, [nil, Int64.min, -1, 0, Int64.max], &random)
    try check(StringRow.self, texts, &random)
    try check(OptionalStringRow.self, [nil] + texts, &random)
    try check(ObjectIdRow.self, ids, &random)
    try check(OptionalObjectIdRow.self, [nil] + ids, &random)
    try check(UUIDRow.self, uuids, &random)
    try check(OptionalUUIDRow.self, [nil] + uuids, &random)
    try check(KindRow.self, [.plain, .special], &random)
    try check(LevelRow.self, [nil, .low, .high], &random)
    try check(CodeRow.self, [Code("A"), Code("B"), Code("ABC")], &random)
  }

  private func check<T: KeyedRow>(_ type: T.Type, _ keys: [T.Key], _ random: inout SeededRandom) throws {
    let realm = try makeRealm([type])
    var model: [T.Key: Int] = [:]
    for round in 0..<25 {
      let before = model
      realm.beginWrite()
      for _ in 0..<random.int(1...12) { try step(realm, type, random.pick(keys), &model, &random) }
      if random.oneIn(4) {
        realm.cancelWrite()
        model = before
      } else {
        try realm.commitWrite()
      }
      let place: Comment = "\(type) in round \(round), seed \(random.seed)"
      #expect(realm.objects(type).count == model.count, place)
      for key in keys {
        let found = realm.object(ofType: type, forPrimaryKey: key)
        #expect(found?.mark == model[key] && (found == nil || found?.key == key), place)
      }
      for mark in 0..<4 {
        #expect(realm.objects(type).filter("mark == %@", mark).count == model.values.filter { $0 == mark }.count, place)
      }
    }
    #expect(try StoreVerifier.verify(realm.core.store.snapshot()).isEmpty)
  }

  private func step<T: KeyedRow>(
    _ realm: Realm, _ type: T.Type, _ key: T.Key, _ model: inout [T.Key: Int], _ random: inout SeededRandom
  ) throws {
    let mark = random.int(0...3)
    let new = type.init()
    (new.key, new.mark) = (key, mark)
    switch random.int(0...4) {
    case 0:
      do {
        try realm.throwing.add(new)
        #expect(model[key] == nil, "\(type) took a key twice, seed \(random.seed)")
        model[key] = mark
      } catch {
        #expect(model[key] != nil && error.message.contains("\(T.className()) with key = "), "\(error)")
      }
    case 1:
      realm.add(new, update: random.oneIn(2) ? .modified : .all)
      model[key] = mark
    case 2:
      realm.create(type, value: ["key": key, "mark": mark] as [String: Any], update: .modified)
      model[key] = mark
    case 3:
      realm.object(ofType: type, forPrimaryKey: key)?.mark = mark
      if model[key] != nil { model[key] = mark }
    default:
      if let found = realm.object(ofType: type, forPrimaryKey: key) { realm.delete(found) }
      model[key] = nil
    }
  }

  @Test("O-42: the key of an unmanaged object is free, that of a managed one is not, by name either") func changing()
    throws
  {
    let row = StringRow()
    row.key = "a"
    row.key = "b"
    let realm = try makeRealm([StringRow.self])
    try realm.write { realm.add(row) }
    try realm.write {
      let error = #expect(throws: Realm.Error.self) { try row.throwing.setValue("c", forKey: "key") }
      #expect(error?.message == "Primary key StringRow.key cannot change; delete and recreate the object.")
      #expect(throws: Realm.Error.self) {
        try realm.dynamicObjects("StringRow")[0].throwing.setValue("b", forKey: "key")
      }
    }
    #expect(row.key == "b")
  }

  @Test("O-40: indexes of each type, nils and embedded objects included, answer as a look at every object does")
  func indexes() throws {
    var random = SeededRandom.forTest()
    let realm = try makeRealm([IndexedRow.self, IndexedPart.self])
    let dates = (0..<4).map { Date(timeIntervalSince1970: Double($0) * 1_000.5 - 2_000) }
    let ids = (0..<4).map { _ in ObjectId.generate() }
    let uuids = (0..<4).map { _ in UUID() }
    let texts = ["", "a", "a\0b", "ä"]
    func fill(_ row: IndexedRow) {
      let number = random.int(0...3)
      let isNil = random.oneIn(3)
      row.int = number
      row.int8 = isNil ? nil : Int8(number)
      row.bool = number > 1
      row.optBool = isNil ? nil : number > 1
      row.string = texts[number]
      row.optString = isNil ? nil : texts[number]
      row.date = dates[number]
      row.optDate = isNil ? nil : dates[number]
      row.objectId = ids[number]
      row.optObjectId = isNil ? nil : ids[number]
      row.uuid = uuids[number]
      row.optUuid = isNil ? nil : uuids[number]
      row.kind = number > 1 ? .special : .plain
      row.optLevel = isNil ? nil : number > 1 ? .high : .low
      row.part = isNil ? nil : IndexedPart(value: ["size": number])
    }
    var nextID = 0
    for _ in 0..<15 {
      realm.beginWrite()
      for _ in 0..<40 {
        let row = nextID == 0 ? nil : realm.object(ofType: IndexedRow.self, forPrimaryKey: random.int(0..<nextID))
        if let row, random.oneIn(3) {
          realm.delete(row)
        } else if let row, random.oneIn(2) {
          fill(row)
        } else {
          let new = IndexedRow()
          new.id = nextID
          nextID += 1
          fill(new)
          realm.add(new)
        }
      }
      if random.oneIn(4) { realm.cancelWrite() } else { try realm.commitWrite() }
      let rows = realm.objects(IndexedRow.self)
      let all = Array(rows)
      func same(_ found: Results<IndexedRow>, _ condition: (IndexedRow) -> Bool) {
        #expect(Array(found.map(\.id)) == all.filter(condition).map(\.id), "seed \(random.seed)")
      }
      for number in 0...3 {
        same(rows.where { $0.int == number }) { $0.int == number }
        same(rows.where { $0.int8 == Int8(number) }) { $0.int8 == Int8(number) }
        same(rows.where { $0.bool == (number > 1) }) { $0.bool == (number > 1) }
        same(rows.where { $0.optBool == (number > 1) }) { $0.optBool == (number > 1) }
        same(rows.where { $0.string == texts[number] }) { $0.string == texts[number] }
        same(rows.where { $0.optString == texts[number] }) { $0.optString == texts[number] }
        same(rows.where { $0.date == dates[number] }) { $0.date == dates[number] }
        same(rows.where { $0.optDate == dates[number] }) { $0.optDate == dates[number] }
        same(rows.where { $0.date < dates[number] }) { $0.date < dates[number] }
        same(rows.where { $0.objectId == ids[number] }) { $0.objectId == ids[number] }
        same(rows.where { $0.optObjectId == ids[number] }) { $0.optObjectId == ids[number] }
        same(rows.where { $0.uuid == uuids[number] }) { $0.uuid == uuids[number] }
        same(rows.where { $0.optUuid == uuids[number] }) { $0.optUuid == uuids[number] }
        same(rows.where { $0.part.size == number }) { $0.part?.size == number }
      }
      same(rows.where { $0.kind == .special }) { $0.kind == .special }
      same(rows.where { $0.optLevel == .high }) { $0.optLevel == .high }
      same(rows.where { $0.int8 == nil }) { $0.int8 == nil }
      same(rows.where { $0.optUuid == nil }) { $0.optUuid == nil }
      same(rows.where { $0.optLevel == nil }) { $0.optLevel == nil }
    }
    #expect(try StoreVerifier.verify(realm.core.store.snapshot()).isEmpty)
    try realm.write { realm.deleteAll() }
    #expect(realm.objects(IndexedRow.self).where { $0.int == 1 }.isEmpty && realm.dynamicObjects("IndexedPart").isEmpty)
    #expect(try StoreVerifier.verify(realm.core.store.snapshot()).isEmpty)
  }
}
