import AdoptRewriting
import Testing

@Suite struct SourceFormTests {
  static let source = """
    import RealmSwift

    class Dog: Object {
    \t@objc dynamic var name = "🐕 é"  // naïve
    \t@objc dynamic var a = 0, b = 1
    \tlet age = RealmOptional<Int>()
    \toverride static func primaryKey() -> String? {
    \t\treturn "name"
    \t}

    \tfunc grow() {
    \t\tdo { try work() } catch let error as NSError {
    \t\t\tprint(error)
    \t\t}
    \t}
    }

    """

  // The name `NSError` is Foundation's, which Realm's module brought with it.
  static let expected = """
    import Foundation
    import Larder

    class Dog: Object {
    \t@Persisted(primaryKey: true) var name = "🐕 é"  // naïve
    \t@Persisted var a = 0
    \t@Persisted var b = 1
    \t@Persisted var age: Int?

    \tfunc grow() {
    \t\tdo { try work() } catch {
    \t\t\tlet error = error as NSError
    \t\t\tprint(error)
    \t\t}
    \t}
    }

    """

  @Test("tabs and characters of several bytes stay")
  func tabs() throws {
    #expect(try Rewriting.text(Self.source) == Self.expected)
  }

  @Test("lines that end with carriage return and line feed still do, new ones too")
  func carriageReturns() throws {
    let source = Self.source.replacing("\n", with: "\r\n")
    #expect(try Rewriting.text(source) == Self.expected.replacing("\n", with: "\r\n"))
  }

  @Test("a byte order mark stays at the beginning")
  func byteOrderMark() throws {
    let outcome = try Rewriting.outcome("\u{FEFF}" + Self.source)
    #expect(outcome.after.bytes == Array(("\u{FEFF}" + Self.expected).utf8))
  }

  @Test("a last line without an end gets none")
  func lastLine() throws {
    #expect(try Rewriting.text("import RealmSwift") == "import Larder")
    #expect(try Rewriting.text("") == "")
  }

  @Test("a file with errors of syntax is left as it is, and the others are rewritten")
  func errors() throws {
    let faulty = "import RealmSwift\nclass Dog: Object {\n  @objc dynamic var name = \n}}\n"
    let outcomes = try Rewriting.outcomes([faulty, Self.source])
    #expect(outcomes[0].state == .faulty && outcomes[0].after.string == faulty)
    #expect(!outcomes[0].findings.isEmpty && outcomes[0].findings.allSatisfy { $0.kind == .syntaxError })
    #expect(outcomes[1].after.string == Self.expected)
    let report = AdoptionReport(outcomes, isDryRun: false)
    #expect(report.faultyCount == 1 && !report.isComplete)
    #expect(report.findings[0].position.line >= 3)
  }

  @Test("classes are known from the other files, however many are between")
  func severalFiles() throws {
    let outcomes = try Rewriting.outcomes([
      "class C: B { @objc dynamic var c = 0 }", "class B: Outer.A { @objc dynamic var b = 0 }",
      "enum Outer { class A: Base { @objc dynamic var a = 0 } }", "typealias Base = RealmSwift.Object",
    ])
    #expect(
      outcomes.map(\.after.string) == [
        "class C: B { @Persisted var c = 0 }", "class B: Outer.A { @Persisted var b = 0 }",
        "enum Outer { class A: Base { @Persisted var a = 0 } }", "typealias Base = Larder.Object",
      ])
  }

  @Test("classes within functions are models too, and variables of functions are no members")
  func local() throws {
    let source =
      "func test() {\n  class Dog: Object { let age = RealmOptional<Int>() }\n  let dog = Dog()\n  dog.age.value = 1\n}\n"
    let expected =
      "func test() {\n  class Dog: Object { @Persisted var age: Int? }\n  let dog = Dog()\n  dog.age = 1\n}\n"
    #expect(try Rewriting.text(source) == expected)
  }

  @Test("a class of the program that is called Object is no root of models")
  func ownObject() throws {
    let source = "class Object {}\nclass Dog: Object { dynamic var name = 1 }\n"
    #expect(try Rewriting.text(source) == source)
  }
}
