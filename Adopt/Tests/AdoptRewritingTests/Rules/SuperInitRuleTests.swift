import AdoptRewriting
import Testing

@Suite struct SuperInitRuleTests {
  private static func dog(_ initializer: String, _ others: String = "") -> String {
    "class Dog: Object {\n  @Persisted var name = \"\"\n  @Persisted var toys: List<Dog>\n\(others)\(initializer)\n}\n"
  }

  private static func old(_ initializer: String, _ others: String = "") -> String {
    "class Dog: Object {\n  @objc dynamic var name = \"\"\n  let toys = List<Dog>()\n\(others)\(initializer)\n}\n"
  }

  @Test(
    "F-181: super.init() comes before the first use of a stored property",
    arguments: [
      (
        "  init(name: String) {\n    self.name = name\n    super.init()\n  }",
        "  init(name: String) {\n    super.init()\n    self.name = name\n  }"
      ),
      (
        "  required init() {\n    super.init()\n    name = \"a\"\n  }",
        "  required init() {\n    super.init()\n    name = \"a\"\n  }"
      ),
      (
        "  init(name: String) {\n    self.name = name\n  }",
        "  init(name: String) {\n    super.init()\n    self.name = name\n  }"
      ),
      (
        "  init(_ text: String) {\n    let short = text.lowercased()\n    name = short\n    toys.append(Dog())\n    super.init()\n    print(name)\n  }",
        "  init(_ text: String) {\n    let short = text.lowercased()\n    super.init()\n    name = short\n    toys.append(Dog())\n    print(name)\n  }"
      ),
      ("  init(a: Int) { name = \"\\(a)\" }", "  init(a: Int) { super.init(); name = \"\\(a)\" }"),
      (
        "  convenience init(name: String) {\n    self.init()\n    self.name = name\n  }",
        "  convenience init(name: String) {\n    self.init()\n    self.name = name\n  }"
      ),
      (
        "  init(name: String) {\n    print(name)\n    super.init()\n  }",
        "  init(name: String) {\n    print(name)\n    super.init()\n  }"
      ),
    ])
  func moved(_ before: String, _ after: String) throws {
    let outcome = try Rewriting.outcome(Self.old(before))
    #expect(outcome.after.string == Self.dog(after))
    #expect(outcome.findings == [])
    #expect(try Rewriting.text(outcome.after.string) == outcome.after.string)
  }

  @Test("F-181: where another property needs its value first, the initialiser is listed")
  func listed() throws {
    let source = Self.old(
      "  init(name: String) {\n    self.name = name\n    kind = 1\n    super.init()\n  }", "  let kind: Int\n")
    #expect(try Rewriting.kinds(source) == [.superInit])
    let value = Self.old("  init(name: String) {\n    self.name = name\n    super.init(value: [name])\n  }")
    #expect(try Rewriting.kinds(value) == [.superInit])
  }
}
