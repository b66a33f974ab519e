import AdoptRewriting
import Testing

@Suite struct PropertyRuleTests {
  /// A member of a model, and what it becomes.
  struct Case: Sendable, CustomTestStringConvertible {
    let before: String
    let after: String
    var testDescription: String { before }

    init(_ before: String, _ after: String) {
      self.before = before
      self.after = after
    }
  }

  static let cases = [
    Case("@objc dynamic var x = 0", "@Persisted var x = 0"),
    Case("@objc dynamic var x: String? = nil", "@Persisted var x: String? = nil"),
    Case("@objc public private(set) dynamic var x = 0", "@Persisted public private(set) var x = 0"),
    Case("@objc dynamic open var x = 0", "@Persisted open var x = 0"),
    Case("public dynamic var x = 0", "@Persisted public var x = 0"),
    Case("dynamic var x = 0", "@Persisted var x = 0"),
    Case("@objc\n  dynamic\n  var x = 0", "@Persisted\n  var x = 0"),
    Case("@objc /* a */ dynamic /* b */ var x = 0", "@Persisted /* a */ /* b */ var x = 0"),
    Case("@objc dynamic var x = 0 { didSet { print(x) } }", "@Persisted var x = 0 { didSet { print(x) } }"),
    Case("@objc dynamic var x: Int { 1 }", "var x: Int { 1 }"),
    Case("@objc dynamic lazy var x = 1", "lazy var x = 1"),
    Case("@objc static dynamic var x = 1", "static var x = 1"),
    Case("let x = 1", "let x = 1"),
    Case("var x = 1", "var x = 1"),
    Case("@Persisted var x: Int", "@Persisted var x: Int"),
    Case("let x = List<Int>()", "@Persisted var x: List<Int>"),
    Case("let x = List<Int>( /* none */ )", "@Persisted var x: List<Int>"),
    Case("let x: List<Int>", "@Persisted var x: List<Int>"),
    Case("let x: List<Int> = .init()", "@Persisted var x: List<Int>"),
    Case("let x = RealmSwift.List<Dog>()", "@Persisted var x: Larder.List<Dog>"),
    Case("private let x = MutableSet<String?>()", "@Persisted private var x: MutableSet<String?>"),
    Case("let x = Map<String, Dog?>()", "@Persisted var x: Map<String, Dog?>"),
    Case(
      "let x = LinkingObjects(fromType: Dog.self, property: \"owner\")",
      "@Persisted(originProperty: \"owner\") var x: LinkingObjects<Dog>"),
    Case(
      "let x: LinkingObjects<A.Dog> = LinkingObjects(fromType: A.Dog.self, property: #keyPath(A.Dog.owner))",
      "@Persisted(originProperty: \"owner\") var x: LinkingObjects<A.Dog>"),
    Case("let x = RealmOptional<Int>()", "@Persisted var x: Int?"),
    Case("public let x = RealmOptional<Int>(7)", "@Persisted public var x: Int? = 7"),
    Case("let x = RealmProperty<Int?>()", "@Persisted var x: Int?"),
    Case("let x: RealmProperty<AnyRealmValue> = RealmProperty()", "@Persisted var x: AnyRealmValue"),
    Case("@objc dynamic var a = 0, b = 0", "@Persisted var a = 0\n  @Persisted var b = 0"),
    Case("@objc private dynamic var a, b: Int?", "@Persisted private var a: Int?\n  @Persisted private var b: Int?"),
    Case("let a = List<Int>(), b = List<Int>()", "@Persisted var a: List<Int>\n  @Persisted var b: List<Int>"),
    Case(
      "@objc dynamic var a = 0, // one\n    b = 0 // two", "@Persisted var a = 0 // one\n  @Persisted var b = 0 // two"),
    Case("@objc(other) dynamic var x = 0", "@Persisted var x = 0"),
    Case("#if DEBUG\n  @objc dynamic var x = 0\n  #endif", "#if DEBUG\n  @Persisted var x = 0\n  #endif"),
  ]

  @Test(arguments: cases)
  func member(_ example: Case) throws {
    let before = "import RealmSwift\nclass Dog: Object {\n  \(example.before)\n}\n"
    let after = "import Larder\nclass Dog: Object {\n  \(example.after)\n}\n"
    #expect(try Rewriting.text(before) == after)
    #expect(try Rewriting.text(after) == after)
  }

  @Test("@objcMembers makes every member one of Objective-C, in subclasses too")
  func members() throws {
    let text = try Rewriting.text(
      "@objcMembers class A: Object {}\nclass B: A {\n  dynamic var x = 0\n  var y = 0\n}\n")
    #expect(text == "class A: Object {}\nclass B: A {\n  @Persisted var x = 0\n  var y = 0\n}\n")
    #expect(try Rewriting.kinds("@objcMembers class A: Object { var y = 0 }") == [.undecidedProperty])
  }

  @Test("variables of functions and of other classes are no stored properties")
  func others() throws {
    let source =
      "class A: NSObject { dynamic var x = 0 }\nclass B: Object { func f() { let l = List<Int>(); _ = l } }\n"
    #expect(try Rewriting.text(source) == source)
  }
}
