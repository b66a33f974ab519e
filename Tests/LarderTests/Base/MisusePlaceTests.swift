import Foundation
import Testing

@testable import Larder

/// Tests of what messages of misuse say, and what they do not.
@Suite("Messages of misuse", .serialized) struct MisusePlaceTests {
  /// Words of the library's inside.
  private static let insides = [
    "StoredValue", "StoredList", "ObjectLink", "ObjectKey", "ClassID", "ColumnID", "LarderStorage", "LarderQuery",
    "LarderLMDB", "SwiftValue", "Could not cast", "Optional(", "AnyHashable", "_ClassCursor", "StorageError",
    "Fatal error: Unexpectedly", "Index out of range", "rawValue:", "unsafelyUnwrapped",
  ]

  /// The message without the line of the library that ended the process.
  private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  private func expect(_ result: ExitTest.Result?, _ words: String..., isPlaced: Bool = true, line: Int = #line) {
    let message = text(result).split(separator: "\n").first { $0.contains("Fatal error") }.map(String.init) ?? ""
    for word in words { #expect(message.contains(word), "line \(line): \(text(result).prefix(600))") }
    #expect(message.contains("LarderTests/MisusePlaceTests.swift:") == isPlaced, "line \(line): \(message)")
    for word in Self.insides { #expect(!message.contains(word), "line \(line): \(message)") }
  }

  @Test("F-39: misuse of a Realm names the line of the program, also when it shows deep below")
  func placed() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try makeRealm().add(Person(id: 1))
      }, "Person")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let realm = try makeRealm()
        try realm.write { realm.add([Person(id: 1), Person(id: 1)]) }
      }, "Person")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let realm = try makeRealm()
        try realm.write { realm.create(Person.self, value: ["id": 1, "name": [1, 2], "age": ["a": Date()]]) }
      }, "name")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let realm = try makeRealm()
        try realm.write { realm.dynamicCreate("Person", value: ["id": AnyRealmValue.list(.init())]) }
      }, "id")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let realm = try makeRealm()
        try realm.write { realm.delete(Person(id: 1)) }
      }, "Person")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let realm = try makeRealm()
        realm.delete(realm.objects(Person.self))
      }, "realm.write")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        print(try makeRealm().objects(CreationInputTests.Node.self).count)
      }, "Node")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        print(try makeRealm().object(ofType: Person.self, forPrimaryKey: ["x": [1]]) as Any)
      }, "Person")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        print(try makeRealm().dynamicObjects("Nothing").count)
      }, "Nothing")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        print(try makeRealm().dynamicObject(ofType: "Person", forPrimaryKey: Data([1, 2])) as Any)
      }, "Person")
  }

  @Test("F-39: messages of other misuse name what the program knows, and the place of no earlier call")
  func unplaced() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let realm = try makeRealm()
        try realm.write { realm.create(Person.self, value: ["id": 1])["name"] = AnyRealmValue.fromArray([.int(1)]) }
      }, "name", isPlaced: false)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let realm = try makeRealm()
        try realm.write { realm.create(Person.self, value: ["id": 1])["nothing"] = Optional(Optional(1)) as Any }
      }, "nothing", isPlaced: false)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        print(try makeRealm().objects(Person.self)[5])
      }, "5", isPlaced: false)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        print(try makeRealm().objects(Person.self).filter("name == %@", ["a": NSObject()]).count)
      }, isPlaced: false)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        print(try makeRealm().objects(Person.self).sorted(byKeyPath: "nothing").count)
      }, "nothing", isPlaced: false)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let list = List<Int>()
        list.append(1)
        list.remove(at: 7)
      }, "7", isPlaced: false)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        print(Person(value: ["name": ["x": NSNumber(value: 1)], "age": NSDate()]))
      }, "Person", isPlaced: false)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let realm = try makeRealm()
        let person = try realm.write { realm.create(Person.self, value: ["id": 1]) }
        person.name = "outside"
      }, "realm.write", isPlaced: false)
  }

  @Test("F-39: the methods can be passed on as functions, as RealmSwift's can")
  func functions() throws {
    let realm = try makeRealm()
    let add: (Object, Realm.UpdatePolicy) -> Void = realm.add
    let find: (Person.Type) -> Results<Person> = realm.objects
    let lookUp: (Person.Type, Int) -> Person? = realm.object
    try realm.write {
      add(Person(id: 1), .error)
      realm.add(Person(id: 2))
      realm.add([Person(id: 3)], update: .modified)
      let made = Array(find(Person.self))
      #expect(made.count == 3 && lookUp(Person.self, 2) != nil)
      made.prefix(2).forEach(realm.delete)
      realm.delete(realm.objects(Person.self))
      realm.delete(made.filter { !$0.isInvalidated })
    }
    #expect(realm.isEmpty)
  }
}
