import LarderStorage
import LarderSyncProtocol
import TestSupport
import Testing

@testable import LarderSync

final class SyncedOwner: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var pets: List<SyncedPet>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A synced store with one owner of pets, not all of which are here.
@MainActor
private struct OwnerFixture {
  let fixture: SyncedFixture
  let realm: Realm
  let owner: SyncedOwner
  private let store: Store

  init() async throws {
    fixture = try await SyncedFixture()
    var configuration = fixture.configuration { $0.outsideWrites = .sendAnyway }
    configuration.objectTypes = [SyncedOwner.self, SyncedPet.self]
    realm = try opened(configuration)
    store = SyncAccess(realm).store
    try OtherDevice.write(store) { $0.replace(OtherDevice.name("SyncedOwner", 1), with: []) }
    realm.refresh()
    owner = try #require(realm.object(ofType: SyncedOwner.self, forPrimaryKey: 1))
  }

  /// Another device writes the list and makes the pets that are here.
  func receive(_ list: PartList) throws {
    let entries = list.entries.map {
      SyncListEntry(element: .root, value: .link(OtherDevice.name("SyncedPet", $0)))
    }
    try OtherDevice.write(store) { replica in
      for id in list.here.sorted() { replica.replace(OtherDevice.name("SyncedPet", id), with: []) }
      replica.replace(
        OtherDevice.name("SyncedOwner", 1),
        with: [SyncProperty("pets", .list(SyncList(incarnation: .root, entries: entries)))])
    }
    realm.refresh()
  }

  /// A pet comes from another device, or leaves.
  func receive(_ id: Int, isHere: Bool) throws {
    try OtherDevice.write(store) { $0.replace(OtherDevice.name("SyncedPet", id), with: isHere ? [] : nil) }
    realm.refresh()
  }

  func pet(_ id: Int) -> SyncedPet {
    realm.object(ofType: SyncedPet.self, forPrimaryKey: id)
      ?? realm.create(SyncedPet.self, value: ["id": id] as [String: Any])
  }

  /// The elements that show.
  var visible: [Int] { owner.pets.map(\.id) }

  /// All that the store has, shown or not.
  var stored: [Int] {
    get throws {
      let snapshot = try store.snapshot()
      let catalog = SyncCatalog(snapshot.schema)
      let entry = try #require(catalog["SyncedOwner"])
      let column = try #require(entry.columns.first { $0.name == "pets" })
      let objects = StoredObjects(reader: snapshot, catalog: catalog) { try snapshot.ghost($0) }
      let first = ObjectLink(classID: entry.descriptor.id, key: ObjectKey(rawValue: 0))
      return try objects.elements(of: column, first).map { value in
        guard case .link(let name) = value, case .int(let id) = name.key else {
          throw Realm.Error.make(.fail, "\(value) is no link")
        }
        return Int(id)
      }
    }
  }
}

@Suite("Lists with hidden entries")
@MainActor
struct HiddenEntriesTests {
  private typealias Edit = (List<SyncedPet>, (Int) -> SyncedPet) -> Void

  /// Ids below ten are here.
  private let start = PartList(entries: [10, 1, 11, 2, 12, 3, 13], here: [1, 2, 3, 4, 5])

  private let edits: [(name: String, edit: Edit, result: [Int])] = [
    ("append", { $0.append($1(4)) }, [10, 1, 11, 2, 12, 3, 13, 4]),
    ("insert first", { $0.insert($1(4), at: 0) }, [10, 4, 1, 11, 2, 12, 3, 13]),
    ("insert between", { $0.insert($1(4), at: 1) }, [10, 1, 11, 4, 2, 12, 3, 13]),
    ("insert two", { $0.insert(contentsOf: [$1(4), $1(5)], at: 2) }, [10, 1, 11, 2, 12, 4, 5, 3, 13]),
    ("remove", { list, _ in list.remove(at: 1) }, [10, 1, 11, 12, 3, 13]),
    ("remove last", { list, _ in list.removeLast() }, [10, 1, 11, 2, 12, 13]),
    ("remove several", { list, _ in list.removeSubrange(0..<2) }, [10, 11, 12, 3, 13]),
    (
      "remove what shows",
      {
        $0.removeSubrange(0..<3)
        $0.append($1(4))
      }, [10, 11, 12, 13, 4]
    ),
    ("move up", { list, _ in list.move(from: 0, to: 2) }, [10, 11, 2, 12, 3, 1, 13]),
    ("move down", { list, _ in list.move(from: 2, to: 0) }, [10, 3, 1, 11, 2, 12, 13]),
    ("swap", { list, _ in list.swapAt(0, 2) }, [10, 3, 11, 2, 1, 12, 13]),
    ("swap neighbours", { list, _ in list.swapAt(0, 1) }, [10, 2, 1, 11, 12, 3, 13]),
    ("replace", { $0[1] = $1(4) }, [10, 1, 11, 4, 12, 3, 13]),
    ("replace several", { $0.replaceSubrange(0..<2, with: [$1(4), $1(5)]) }, [10, 11, 12, 4, 5, 3, 13]),
    ("remove all", { list, _ in list.removeAll() }, []),
  ]

  @Test("Y-32: Edits move what shows, hidden entries stay beside their neighbours; removeAll removes them too")
  func directed() async throws {
    let fixture = try await OwnerFixture()
    for (name, edit, result) in edits {
      try fixture.receive(start)
      #expect(try fixture.visible == [1, 2, 3] && fixture.stored == start.entries)
      let visible = result.filter(start.here.contains)
      try fixture.realm.write {
        edit(fixture.owner.pets, fixture.pet)
        #expect(fixture.visible == visible, "\(name)")
      }
      #expect(fixture.visible == visible, "\(name)")
      #expect(try fixture.stored == result, "\(name)")
    }
  }

  @Test("Y-32: What removeAll removed does not show when it comes; what it left does, where it was")
  func coming() async throws {
    let fixture = try await OwnerFixture()
    try fixture.receive(start)
    try fixture.realm.write { fixture.owner.pets.insert(fixture.pet(4), at: 1) }
    try fixture.receive(11, isHere: true)
    #expect(fixture.visible == [1, 11, 4, 2, 3])
    try fixture.realm.write { fixture.owner.pets.removeAll() }
    for id in [10, 12, 13] { try fixture.receive(id, isHere: true) }
    #expect(try fixture.visible.isEmpty && fixture.stored.isEmpty)
  }

  @Test("Y-32: Any edits, while objects come and go, leave hidden entries where a model has them")
  func random() async throws {
    var random = SeededRandom.forTest()
    let fixture = try await OwnerFixture()
    var model = PartList(entries: Array(0..<12), here: Set((0..<12).filter { _ in random.oneIn(2) }))
    try fixture.receive(model)
    var next = 100
    for _ in 0..<150 {
      if random.oneIn(4) {
        try comeOrGo(fixture, &model, &random)
      } else {
        try fixture.realm.write {
          for _ in 0..<random.int(1...3) {
            edit(fixture, &model, &next, &random)
            #expect(fixture.visible == model.visible)
          }
        }
      }
      try #require(fixture.visible == model.visible)
      try #require(try fixture.stored == model.entries)
    }
    for id in model.hidden { try fixture.receive(id, isHere: true) }
    #expect(fixture.visible == model.entries)
  }

  /// An object of the list comes or leaves: by another device, or made or deleted here.
  private func comeOrGo(_ fixture: OwnerFixture, _ model: inout PartList, _ random: inout SeededRandom) throws {
    guard !model.entries.isEmpty else { return }
    let id = random.pick(model.entries)
    let comes = !model.here.contains(id)
    if random.oneIn(2) {
      try fixture.receive(id, isHere: comes)
    } else {
      try fixture.realm.write {
        let pet = fixture.pet(id)
        if !comes { fixture.realm.delete(pet) }
      }
    }
    if comes { model.here.insert(id) } else { model.here.remove(id) }
  }

  private func edit(
    _ fixture: OwnerFixture, _ model: inout PartList, _ next: inout Int, _ random: inout SeededRandom
  ) {
    let pets = fixture.owner.pets
    let count = model.visible.count
    let isLong = model.entries.count > 40
    switch count == 0 ? 0 : isLong ? random.int(2...6) : random.int(0...6) {
    case 0, 1:
      let ids = (0..<random.int(1...3)).map { _ in
        if count > 0, random.oneIn(4) { return random.pick(model.visible) }
        next += 1
        return next
      }
      let position = random.int(0...count)
      pets.insert(contentsOf: ids.map(fixture.pet), at: position)
      model.here.formUnion(ids)
      model.insert(ids, at: position)
    case 2:
      let first = random.int(0..<count)
      let range = first..<min(count, first + random.int(1...3))
      pets.removeSubrange(range)
      model.remove(range)
    case 3:
      let (from, to) = (random.int(0..<count), random.int(0..<count))
      pets.move(from: from, to: to)
      model.move(from: from, to: to)
    case 4:
      let (first, second) = (random.int(0..<count), random.int(0..<count))
      pets.swapAt(first, second)
      model.swap(first, second)
    case 5:
      let position = random.int(0..<count)
      next += 1
      pets[position] = fixture.pet(next)
      model.here.insert(next)
      model.replace(position, with: next)
    default:
      guard random.oneIn(20) else { return }
      pets.removeAll()
      model.entries = []
    }
  }
}
