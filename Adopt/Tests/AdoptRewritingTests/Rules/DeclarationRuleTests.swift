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

  @Test(
    "F-181: what the old import brought is imported, and the library where a file had it from elsewhere",
    arguments: [
      ("import RealmSwift\nlet a = Date()", "import Foundation\nimport Larder\nlet a = Date()"),
      (
        "import Realm\nimport RealmSwift\nlet a = b.components(separatedBy: c)",
        "import Foundation\nimport Larder\nlet a = b.components(separatedBy: c)"
      ),
      (
        "// a\nimport RealmSwift\nlet p = NSPredicate(format: \"a\")",
        "// a\nimport Foundation\nimport Larder\nlet p = NSPredicate(format: \"a\")"
      ),
      ("import RealmSwift\nlet a = pow(b, 2)", "import Foundation\nimport Larder\nlet a = pow(b, 2)"),
      ("import RealmSwift\nimport UIKit\nlet a = Date()", "import Larder\nimport UIKit\nlet a = Date()"),
      ("import RealmSwift\nstruct Date {}\nlet a = Date()", "import Larder\nstruct Date {}\nlet a = Date()"),
      ("import RealmSwift\nlet a = b.data", "import Larder\nlet a = b.data"),
      ("import RealmSwift\nlet a = 1", "import Larder\nlet a = 1"),
    ])
  func broughtAlong(_ before: String, _ after: String) throws {
    #expect(try Rewriting.text(before) == after)
    #expect(try Rewriting.text(after) == after)
  }

  @Test("F-181: a file without an import of its own gets one, though another module may import for all of its files")
  func missingImports() throws {
    let others = [
      "import Foundation\nclass Dog: Object {}", "func f(_ realm: Realm) {}", "struct Kennel { let name: String }",
    ]
    let outcomes = try Rewriting.outcomes(["import RealmSwift"] + others)
    #expect(
      outcomes.dropFirst().map(\.after.string) == [
        "import Foundation\nimport Larder\nclass Dog: Object {}", "import Larder\n\nfunc f(_ realm: Realm) {}",
        others[2],
      ])
    let exported = try Rewriting.outcomes(["@_exported import RealmSwift"] + others)
    #expect(exported.dropFirst().map(\.after.string) == outcomes.dropFirst().map(\.after.string))
    let own = try Rewriting.outcomes(["import RealmSwift", "struct Realm {}", "func f(_ realm: Realm) {}"])
    #expect(own[2].state == .unchanged)
  }

  @Test(
    "F-180: an extension declares no class",
    arguments: [
      "extension Object { func toDictionary() -> [String: Any] { [:] } }", "extension RealmSwift.Object {}",
      "extension Object: Identifiable {}\nextension EmbeddedObject {}\nextension List {}\nextension RealmEnum {}",
      "typealias Object = RealmSwift.Object\nextension Object {}",
      "struct Kennel {}\nextension Kennel { struct Object2 {} }",
    ])
  func extensions(_ text: String) throws {
    let model = "class Dog: Object { @objc dynamic var name = \"\" }\n@objc enum A: Int, RealmEnum { case b }"
    let rewritten = "class Dog: Object { @Persisted var name = \"\" }\nenum A: Int, PersistableEnum { case b }"
    for order in [[text, model], [model, text]] {
      let outcomes = try Rewriting.outcomes(order)
      #expect(outcomes.contains { $0.after.string == rewritten }, "\(outcomes.map(\.after.string))")
      #expect(outcomes.flatMap(\.findings) == [])
    }
  }

  @Test(
    "F-180: @objc dynamic of a class that derives from a name such as Object is never removed",
    arguments: [
      "class Object: NSObject {}\nclass Dog: Object { @objc dynamic var name = \"\" }",
      "struct Kennel { class Object {}\n  class Dog: Object { @objc dynamic var name = \"\" } }",
      "class Dog: Framework.Object { @objc dynamic var name = \"\" }",
      "@objcMembers class Dog: Framework.EmbeddedObject { @objc dynamic var name = \"\" }",
    ])
  func ownRoots(_ source: String) throws {
    let outcome = try Rewriting.outcome(source)
    #expect(outcome.after.string == source)
    #expect(outcome.findings.map(\.kind) == [.unknownSuperclass])
    #expect(!outcome.findings.contains { $0.advice.contains("remove") })
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
