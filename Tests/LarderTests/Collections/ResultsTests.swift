import Foundation
import TestSupport
import Testing

@testable import Larder

@Suite struct ResultsTests {
  func populated() throws -> Realm {
    let realm = try makeRealm()
    try realm.write {
      for id in 0..<50 {
        let person = Person(id: id, name: "p\(id % 10)", age: id % 7)
        person.score = Double(id) / 2
        realm.add(person)
      }
    }
    return realm
  }

  @Test("R-10 and R-12 results are lazy and follow every change")
  func liveness() throws {
    let realm = try populated()
    let young = realm.objects(Person.self).filter("age < %@ AND name BEGINSWITH 'p'", 3)
    #expect(young.count == young.map { $0.age }.count && young.allSatisfy { $0.age < 3 })
    let before = young.count
    try realm.write {
      young[0].age = 5
      #expect(young.count == before - 1)
      realm.add(Person(id: 100, name: "px", age: 1))
      #expect(young.count == before)
    }
    #expect(young.last?.id == 100)
  }

  @Test("Q-150 sorting, R-15 first and last")
  func sorting() throws {
    let realm = try populated()
    let sorted = realm.objects(Person.self).sorted(by: [
      SortDescriptor(keyPath: "age", ascending: false), SortDescriptor(keyPath: \Person.id),
    ])
    #expect(sorted.first?.id == 6 && sorted.last?.id == 49)
    #expect(sorted.map(\.age) == sorted.map(\.age).sorted(by: >))
    #expect(realm.objects(Person.self).sorted(byKeyPath: "score", ascending: false)[1].id == 48)
    #expect(realm.objects(Person.self).filter("id > 1000").first == nil)
    #expect(realm.objects(Person.self).distinct(by: ["age"]).count == 7)
  }

  @Test(
    "isEmpty and contains look at one object only; explain says what was done",
    .notUnder(.rowByRow, "it looks at plans"))
  func earlyAnswers() throws {
    let realm = try populated()
    let people = realm.objects(Person.self)
    let few = people.filter("name == 'p3'").sorted(byKeyPath: "age")
    let (third, fourth) = (try #require(people.filter("id == 3").first), try #require(people.filter("id == 4").first))
    #expect(!few.isEmpty && people.filter("name == 'q'").isEmpty && realm.objects(Dog.self).isEmpty)
    #expect(few.contains(third) && !few.contains(fourth) && !few.contains(Person(id: 3)))
    #expect(people.distinct(by: ["age"]).contains(fourth) && !people.distinct(by: ["name"]).contains(people[13]))
    let plan = try people.filter("name == 'p3' AND score > 1000").explain()
    #expect(plan.root.rows == 0 && plan.description.contains("where"), "\(plan)")
    let sorted = try people.sorted(byKeyPath: "name").explain(limit: 3)
    #expect(sorted.root.rows == 3 && sorted.root.inputs.first?.inputs.first?.text == "order of index name", "\(sorted)")
    #expect(sorted.objectsExamined == 0 && sorted.root.estimatedRows == nil)
    try realm.write { few[0].dogs.append(Dog(name: "d")) }
    let tags = try #require(few[0].dogs.first).tags
    #expect(throws: Realm.Error.self) { try tags.sorted().explain() }
    try realm.write { realm.delete(third) }
    #expect(!few.contains(third))
  }

  @Test("Q-170 aggregates")
  func aggregates() throws {
    let people = try populated().objects(Person.self)
    #expect(people.sum(ofProperty: "id") as Int == 49 * 25 && people.sum(of: \.id) == 49 * 25)
    #expect(people.max(of: \.score) == 24.5 && people.min(ofProperty: "age") as Int? == 0)
    #expect(people.average(ofProperty: "score") as Double? == 12.25)
    let none = people.filter("id < 0")
    #expect(none.max(of: \.score) == nil && none.sum(of: \.score) == 0 && none.average(of: \.score) == nil)
  }

  @Test("R-31 a loop over results visits what there was when it began")
  func iteration() throws {
    let realm = try populated()
    let zero = realm.objects(Person.self).filter("age == 0")
    let count = zero.count
    var visited = 0
    for person in zero {
      try realm.write { person.age = 9 }
      visited += 1
    }
    #expect(visited == count && zero.count == 0)
    try realm.write {
      let nine = realm.objects(Person.self).filter("age == 9")
      for person in nine { realm.delete(person) }
      #expect(nine.isEmpty)
    }
    #expect(realm.objects(Person.self).count == 50 - count)
  }

  @Test("R-16 positions of objects and of the first match")
  func positions() throws {
    let realm = try populated()
    let people = realm.objects(Person.self)
    let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 7))
    #expect(people.index(of: person) == 7 && people.index(of: Person(id: 7)) == nil)
    #expect(people.index(matching: "id == %@", 9) == 9 && people.index(matching: "id == -1") == nil)
    #expect(people.objects(at: [1, 3]).map(\.id) == [1, 3])
  }

  @Test("NSPredicate in the format language, alone and in compounds")
  func predicates() throws {
    let people = try populated().objects(Person.self)
    let young = NSPredicate(format: "age < %@", 2)
    let named = NSPredicate(format: "name == %@", "p1")
    let expected = people.filter { $0.age < 2 && $0.name == "p1" }.map(\.id)
    let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [young, named])
    #expect(people.filter(compound).map(\.id) == Array(expected))
    #expect(people.filter(NSCompoundPredicate(notPredicateWithSubpredicate: young)).allSatisfy { $0.age >= 2 })
  }

  @Test("E-130 a predicate that does not fit throws where throwing is asked for")
  func throwing() throws {
    let people = try populated().objects(Person.self)
    #expect(try people.query("age > 1").count == people.filter("age > 1").count)
    #expect(throws: (any Error).self) { try people.query("agee > 1") }
    #expect(throws: (any Error).self) { try people.query("age >") }
    #expect(throws: (any Error).self) { try people.query("age > 'x'") }
  }

  @Test("Links and lists in predicates, objects as arguments")
  func links() throws {
    let realm = try makeRealm()
    let ada = Person(id: 1, name: "Ada", age: 30)
    try realm.write {
      let rex = Dog(name: "Rex")
      rex.owner = ada
      rex.tags.append(objectsIn: ["big", "brown"])
      ada.dogs.append(rex)
      realm.add(ada)
      realm.add(Dog(name: "Stray"))
    }
    let dogs = realm.objects(Dog.self)
    #expect(dogs.filter("owner == %@", ada).first?.name == "Rex" && dogs.filter("owner == nil").first?.name == "Stray")
    #expect(dogs.filter("owner.age > 20").count == 1 && dogs.filter("ANY tags == 'big'").count == 1)
    #expect(realm.objects(Person.self).filter("ANY dogs.name CONTAINS[c] 'RE'").count == 1)
    #expect(ada.dogs.filter("name == 'Rex'").count == 1 && ada.dogs.sorted(byKeyPath: "name").first?.name == "Rex")
    #expect(dogs.filter("kind == %@", Kind.plain).count == 2)
  }
}
