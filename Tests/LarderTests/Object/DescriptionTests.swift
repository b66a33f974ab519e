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

  class Described: Object {
    @Persisted var flag: Bool
    @Persisted var number: Double = 10
    @Persisted var half: Float = 1.5
    @Persisted var data = Data([0x61])
    @Persisted var kind: Kind
    @Persisted var any: AnyRealmValue
    @Persisted var next: Described?
    @Persisted var list: List<Described>
    @Persisted var flags: List<Bool?>
    @Persisted var kinds: MutableSet<Kind>
    @Persisted var counts: Map<String, Int>
    @Persisted(originProperty: "next") var before: LinkingObjects<Described>
    override class func propertiesMapping() -> [String: String] { ["half": "stored_half"] }
  }

  /// A text without identities.
  private func plain(_ value: Any) -> String { "\(value)".replacing(/0x[0-9a-f]+/, with: "0x0") }

  @Test("F-147: objects and collections are described as RealmSwift describes them, unmanaged and managed alike")
  func objects() throws {
    let object = Described()
    object.flags.append(objectsIn: [true, nil])
    object.kinds.insert(.special)
    object.counts["a"] = 1
    let text = """
      Described {
      \tflag = 0;
      \tnumber = 10;
      \thalf = 1.5;
      \tdata = <61 — 1 total bytes>;
      \tkind = plain;
      \tany = (null);
      \tnext = (null);
      \tlist = List<Described> <0x0> (
      \t
      \t);
      \tflags = List<bool> <0x0> (
      \t\t[0] 1,
      \t\t[1] <null>
      \t);
      \tkinds = MutableSet<string> <0x0> (
      \t\t[0] special
      \t);
      \tcounts = Map<string, int> <0x0> (
      \t\t[a]: 1
      \t);
      }
      """
    #expect(plain(object) == text && plain(object.before) == "LinkingObjects<Described> <0x0> (\n\n)")
    let realm = try makeRealm([Described.self])
    try realm.write { realm.add(object) }
    #expect(plain(object) == text && plain(object.before) == "LinkingObjects<Described> <0x0> (\n\n)")
    #expect(
      plain(realm.objects(Described.self)).hasPrefix("Results<Described> <0x0> (\n\t[0] Described {\n\t\tflag = 0;"))
    #expect(plain(object.flags.sorted(by: [SortDescriptor(keyPath: "self")])).hasPrefix("Results<bool> <0x0> ("))
    try realm.write {
      object.list.append(object)
      for _ in 0..<102 { object.flags.append(false) }
    }
    // An object is at a depth of zero, its list at one, and so on.
    let fourth = "\t\t\t\t\tlist = <Maximum depth exceeded>;"
    #expect("\(object)".contains(fourth) && !"\(object)".contains("\t" + fourth))
    #expect("\(object.flags)".hasSuffix("[99] 0\n\t... 4 objects skipped.\n)"))
  }

  @Test("F-147: schemas, projections and sort descriptors are described as RealmSwift describes them")
  func schemas() throws {
    let schema = try #require(Described.sharedSchema())
    #expect(
      schema["half"]?.description == """
        half {
        \ttype = float;
        \tcolumnName = stored_half;
        \tindexed = NO;
        \tisPrimary = NO;
        \tarray = NO;
        \tset = NO;
        \tdictionary = NO;
        \toptional = NO;
        }
        """)
    #expect(
      schema["next"]?.description.contains(
        "\ttype = object;\n\tobjectClassName = Described;\n\tlinkOriginPropertyName = (null);\n") == true)
    #expect(schema["before"]?.description.contains("type = linking objects;") == true)
    #expect(
      schema.description.contains("\t\tlinkOriginPropertyName = next;\n")
        && schema["any"]?.description.contains("type = mixed;") == true)
    #expect("\(SortDescriptor(keyPath: "age"))" == "SortDescriptor(keyPath: age, direction: ascending)")
    #expect(
      "\(SortDescriptor(keyPath: "age", ascending: false))" == "SortDescriptor(keyPath: age, direction: descending)")
    let realm = try makeRealm()
    let person = try realm.write {
      realm.create(Person.self, value: ["id": 1, "name": "Ada", "address": ["city": "Ulm"]] as [String: Any])
    }
    try realm.write { person.dogs.append(Dog(name: "Rex")) }
    #expect(
      plain(DescribedPerson(projecting: person)) == """
        DescribedPerson<Person> <0x0> {
        \t\ttitle(\\.name) = Ada;
        \tcity(\\.address.city) = Optional("Ulm");
        \tdogNames(\\.dogs) = ProjectedCollection<String> {
        \t[0] Rex
        };
        }
        """)
  }

  final class DescribedPerson: Projection<Person> {
    @Projected(\Person.name) var title
    @Projected(\Person.address?.city) var city
    @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
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
