import Foundation
import TestSupport
import Testing

@testable import Larder

@Suite("What things say of themselves") struct DescriptionTests {
  @Test("F-39: a Realm says which store it is of, where it lives and what may be done there")
  func realms() throws {
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: folder.configuration([Person.self, Dog.self, Address.self, Room.self]))
    #expect("\(realm)".contains("a.larder', live, of ") && "\(realm)".contains("4 classes"))
    #expect("\(realm.freeze())".contains("frozen, of any thread"))
    let memory = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "x", objectTypes: [Crate.self]))
    #expect("\(memory)".hasPrefix("Realm (in memory, 'x', live"))
    #expect("\(realm.configuration)".contains("a.larder"))
  }

  @Test("F-39: a predicate shows its text with its values")
  func predicates() throws {
    #expect("\(NSPredicate(format: "age > %@ AND %K == 'x'", 3, "name"))" == "age > 3 AND name == 'x'")
    let id = try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000001"))
    #expect(
      NSPredicate(format: "id == %@ OR ids IN %@", id, [1, 2]).description == "id == \(id.uuidString) OR ids IN {1, 2}")
    #expect(try NSPredicate.parsing("best == %@", argumentArray: [Person(id: 1)]).description == "best == an object")
    #expect("\(NSPredicate(format: "NOT (a == 1 OR b == 2)"))" == "NOT (a == 1 OR b == 2)")
    let realm = try makeRealm()
    try realm.write { realm.add(Person(id: 4)) }
    #expect(realm.objects(Person.self).filter(NSPredicate(format: "id IN %@", [3, 4])).count == 1)
  }

  @Test("F-39: messages name values as the program knows them")
  func messages() throws {
    let realm = try makeRealm([Crate.self, Person.self, Dog.self, Address.self, Room.self])
    let person = try realm.write { realm.create(Person.self, value: ["id": 7]) }
    func message(_ value: Any) throws -> String {
      let error = try realm.write {
        #expect(throws: Realm.Error.self) { try person.throwing.setValue(value, forKey: "age") }
      }
      return error?.message ?? ""
    }
    let insides = ["LarderStorage", "StoredList", "ObjectLink", "__SwiftValue", "classID"]
    let list = List<Int>()
    list.append(objectsIn: [1, 2])
    let values: [Any] = [
      AnyRealmValue.fromArray([.int(1)]), AnyRealmValue.object(person), person, Person(id: 9), list,
      Coordinate(x: 1, y: 2) as AnyObject,
      ["a": [1, 2, 3, 4, 5, 6, 7]] as [String: Any], NSArray(array: [[1]]), Data([1, 2]), "text",
    ]
    for value in values {
      let text = try message(value)
      #expect(text.contains("does not fit Person.age"), "\(text)")
      for inside in insides { #expect(!text.contains(inside), "\(text)") }
    }
    #expect(try message(person).contains("Person with the primary key 7"))
    #expect(try message(["a": [1, 2, 3, 4, 5, 6, 7]] as [String: Any]).contains("[\"a\": [1, 2, 3, 4, 5, … 2 more]]"))
  }

  @Test("F-84: what is found at run time alone is in a file that a linker takes out of a static archive")
  func staticArchives() throws {
    // The cast refers to the protocol, so the file that declares it is linked, and the conformances in it with it.
    let folder = WorkerProcess.productsDirectory.appendingPathComponent("Larder.build")
    let objects = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      // One file for each source file, or one for the module.
      $0.hasSuffix(".o") && ($0.hasPrefix("PredicateTranslation") || !$0.hasSuffix(".swift.o"))
    }
    var conforming = 0
    for object in objects {
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["nm", folder.appendingPathComponent(object).path]
      process.standardOutput = output
      try process.run()
      let symbols = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        .split(separator: "\n").filter { $0.contains("Translatable") && !$0.contains(" U ") }
      process.waitUntilExit()
      guard symbols.contains(where: { $0.hasSuffix("Mc") }) else { continue }
      conforming += 1
      #expect(symbols.contains { $0.hasSuffix("TranslatablePredicateMp") }, "\(object)")
    }
    #expect(conforming > 0)
  }
}
