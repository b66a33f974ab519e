import AdoptRewriting
import Testing

@Suite struct NamedMethodRuleTests {
  private func dog(_ members: String) -> String { "class Dog: Object {\n\(members)\n}\n" }

  @Test("primary key and indexes move to the properties")
  func keys() throws {
    let source = dog(
      """
        @objc dynamic var id = 0
        @objc dynamic var name = ""

        /// The key.
        override static func primaryKey() -> String? { "id" }

        override class func indexedProperties() -> [String] { return ["id", "name"] }

        func bark() {}
      """)
    let expected = dog(
      """
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var name = ""

        func bark() {}
      """)
    #expect(try Rewriting.text(source) == expected)
  }

  @Test("properties that are ignored stay plain")
  func ignored() throws {
    let source = dog(
      """
        @objc dynamic var a = 0
        @objc dynamic var b = 0, c = 0
        override static func ignoredProperties() -> [String] { ["a", "c"] }
      """)
    let expected = dog("  var a = 0\n  @Persisted var b = 0\n  var c = 0")
    #expect(try Rewriting.text(source) == expected)
  }

  @Test("a method that names a property of the superclass, or computes its names, stays")
  func stays() throws {
    let base = "class Animal: Object { @objc dynamic var id = 0 }\n"
    let method = "  override static func indexedProperties() -> [String] { [\"id\"] }"
    #expect(try Rewriting.text(base + "class Dog: Animal {\n\(method)\n}\n").contains(method))
    let computed = "  override static func primaryKey() -> String? { Keys.id }"
    #expect(try Rewriting.text(dog("  @objc dynamic var id = 0\n" + computed)).contains(computed))
    #expect(
      try Rewriting.kinds(dog("  override static func ignoredProperties() -> [String] { names() }")) == [.namedMethod])
  }

  @Test("what follows a method on its line stays")
  func sameLine() throws {
    let source =
      "class Dog: Object { @objc dynamic var id = 0; override static func primaryKey() -> String? { \"id\" } }\n"
    let text = try Rewriting.text(source)
    #expect(
      text.contains("@Persisted(primaryKey: true) var id = 0") && !text.contains("primaryKey()")
        && text.hasSuffix("}\n"))
  }
}
