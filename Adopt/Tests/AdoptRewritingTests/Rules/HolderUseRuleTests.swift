import AdoptRewriting
import Testing

@Suite struct HolderUseRuleTests {
  static let models = """
    class Dog: Object {
      let age = RealmOptional<Int>()
      @objc dynamic var owner: Person?
    }
    class Person: Object {
      let height = RealmProperty<Double?>()
      let dogs = List<Dog>()
      func oldest() -> Dog? { dogs.first }
    }
    struct Ring { var age = Box(); struct Box { var value = 1 } }

    """

  /// Uses that are known, with `.value` in each place where it goes and `.!value` where it has to stay.
  static let known = [
    "func f(_ dog: Dog) { dog.age.value = 5 }",
    "func f(_ dog: Dog?) { dog?.age.value = 5 }",
    "func f() { let dog = Dog(); dog.age.value = 5 }",
    "func f(_ dogs: [Dog]) { for dog in dogs { print(dog.age.value!) } }",
    "func f(_ realm: Realm) { for dog in realm.objects(Dog.self).filter(\"a\") { print(dog.age.value!) } }",
    "func f(_ realm: Realm) { print(realm.objects(Dog.self).first!.age.value ?? 0) }",
    "func f(_ realm: Realm) { realm.objects(Dog.self).forEach { $0.age.value = nil } }",
    "func f(_ person: Person) { _ = person.dogs.map { dog in dog.age.value } }",
    "func f(_ person: Person) { person.oldest()?.owner?.height.value = person.dogs[0].owner?.height.value }",
    "func f(_ person: Person) { if let dog = person.oldest() { dog.age.value = 1 } }",
    "func f(_ person: Person) { guard let dog = person.oldest(), dog.age.value != nil else { return } }",
    "func f(_ x: Any) { if let dog = x as? Dog { dog.age.value = 1 } }",
    "func f(_ ring: Ring) { print(ring.age.!value) }",
    "func f(_ age: Ring.Box) { print(age.!value) }",
    "extension Dog { func grow() { age.value! += 1; self.age.value = 3 } }",
    "extension Dog { func grow(age: Ring.Box) { self.age.value = age.!value } }",
    "let path = \\Dog.age.value",
    "func f(_ dogs: [Dog]) -> [Int?] { dogs.map(\\.age.value) }",
    "func f(_ dog: Dog?) { if let dog { dog.age.value = 5 } }",
  ]

  @Test(arguments: known)
  func uses(_ use: String) throws {
    let source = Self.models + use.replacing(".!value", with: ".value")
    let expected = use.replacing(".value", with: "").replacing(".!value", with: ".value")
    let outcome = try Rewriting.outcome(source)
    #expect(outcome.after.string.hasSuffix("\n" + expected), "\(outcome.after.string.suffix(expected.count + 20))")
    #expect(outcome.findings.isEmpty, "\(outcome.findings)")
  }

  @Test(
    "uses that cannot be known are listed, with the line to write",
    arguments: [
      "func f<T: Animal>(_ dog: T) { print(dog.age.value) }",
      "func f(_ dog: Dog) { let age = dog.age; age.value = 1 }",
      "func f() { print(unknown().age.value) }",
    ])
  func unknown(_ use: String) throws {
    let outcome = try Rewriting.outcome(Self.models + use)
    #expect(outcome.after.string.hasSuffix(use) && outcome.findings.map(\.kind) == [.holderUse])
    let report = AdoptionReport([outcome], isDryRun: false)
    #expect(report.findings.first?.line == use)
    #expect(report.findings.first?.replacement == use.replacing(".value", with: ""))
  }
}
