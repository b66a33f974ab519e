import Foundation
import Testing

@testable import Larder

/// Tests of what opening says about declarations that cannot be: one error with all problems (E-18 to E-20).
@Suite("Rules of declarations") struct SchemaRulesTests {
  private func problems(_ types: [ObjectBase.Type], _ location: SourceLocation = #_sourceLocation) -> Realm.Error? {
    #expect(throws: Realm.Error.self, sourceLocation: location) { _ = try makeRealm(types) }
  }

  private func expect(
    _ types: [ObjectBase.Type], _ parts: String..., sourceLocation location: SourceLocation = #_sourceLocation
  ) {
    let error = problems(types, location)
    #expect(error?.code == .fail, sourceLocation: location)
    for part in parts { #expect(error?.message.contains(part) == true, "\(error as Any)", sourceLocation: location) }
  }

  class Base: Object {
    @Persisted var name: String
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
  class Twice: Base { @Persisted(originProperty: "none") var other: LinkingObjects<Twice> }

  enum Repeated {
    class Parent: Object { @Persisted private var name: String }
    class Child: Parent { @Persisted private var name: String }
  }

  @Test("M-10: a property of the class and its superclass") func inherited() {
    expect([Repeated.Child.self], "Class Child, property name: declared in the class and its superclass. Rename one.")
  }

  enum Names {
    class Copy: Object {
      @Persisted(primaryKey: true) var new: Int
      @Persisted var newName = "a"
      @Persisted var copyCount = 1
      @Persisted var _alloc = 2
      @Persisted var mutableCopy_x = 3
    }
  }

  @Test("M-16: names that mean something to Objective-C are names like others") func namesOfObjectiveC() throws {
    let realm = try makeRealm([Names.Copy.self])
    try realm.write { realm.create(Names.Copy.self, value: ["new": 7, "newName": "b", "copyCount": 5]) }
    let found = realm.object(ofType: Names.Copy.self, forPrimaryKey: 7)
    #expect(found?.newName == "b" && found?.copyCount == 5 && found?._alloc == 2 && found?.mutableCopy_x == 3)
    #expect(realm.objects(Names.Copy.self).filter("copyCount > 4 AND _alloc = 2 AND mutableCopy_x = 3").count == 1)
  }

  @Test("M-27, M-75: an asymmetric class is refused, in a new store and whatever becomes of the version")
  func asymmetric() throws {
    let folder = try TemporaryFolder()
    for version in [1, 1, 2] as [UInt64] {
      let configuration = folder.configuration([Names.Copy.self, Measurement.self], version: version)
      let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
      #expect(error?.code == .fail && error?.message.contains("Class Measurement: it is asymmetric") == true)
      // The store is made, or stays, without it.
      let realm = try Realm(configuration: folder.configuration([Names.Copy.self], version: 1))
      #expect(realm.core.currentSnapshot().schema.classes.map(\.name) == ["Copy"])
    }
  }

  enum Keys {
    class Two: Object {
      @Persisted(primaryKey: true) var a: Int
      @Persisted(primaryKey: true) var b: String
    }
    class Flag: Object { @Persisted(primaryKey: true) var flag: Bool }
    class Inside: EmbeddedObject { @Persisted(primaryKey: true) var id: Int }
  }

  @Test("M-11, M-12, M-22, E-18 and E-19: primary keys, all problems in one error") func keys() {
    expect(
      [Keys.Two.self, Keys.Flag.self, Keys.Inside.self], "Invalid schema, 3 problems:",
      "- Class Two: it has 2 primary keys: a, b. Keep one.",
      "- Class Flag, property flag: a primary key must be an integer, String, ObjectId or UUID, not bool.",
      "- Class Inside, property id: an embedded class cannot have a primary key.")
    let error = problems([Keys.Flag.self])
    #expect(error?.className == "Flag" && error?.propertyName == "flag")
  }

  enum Empty {
    class Nothing: Object { var value = 0 }
    class ClassWithANameThatHasMoreThanFiftySevenBytesWhichIsTooMany: Object { @Persisted var a: Int }
    class Long: Object {
      @Persisted var propertyWithANameThatHasMoreThanSixtyThreeBytesWhichIsRatherTooMany: Int
    }
  }

  @Test("M-14 and M-17: classes without stored properties, and long names") func names() {
    expect([Empty.Nothing.self], "Class Nothing: it has no stored property. Mark its properties with @Persisted.")
    expect(
      [Empty.ClassWithANameThatHasMoreThanFiftySevenBytesWhichIsTooMany.self, Empty.Long.self],
      "its name is longer than 57 bytes", "its name is longer than 63 bytes")
  }

  enum Mapped {
    class Same: Object {
      @Persisted var a: Int
      @Persisted var b: Int
      override class func propertiesMapping() -> [String: String] { ["a": "b"] }
    }
    class Unknown: Object {
      @Persisted var a: Int
      override class func propertiesMapping() -> [String: String] { ["c": "d"] }
    }
    class Fine: Object {
      @Persisted var a: Int
      @Persisted var b: Int
      override class func propertiesMapping() -> [String: String] { ["a": "first", "b": "second"] }
      override class func _realmObjectName() -> String? { "Stored" }
    }
    class Stored: Object { @Persisted var a: Int }
  }

  @Test("M-20: names that fall together") func mapping() throws {
    expect([Mapped.Same.self], "Class Same, property b: stored as 'b' like a.")
    expect([Mapped.Unknown.self], "property c: propertiesMapping() names it, but it is no stored property")
    expect([Mapped.Fine.self, Mapped.Stored.self], "Class Stored: ", "are stored under the same name", "Mapped.Fine")
    let realm = try makeRealm([Mapped.Fine.self, Mapped.Fine.self])
    #expect(realm.schema.objectSchema.count == 1)
    #expect(realm.schema["Stored"]?["a"]?.columnName == "first")
  }

  enum Links {
    class Target: Object { @Persisted var a: Int }
    class Source: Object {
      @Persisted var target: Target?
      @Persisted var targets: List<Target>
    }
    class Abstract: Object { @Persisted var any: Object? }
    class Backwards: Object {
      @Persisted var a: Int
      @Persisted(originProperty: "nothing") var sources: LinkingObjects<Source>
      @Persisted(originProperty: "target") var others: LinkingObjects<Source>
      @Persisted var unnamed: LinkingObjects<Source>
    }
  }

  @Test("M-5, M-24 and E-20: targets of links that are not in the schema") func links() {
    expect(
      [Links.Source.self], "Class Source, property target: it links to Target. Add Target to objectTypes.",
      "Class Source, property targets: it links to Target.")
    expect([Links.Abstract.self], "property any: Object is no model class")
    expect([Object.self], "Class Object: it is no model class")
  }

  @Test("M-15 and M-25: inverse properties that follow nothing") func inverses() {
    expect(
      [Links.Backwards.self, Links.Source.self, Links.Target.self],
      "property sources: it follows Source.nothing back, which does not exist. Source has no property 'nothing'",
      "property others: it follows Source.target back, which is no link to Backwards",
      "property unnamed: it does not say which links it follows")
  }

  enum Cycles {
    class A: EmbeddedObject { @Persisted var b: List<B> }
    class B: EmbeddedObject { @Persisted var a: A? }
    class Own: EmbeddedObject { @Persisted var own: Own? }
    class Top: Object { @Persisted var inner: Inner? }
    class Inner: EmbeddedObject { @Persisted var top: Top? }
  }

  @Test("M-26: a cycle of embedded classes; M-28: an embedded class that nothing links to") func cycles() throws {
    expect([Cycles.A.self, Cycles.B.self, Cycles.Own.self], "2 problems", "A > B > A", "Own > Own")
    _ = try makeRealm([Cycles.Top.self, Cycles.Inner.self])
    _ = try makeRealm([Links.Target.self, SchemaRulesTests.Orphan.self])
  }

  class Orphan: EmbeddedObject { @Persisted var a: Int }

  @Test("M-6 and E-59: a class that is not in the schema") func unknownClass() throws {
    let realm = try makeRealm([Links.Target.self])
    let error = #expect(throws: Realm.Error.self) { try realm.core.verifiedCursor(for: Person.self) }
    #expect(error?.className == "Person")
    #expect(error?.message == "Person is not in this Realm's schema; add it to objectTypes.")
  }

  @Test("M-23: what can be indexed can be declared so") func indexes() throws {
    let schema = try #require(Indexed.sharedSchema())
    #expect(schema.properties.allSatisfy { $0.isIndexed == ($0.name != "plain") })
    _ = try makeRealm([Indexed.self])
  }

  class Indexed: Object {
    @Persisted(indexed: true) var int: Int8?
    @Persisted(indexed: true) var bool: Bool
    @Persisted(indexed: true) var string: String?
    @Persisted(indexed: true) var date: Date
    @Persisted(indexed: true) var objectId: ObjectId?
    @Persisted(indexed: true) var uuid: UUID
    @Persisted(indexed: true) var kind: Kind
    @Persisted var plain: Double
  }
}
