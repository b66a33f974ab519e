import Foundation
import Testing

@testable import Larder
@testable import LarderStorage

/// Links to objects that are not in the store, as a store has them that gets only some of its objects from elsewhere.
@Suite("Links to absent objects") struct AbsentObjectsTests {
  private let folder: TemporaryFolder
  private let realm: Realm

  init() throws {
    folder = try TemporaryFolder()
    let configuration = folder.configuration(bagTypes)
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        let owner = realm.create(Owner.self, value: ["id": 1])
        let bag = realm.create(Bag.self, value: ["id": 1])
        for name in ["a", "b", "c", "d", "e"] {
          let pet = Pet(name: name)
          owner.pets.append(pet)
          bag.pets.insert(pet)
          bag.petsByName[name] = pet
        }
        owner.favourite = owner.pets[1]
      }
    }
    let store = try Store.open(path: try #require(configuration.fileURL).path)
    let pets = try #require(store.snapshot().schema["Pet"])
    let writer = try store.beginWrite()
    try writer.apply(bagTypes.map { ModelClass.of($0).syncedDeclaration }, schemaVersion: 0)
    // The rows go without the clean-up of a deletion.
    let tables = try #require(StoreTables.Sync(try writer.transaction.makeOptionalTables()))
    for number in [1, 3] as [UInt64] {
      let owner = try writer.classWriter(pets.id)
      let (cluster, slot) = writer.locate(ObjectKey(rawValue: number))
      let found = try writer.cluster(owner, cluster)
      found.presenceWillChange(slot)
      found.presence.clear(slot)
      owner.count -= 1
      owner.isDirty = true
      let ghost = Ghost(primaryKey: .int(Int64(number)))
      let link = ObjectLink(classID: pets.id, key: ObjectKey(rawValue: number))
      try writer.transaction.put(tables.ghosts, Ghost.key(link), ghost.encoded())
      try writer.transaction.put(
        tables.ghosts, GhostIndexEntry.key(pets.id, ghost), GhostIndexEntry(keys: [link.key]).encoded())
    }
    try writer.commit()
    let path = store.path
    // Opened again under another name, for a store keeps what it was opened with.
    let copy = folder.url.appendingPathComponent("b.larder")
    try FileManager.default.copyItem(atPath: path, toPath: copy.path)
    realm = try Realm(configuration: Realm.Configuration(fileURL: copy, objectTypes: bagTypes))
    #expect(realm.core.store.mayHoldGhosts)
  }

  @Test("L-8: to-one links and values of maps are nil, lists and sets skip them, and queries agree") func reading()
    throws
  {
    let owner = try #require(realm.objects(Owner.self).first)
    let bag = try #require(realm.objects(Bag.self).first)
    for frozen in [false, true] {
      let owner = frozen ? owner.freeze() : owner
      let bag = frozen ? bag.freeze() : bag
      #expect(owner.favourite == nil && owner.pets.count == 3 && owner.pets.map(\.name) == ["a", "c", "e"])
      #expect(owner.pets[1].name == "c" && owner.pets.last?.name == "e" && Array(owner.pets.reversed()).count == 3)
      #expect(throws: Realm.Error.self) { try owner.pets.throwing[3] }
      #expect(bag.pets.count == 3 && bag.pets.map(\.name) == ["a", "c", "e"] && bag.pets[2].name == "e")
      #expect(bag.pets.contains(owner.pets[1]) && owner.pets.index(of: bag.pets[2]) == 2)
      #expect(bag.petsByName.count == 5 && bag.petsByName["b"] == .some(nil) && bag.petsByName["c"]??.name == "c")
      #expect(bag.petsByName.values.map { $0?.name } == ["a", nil, "c", nil, "e"])
      #expect(bag.petsByName.map { $0.value?.name } == ["a", nil, "c", nil, "e"])
      #expect(
        owner.pets.filter("name != 'a'").map(\.name) == ["c", "e"] && bag.pets.sorted(byKeyPath: "name").count == 3)
      #expect((owner["pets"] as? List<Pet>)?.count == 3 && owner.detached().pets.count == 3)
      #expect(owner.pets[0].owners.first?.id == 1)
    }
    #expect(realm.dynamicObjects("Owner")[0].dynamicList("pets").map { $0["name"] as? String } == ["a", "c", "e"])
  }

  @Test("L-8: lists are changed at the positions that programs see; what is skipped stays where it is") func changing()
    throws
  {
    let owner = try #require(realm.objects(Owner.self).first)
    let bag = try #require(realm.objects(Bag.self).first)
    var model = ["a", "c", "e"]
    func check() { #expect(owner.pets.map(\.name) == model && owner.pets.count == model.count) }
    try realm.write {
      owner.pets.insert(Pet(name: "x"), at: 1)
      model.insert("x", at: 1)
      check()
      owner.pets.append(Pet(name: "y"))
      model.append("y")
      check()
      owner.pets.move(from: 0, to: 3)
      model.insert(model.remove(at: 0), at: 3)
      check()
      owner.pets.move(from: 4, to: 1)
      model.insert(model.remove(at: 4), at: 1)
      check()
      owner.pets.swapAt(0, 4)
      model.swapAt(0, 4)
      check()
      owner.pets[2] = Pet(name: "z")
      model[2] = "z"
      check()
      owner.pets.removeSubrange(1..<4)
      model.removeSubrange(1..<4)
      check()
      owner.pets.remove(at: 0)
      model.remove(at: 0)
      check()
      bag.pets.insert(Pet(name: "new"))
      bag.petsByName["b"] = Pet(name: "found")
      let live = try #require(bag.pets.first)
      bag.pets.remove(live)
    }
    check()
    #expect(bag.pets.map(\.name) == ["c", "e", "new"] && bag.petsByName["b"]??.name == "found")
    let stored = try realm.core.reader.list(
      realm.core.cursor(for: Owner.self).classID, realm.core.cursor(for: Owner.self).columns[4], owner._objectKey)
    #expect(stored.count == model.count + 2)
    #expect(try StoreVerifier.verify(realm.core.store.snapshot()).isEmpty)
    try realm.write { owner.pets.removeAll() }
    #expect(owner.pets.isEmpty)
  }
}
