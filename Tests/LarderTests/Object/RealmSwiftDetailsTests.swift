import Foundation
import Testing

@testable import Larder

/// Tests of cases in which RealmSwift's answer is not the first that comes to mind (F-38).
@Suite("Details of RealmSwift") struct RealmSwiftDetailsTests {
  enum Mood: Int, RealmEnum {
    case low
    case high
  }

  enum Shape: String, RealmEnum {
    case round
    case square
  }

  final class Diary: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var mood: Mood
    @Persisted var shape = Shape.square
    @Persisted var maybe: Shape?
    @Persisted var next: Diary?
    @Persisted var days: List<Diary>
    @Persisted(originProperty: "next") var before: LinkingObjects<Diary>
  }

  final class EmptyCard: Projection<Diary> {
    var note = ""
  }

  private func open(_ folder: TemporaryFolder, version: UInt64 = 0) throws -> Realm {
    try Realm(configuration: folder.configuration([Diary.self], version: version))
  }

  @Test("F-38: an enum of the old declaration style is stored, read, queried and assigned by name") func realmEnum()
    throws
  {
    let folder = try TemporaryFolder()
    let realm = try open(folder)
    try realm.write {
      realm.add(Diary())
      let diary = realm.create(Diary.self, value: ["id": 1, "mood": 1, "maybe": "round"] as [String: Any])
      #expect(diary.mood == .high && diary.shape == .square && diary.maybe == .round)
      diary["maybe"] = nil
      diary["shape"] = "round"
      #expect(diary.maybe == nil && diary.shape == .round)
    }
    #expect(realm.objects(Diary.self).map(\.mood) == [.low, .high])
    #expect(realm.objects(Diary.self).where { $0.mood == .high }.map(\.id) == [1])
    #expect(realm.objects(Diary.self).filter("shape == 'square'").map(\.id) == [0])
  }

  @Test("F-38: base classes of models have no schema") func baseClasses() {
    #expect(
      Object.sharedSchema() == nil && EmbeddedObject.sharedSchema() == nil && AsymmetricObject.sharedSchema() == nil)
    #expect(ObjectBase.sharedSchema() == nil && Diary.sharedSchema()?.className == "Diary")
  }

  @Test("F-38: properties of the old schema equal those that did not change, links and lists of links among them")
  func oldSchema() throws {
    let folder = try TemporaryFolder()
    try open(folder).write {}
    var equal: [Bool] = []
    var configuration = folder.configuration([Diary.self], version: 1)
    // Called within opening, on this thread.
    nonisolated(unsafe) var compared: [Bool] = []
    configuration.migrationBlock = { migration, _ in
      let old = migration.oldSchema["Diary"]?.properties ?? []
      let new = migration.newSchema["Diary"]?.properties ?? []
      compared = zip(old, new).map { $0 == $1 }
    }
    _ = try Realm(configuration: configuration)
    equal = compared
    #expect(equal == Array(repeating: true, count: 6))
  }

  @Test("F-38: an unmanaged set keeps the order in which its elements came, through every change") func setOrder() {
    let set = MutableSet<Int>()
    set.insert(objectsIn: stride(from: 900, through: 0, by: -3))
    set.remove(600)
    set.insert(600)
    set.insert(900)
    var expected = stride(from: 900, through: 0, by: -3).filter { $0 != 600 } + [600]
    #expect(Array(set) == expected)
    let other = MutableSet<Int>()
    other.insert(objectsIn: [7, 600, 3, 900, 1])
    set.formUnion(other)
    expected += [7, 1]
    #expect(Array(set) == expected)
    set.formSymmetricDifference(other)
    expected.removeAll { [7, 600, 3, 900, 1].contains($0) }
    #expect(Array(set) == expected)
    set.formSymmetricDifference(other)
    #expect(Array(set) == expected + [7, 600, 3, 900, 1])
    set.subtract(other)
    #expect(Array(set) == expected)
    other.insert(objectsIn: [897, 894])
    set.formIntersection(other)
    #expect(Array(set) == [897, 894])
  }

  @Test("F-38: the methods for undefined keys take names of properties, too") func undefinedKeys() {
    let diary = Diary()
    diary.setValue(4, forUndefinedKey: "id")
    #expect(diary.id == 4 && diary.value(forUndefinedKey: "id") as? Int == 4)
  }

  @Test("F-38: a projection that projects nothing is misuse that says what to declare") func emptyProjection() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EmptyCard(projecting: Diary())
    }
    #expect(misuseText(result).contains("EmptyCard has no @Projected properties"))
  }
}
