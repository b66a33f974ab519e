import Foundation
import Testing

@testable import Larder

/// A predicate that cannot be used, and what its error says.
private struct WrongPredicate: CustomTestStringConvertible, Sendable {
  var rule: String
  var text: String
  var argument: Int?
  var parts: [String]

  var testDescription: String { "\(rule): \(text)" }

  init(_ rule: String, _ text: String, _ argument: Int? = nil, says parts: String) {
    self.rule = rule
    self.text = text
    self.argument = argument
    self.parts = parts.split(separator: "|").map(String.init)
  }
}

/// Covers E-100 to E-115: what is wrong with a query is thrown when it is made, with the class, the property and the place.
@Suite("Errors of queries") struct QueryErrorTests {
  private let realm: Realm

  init() throws { realm = try makeRealm() }

  private static let predicates: [WrongPredicate] = [
    .init("E-100", "age >", says: "ends too early: expected a property or a value (at position 5)"),
    .init("E-100", "(age > 3", says: "The parenthesis is not closed (at position 0)"),
    .init("E-100", "age > 3 AND", says: "ends too early|(at position 11)"),
    .init("E-100", "name == 'a", says: "The string is not closed (at position 8)"),
    .init("E-101", "agee > 3", says: "'Person' has no property 'agee'|Did you mean 'age'?"),
    .init("E-101", "best.agee > 3", says: "'Person' has no property 'agee' (in 'best.agee') (at position 5)"),
    .init("E-101", "name.x == 1", says: "'Person.name' is no link"),
    .init(
      "E-102", "age CONTAINS 'x'", says: "CONTAINS is not available for the Int property 'Person.age' (at position 4)"),
    .init(
      "E-102", "created BEGINSWITH 'x'", says: "BEGINSWITH is not available for the Date property 'Person.created'"),
    .init("E-102", "score LIKE 'x'", says: "LIKE is not available for the Double property 'Person.score'"),
    .init("E-103", "age == 'x'", says: "'Person.age' is Int, compared with String (at position 7)"),
    .init("E-103", "name == 3", says: "'Person.name' is String, compared with Int"),
    .init("E-103", "created == 5", says: "'Person.created' is Date, compared with Int"),
    .init("E-104", "dogs.name == 'a'", says: "'dogs.name' leads through a collection: write ANY or NONE before it"),
    .init("E-105", "ANY dogs.name == best.dogs.name", says: "Two properties are compared without ANY or NONE"),
    .init("E-105", "ANY name == 'x'", says: "ANY needs a path through a collection; 'name' has one value"),
    .init("E-105", "ALL dogs.owner.dogs.name == 'x'", says: "ALL is not supported"),
    .init("E-106", "SUBQUERY(dogs, $d, $d.name == 'a').name == 'b'", says: "Expected '@count', found 'name'"),
    .init("E-106", "SUBQUERY(dogs, $d, $x.name == 'a').@count > 0", says: "The variable '$x' is not bound here"),
    .init("E-107", "name MATCHES 'a.*'", says: "MATCHES is not supported (at position 5)"),
    .init("E-107", "soundex(name) == 'A'", says: "There is no function 'soundex'"),
    .init("E-108", "age BETWEEN {1}", says: "BETWEEN needs two values, not 1"),
    .init("E-108", "age IN 3", says: "IN needs a collection on its right, not Int"),
    .init("E-109", "age > %@", says: "Argument 1 is missing (at position 6)"),
    .init("E-109", "age > 3", 4, says: "1 arguments were given, but the predicate has 0 placeholders"),
    .init("E-109", "%K == 3", 5, says: "%K|takes a key path, argument 1 is Int"),
  ]

  @Test("E-100 to E-109, E-130: predicates that cannot be throw one kind of error", arguments: predicates)
  private func predicate(_ wrong: WrongPredicate) throws {
    let people = realm.objects(Person.self)
    func found(_ error: Realm.Error?) {
      for part in wrong.parts { #expect(error?.message.contains(part) == true, "\(String(describing: error))") }
      #expect(error?.code == .invalidInput)
    }
    if let argument = wrong.argument {
      found(#expect(throws: Realm.Error.self) { try people.throwing.filter(wrong.text, argument) })
      found(#expect(throws: Realm.Error.self) { try people.query(wrong.text, argument) })
    } else {
      found(#expect(throws: Realm.Error.self) { try people.throwing.filter(wrong.text) })
      found(#expect(throws: Realm.Error.self) { try people.query(wrong.text) })
    }
  }

  @Test("E-107: a predicate that is a closure cannot be distinguished from its text") func closures() throws {
    let error = #expect(throws: Realm.Error.self) {
      try realm.objects(Person.self).throwing.filter(NSPredicate { _, _ in true })
    }
    #expect(error?.message.isEmpty == false)
  }

  @Test("E-110: objects of another class or another Realm are nothing to compare with; deleted ones equal nothing")
  func objects() throws {
    let people = realm.objects(Person.self)
    let dog = try realm.write { realm.create(Dog.self) }
    let foreign = try makeRealm()
    let theirs = try foreign.write { foreign.create(Person.self) }
    let gone = try realm.write { realm.create(Person.self, value: ["id": 9]) }
    try realm.write {
      realm.create(Person.self, value: ["id": 1, "best": ["id": 2]] as [String: Any])
      realm.delete(gone)
    }
    let otherClass = #expect(throws: Realm.Error.self) { try people.throwing.filter("best == %@", dog) }
    #expect(otherClass?.message.contains("'Person.best' links to 'Person', compared with 'Dog'") == true)
    let otherRealm = #expect(throws: Realm.Error.self) { try people.throwing.filter("best == %@", theirs) }
    #expect(otherRealm?.message.contains("Use an object of this Realm") == true)
    #expect(people.filter("best == %@", gone).isEmpty)
  }

  @Test("E-111: queries in Swift that no predicate can say") func swift() throws {
    let people = realm.objects(Person.self)
    let mixed = #expect(throws: Realm.Error.self) {
      try people.throwing.where { ($0.dogs.name == "a" && $0.best.dogs.name == "b").count > 1 }
    }
    #expect(mixed?.message == "A subquery is about one collection, not about 'dogs' and 'best.dogs'.")
  }

  @Test("E-112 and E-113: what cannot be sorted by, or told apart by") func ordering() throws {
    let people = realm.objects(Person.self)
    for (path, part) in [
      ("agee", "'Person' has no property 'agee'"), ("best.agee", "'Person' has no property 'agee'"),
      ("dogs.name", "it leads through a collection"), ("dogs", "it leads through a collection"),
      ("best", "object properties have no order"), ("address", "object properties have no order"),
      ("name.x", "'Person.name' is no link"), ("", "the key path has an empty component"),
    ] {
      let sorted = #expect(throws: Realm.Error.self, "\(path)") { try people.throwing.sorted(byKeyPath: path) }
      #expect(sorted?.message.contains(part) == true, "\(path): \(String(describing: sorted))")
    }
    for path in ["agee", "best.agee", "dogs.name", "dogs", "name.x", ""] {
      let distinct = #expect(throws: Realm.Error.self, "\(path)") { try people.throwing.distinct(by: [path]) }
      #expect(distinct?.message.contains("'") == true)
    }
  }

  @Test("E-112 and E-0c: the plain form ends the process with the text that the throwing form throws") func plain()
    async
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try makeRealm().objects(Person.self).sorted(byKeyPath: "dogs.name")
    }
    #expect(misuseText(result).contains("Cannot sort 'Person' by 'dogs.name': it leads through a collection"))
  }

  @Test("E-114: sections need a sort, by their key first; E-115: and keys that can be stored") func sections() async {
    let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try makeRealm().objects(Person.self).sectioned(sortDescriptors: []) { $0.name }
    }
    #expect(misuseText(none).contains("Sections need at least one sort descriptor"))
    let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try makeRealm().objects(Person.self).sectioned(by: \.name, sortDescriptors: [SortDescriptor(keyPath: "age")])
    }
    #expect(misuseText(other).contains("The section key path must match the primary sort descriptor"))
    let link = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      try realm.write { realm.add(Person(id: 1)) }
      _ = realm.objects(Person.self).sectioned(by: { $0.best }, sortDescriptors: [SortDescriptor(keyPath: "age")]).count
    }
    #expect(misuseText(link).contains("are not supported as section keys"))
  }
}
