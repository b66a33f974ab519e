import AdoptRewriting
import Testing

@Suite struct DeclarationRuleTests {
  @Test(
    "import lines",
    arguments: [
      ("import RealmSwift", "import Larder"),
      ("import Realm\nimport RealmSwift\nimport UIKit", "import Larder\nimport UIKit"),
      ("import Realm", "import Larder"),
      ("@testable import RealmSwift", "@testable import Larder"),
      ("@_exported import RealmSwift // all", "@_exported import Larder // all"),
      ("import struct RealmSwift.Results", "import struct Larder.Results"),
      ("#if canImport(RealmSwift)\nimport RealmSwift\n#endif", "#if canImport(Larder)\nimport Larder\n#endif"),
      ("let x: RealmSwift.List<RealmSwift.Object>? = nil", "let x: Larder.List<Larder.Object>? = nil"),
      ("let x = try RealmSwift.Realm()", "let x = try Larder.Realm()"),
      ("let text = \"RealmSwift.Realm\" // RealmSwift", "let text = \"RealmSwift.Realm\" // RealmSwift"),
    ])
  func modules(_ before: String, _ after: String) throws {
    #expect(try Rewriting.text(before) == after)
  }

  @Test("enums")
  func enums() throws {
    #expect(
      try Rewriting.text("@objc enum A: Int, RealmEnum { case b }") == "enum A: Int, PersistableEnum { case b }")
    #expect(try Rewriting.text("@objc\nenum A: Int {}") == "enum A: Int {}")
    let outcomes = try Rewriting.outcomes(["enum A: Int { case b }", "extension A: RealmSwift.RealmEnum {}"])
    #expect(
      outcomes.map(\.after.string) == [
        "enum A: Int, CaseIterable { case b }", "extension A: Larder.PersistableEnum {}",
      ])
  }

  @Test("protocols that models conform to are of classes")
  func protocols() throws {
    let source =
      "@objc protocol P { @objc var a: Int { get } }\n@objc protocol Q: P {}\n@objc protocol R: Sendable {}\n"
    let text = try Rewriting.text(source + "class Dog: Object, Q, R { var a = 1 }")
    #expect(
      text.hasPrefix(
        "protocol P: AnyObject { var a: Int { get } }\nprotocol Q: P {}\nprotocol R: AnyObject, Sendable {}\n"))
    #expect(try Rewriting.kinds("@objc protocol P { func a() }") == [.objectiveC])
  }

  @Test("names for Objective-C become stored names of classes")
  func storedNames() throws {
    #expect(
      try Rewriting.text("@objc(Hound) class Dog: Object {}\n")
        == "class Dog: Object {\n  override class func _realmObjectName() -> String? { \"Hound\" }\n}\n")
    let text = try Rewriting.text("@objc(Hound)\npublic class Dog: Object {\n    let a = 1\n}\n")
    let method = "    public override class func _realmObjectName() -> String? { \"Hound\" }"
    #expect(text == "public class Dog: Object {\n\(method)\n\n    let a = 1\n}\n")
    let base = try Rewriting.text("@objc(Hound)\nclass Dog: Object {\n}\nclass Puppy: Dog {}")
    #expect(base.contains("_realmObjectName() -> String? { self == Dog.self ? \"Hound\" : nil }"))
    #expect(try Rewriting.text("@objc(Dog) class Dog: Object {}") == "class Dog: Object {}")
  }

  @Test(
    "initialisers",
    arguments: [
      ("override init() { super.init() }", "required init() { super.init() }"),
      ("required override init() { super.init() }", "required init() { super.init() }"),
      ("required init() { super.init() }", "required init() { super.init() }"),
      ("convenience init(a: Int) { self.init() }", "convenience init(a: Int) { self.init() }"),
      ("let a = 1\n  required init(value: Any, schema: RLMSchema) { super.init() }", "let a = 1"),
    ])
  func initialisers(_ before: String, _ after: String) throws {
    #expect(try Rewriting.text("class Dog: Object {\n  \(before)\n}\n") == "class Dog: Object {\n  \(after)\n}\n")
    #expect(try Rewriting.kinds("class Dog: Object {\n  \(before)\n}\n") == [])
  }

  @Test("attributes of members are removed from models and their extensions, and listed elsewhere")
  func attributes() throws {
    let source = "class Dog: Object {}\nextension Dog {\n  @objc dynamic func bark() {}\n}\n"
    #expect(try Rewriting.text(source) == "class Dog: Object {}\nextension Dog {\n  func bark() {}\n}\n")
    #expect(try Rewriting.kinds("class Cat: NSObject {\n  @objc func meow() {}\n}\n") == [.objectiveC])
  }
}
