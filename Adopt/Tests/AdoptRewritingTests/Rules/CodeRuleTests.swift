import AdoptRewriting
import Testing

@Suite struct CodeRuleTests {
  @Test(
    "errors of Foundation",
    arguments: [
      (
        "do { try f() } catch let error as NSError {\n  print(error)\n}",
        "do { try f() } catch {\n  let error = error as NSError\n  print(error)\n}"
      ),
      (
        "do { try f() } catch let e as NSError { print(e) }",
        "do { try f() } catch let e { let e = e as NSError; print(e) }"
      ),
      ("do { try f() } catch let e as NSError { print() }", "do { try f() } catch let e { print() }"),
      ("do { try f() } catch is NSError {}", "do { try f() } catch {}"),
      ("do { try f() } catch _ as NSError {}", "do { try f() } catch {}"),
      (
        "do { try f() } catch let e as NSError where e.code == 1 && a.e {\n  print(e)\n}",
        "do { try f() } catch let e where (e as NSError).code == 1 && a.e {\n  let e = e as NSError\n  print(e)\n}"
      ),
      (
        "do { try f() } catch let e as Realm.Error { print(e) }",
        "do { try f() } catch let e as Realm.Error { print(e) }"
      ),
    ])
  func catching(_ before: String, _ after: String) throws {
    #expect(try Rewriting.text(before) == after)
  }

  @Test("names of properties become text")
  func keyPaths() throws {
    let models = "class Dog: Object {\n  @objc dynamic var name = \"\"\n"
    #expect(try Rewriting.text(models + "  let key = #keyPath(name)\n}").hasSuffix("let key = \"name\"\n}"))
    #expect(try Rewriting.text("let a = #keyPath(Dog.owner.name)") == "let a = \"owner.name\"")
    #expect(try Rewriting.kinds("let a = #keyPath(name)") == [.keyPath])
  }

  @Test(
    "what has no counterpart is listed",
    arguments: [
      ("a.addObserver(b, forKeyPath: \"c\", options: [], context: nil)", Finding.Kind.keyValueObserving),
      ("let o = a.observe(\\.b, options: .new) { _, _ in }", .keyValueObserving),
      ("let o = a.objectWillChange.sink { }", .combine),
      ("let o = results.changesetPublisher", .combine),
      ("let s = #selector(A.b)", .selector),
      ("let e = error as? NSError", .nsError),
      ("let r: RLMRealm? = nil", .oldClass),
      ("struct V { @ObservedResults(Dog.self) var dogs }", .swiftUI),
      ("let c = SyncConfiguration.self", .sync),
      ("func f(_ a: RealmOptional<Int>) {}", .holderType),
    ])
  func listed(_ source: String, _ kind: Finding.Kind) throws {
    #expect(try Rewriting.kinds(source) == [kind])
    #expect(try Rewriting.text(source) == source)
  }

  @Test(
    "F-181: parts of Objective-C in collections are left out where that says the same, and listed elsewhere",
    arguments: [
      (
        "func f(_ dogs: List<Dog>) { print(dogs._rlmArray.count) }", "func f(_ dogs: List<Dog>) { print(dogs.count) }",
        0
      ),
      ("func f(_ dogs: List<Dog>) { print(dogs._rlmArray[0]) }", "func f(_ dogs: List<Dog>) { print(dogs[0]) }", 0),
      ("func f(_ dogs: List<Dog>) { g(dogs._rlmArray) }", "func f(_ dogs: List<Dog>) { g(dogs._rlmArray) }", 1),
      (
        "func f(_ a: Any) { (a as? ListBase)?._rlmArray.count }",
        "func f(_ a: Any) { (a as? ListBase)?._rlmArray.count }", 2
      ),
    ])
  func innerCollections(_ before: String, _ after: String, _ listed: Int) throws {
    let outcome = try Rewriting.outcome(before)
    #expect(outcome.after.string == after)
    #expect(outcome.findings.map(\.kind) == Array(repeating: .oldClass, count: listed))
    #expect(outcome.findings.allSatisfy { !$0.suggestion.isEmpty })
  }

  @Test(
    "F-181: classes of the program are its own, whatever their names",
    arguments: [
      "class RLMCell: UITableViewCell {}\nlet a = RLMCell()", "enum A { struct RLMPart {} }\nlet a: A.RLMPart? = nil",
      "typealias RLMToken = Int\nlet a: RLMToken = 1", "func RLMPrint() {}\nlet a: () -> Void = RLMPrint",
      "protocol ListBase {}\nlet a: ListBase? = nil",
    ])
  func ownNames(_ source: String) throws { #expect(try Rewriting.kinds(source) == []) }

  @Test(
    "F-181: a store in memory that a test does not keep is listed",
    arguments: [
      (
        "class T: XCTestCase { func setUp() { Realm.Configuration.defaultConfiguration.inMemoryIdentifier = name } }", 1
      ),
      ("class T: BaseTestCase { func a() { let c = Realm.Configuration(inMemoryIdentifier: name) } }", 1),
      (
        "class T: XCTestCase { var realm: Realm!\n func a() { realm = try! Realm(configuration: .init(inMemoryIdentifier: name)) } }",
        0
      ),
      ("class App { func a() { let c = Realm.Configuration(inMemoryIdentifier: name) } }", 0),
    ])
  func memory(_ source: String, _ count: Int) throws {
    let findings = try Rewriting.outcome(source).findings
    #expect(findings.map(\.kind) == Array(repeating: .inMemory, count: count))
    #expect(findings.allSatisfy { $0.suggestion.first?.replacement.contains("keeper = try! Realm(") ?? false })
  }

  @Test("observers of Realm's own are no key-value observing")
  func observers() throws {
    #expect(
      try Rewriting.kinds("let t = results.observe(keyPaths: [\"a\"]) { _ in }\nlet u = dog.observe { _ in }") == [])
  }
}
