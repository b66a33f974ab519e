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

  @Test("observers of Realm's own are no key-value observing")
  func observers() throws {
    #expect(
      try Rewriting.kinds("let t = results.observe(keyPaths: [\"a\"]) { _ in }\nlet u = dog.observe { _ in }") == [])
  }
}
