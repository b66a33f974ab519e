import Foundation
import Larder

/// Larder through its public API alone, as a program would use it. A commit is durable.
final class LarderPeer: Peer {
  static let name = "larder"

  private let path: String
  private let durability: Realm.Durability
  private let indexed: Bool
  private var realm: Realm?
  private var linked: Realm?
  private var people: Results<Person>?
  private var token: NotificationToken?
  private var deliveries = 0
  private var changes = 0

  convenience init(directory: String, indexed: Bool) throws {
    try self.init(directory: directory, indexed: indexed, durability: .full)
  }

  init(directory: String, indexed: Bool, durability: Realm.Durability) throws {
    path = directory + "/person.larder"
    self.indexed = indexed
    self.durability = durability
    realm = try Self.open(directory, [indexed ? IndexedPerson.self : Person.self], durability)
  }

  /// Opens a store of some classes; the file is the same for all.
  static func open(
    _ directory: String, _ types: [ObjectBase.Type], _ durability: Realm.Durability = .full
  ) throws -> Realm {
    let url = URL(fileURLWithPath: directory + "/person.larder")
    var configuration = Realm.Configuration(fileURL: url, objectTypes: types)
    configuration.durability = durability
    return try Realm(configuration: configuration)
  }

  func insert(_ rows: [PersonRow]) throws {
    let realm = try open()
    if indexed {
      try realm.write { for row in rows { realm.add(IndexedPerson(row)) } }
    } else {
      try realm.write { for row in rows { realm.add(Person(row)) } }
    }
  }

  func readAll() throws -> Answer {
    var digest = RowDigest()
    for person in try open().objects(Person.self) {
      digest.add(
        id: person.id, nameLength: person.name.utf8.count, age: person.age, score: person.score,
        active: person.active, created: Int(person.created.timeIntervalSince1970),
        emailLength: person.email.utf8.count)
    }
    return digest.answer
  }

  func lookup(_ ids: [Int]) throws -> Answer {
    let realm = try open()
    var digest = OrderDigest()
    for id in ids {
      if let person = realm.object(ofType: Person.self, forPrimaryKey: id) { digest.add(person.name.utf8.count) }
    }
    return digest.answer
  }

  func countScan() throws -> Answer { Answer(try open().objects(Person.self).filter("age > 50").count) }

  func compoundScan() throws -> Answer {
    var digest = SetDigest()
    let found = try open().objects(Person.self)
      .filter("name BEGINSWITH 'ab' OR (score < 0.1 AND active == true)")
    for person in found { digest.add(person.id) }
    return digest.answer
  }

  func countNames(_ names: [String]) throws -> Answer {
    let people = try open().objects(Person.self)
    return Answer(
      names.count == 1 ? people.filter("name == %@", names[0]).count : people.filter("name IN %@", names).count)
  }

  func insertCities(_ data: CityData) throws {
    let url = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("cities.larder")
    let realm = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: [Country.self, City.self]))
    try realm.write {
      let countries = data.countries.enumerated().map { number, name in
        realm.create(Country.self, value: ["id": number, "name": name])
      }
      for row in data.cities { realm.add(City(row, countries[row.country])) }
    }
    linked = realm
  }

  func countCities(inCountries names: [String]) throws -> Answer {
    guard let cities = linked?.objects(City.self) else { throw BenchmarkError("larder: no cities") }
    var digest = OrderDigest()
    for name in names { digest.add(cities.filter("country.name == %@", name).count) }
    return digest.answer
  }

  func countIndexed(_ ages: [Int]) throws -> Answer {
    let people = try open().objects(IndexedPerson.self)
    var digest = OrderDigest()
    for age in ages { digest.add(people.filter("age == %@", age).count) }
    return digest.answer
  }

  func lookupIndexed(_ names: [String]) throws -> Answer {
    let people = try open().objects(IndexedPerson.self)
    var digest = OrderDigest()
    for name in names {
      if let person = people.filter("name == %@", name).first { digest.add(person.id) }
    }
    return digest.answer
  }

  func top100() throws -> Answer {
    var digest = OrderDigest()
    for person in try open().objects(Person.self).sorted(byKeyPath: "name").prefix(100) { digest.add(person.id) }
    return digest.answer
  }

  func sort2() throws -> Answer {
    var digest = OrderDigest()
    let sorted = try open().objects(Person.self)
      .sorted(by: [SortDescriptor(keyPath: "age"), SortDescriptor(keyPath: "score")])
    for person in sorted { digest.add(person.id) }
    return digest.answer
  }

  func aggregate() throws -> Answer {
    let people = try open().objects(Person.self)
    var answer = Answer()
    answer.append(people.sum(ofProperty: "score") as Double)
    answer.append(people.average(ofProperty: "score") ?? .nan)
    answer.append(people.min(ofProperty: "score") as Double? ?? .nan)
    answer.append(people.max(ofProperty: "score") as Double? ?? .nan)
    return answer
  }

  func update(_ updates: [(id: Int, age: Int)]) throws {
    let realm = try open()
    try realm.write {
      if indexed {
        for change in updates { realm.object(ofType: IndexedPerson.self, forPrimaryKey: change.id)?.age = change.age }
      } else {
        for change in updates { realm.object(ofType: Person.self, forPrimaryKey: change.id)?.age = change.age }
      }
    }
  }

  func delete(_ ids: [Int]) throws {
    let realm = try open()
    try realm.write {
      for id in ids {
        if indexed {
          if let person = realm.object(ofType: IndexedPerson.self, forPrimaryKey: id) { realm.delete(person) }
        } else {
          if let person = realm.object(ofType: Person.self, forPrimaryKey: id) { realm.delete(person) }
        }
      }
    }
  }

  func commitEach(_ rows: ArraySlice<PersonRow>) throws {
    let realm = try open()
    for row in rows { try realm.write { realm.add(Person(row)) } }
  }

  func commitNames(_ changes: [PersonRow]) throws {
    let realm = try open()
    for change in changes {
      try realm.write { realm.object(ofType: Person.self, forPrimaryKey: change.id)?.name = change.name }
    }
  }

  func beginFollowing(scoreBelow limit: Double) throws -> Bool {
    let people = try open().objects(Person.self).filter("score < %@", limit).sorted(byKeyPath: "name")
    self.people = people
    deliveries = 0
    token = people.observe { [unowned self] change in
      deliveries += 1
      if case .update(_, let deletions, let insertions, let modifications) = change {
        changes += deletions.count + insertions.count + modifications.count
      }
    }
    try waitOnMainRunLoop("larder") { deliveries > 0 }
    return true
  }

  func changeAndFollow(_ changes: [(id: Int, name: String)]) throws -> Spent {
    let realm = try open()
    let before = deliveries
    realm.beginWrite()
    for change in changes { realm.object(ofType: Person.self, forPrimaryKey: change.id)?.name = change.name }
    return try Stopwatch.measure {
      try realm.commitWrite()
      try waitOnMainRunLoop("larder") { deliveries > before }
    }
  }

  func followedMatches() throws -> Answer {
    var digest = OrderDigest()
    if let people { for person in people { digest.add(person.id) } }
    return digest.answer
  }

  func rerun(scoreBelow limit: Double) throws -> Answer? {
    var digest = OrderDigest()
    for person in try open().objects(Person.self).filter("score < %@", limit).sorted(byKeyPath: "name") {
      digest.add(person.id)
    }
    return digest.answer
  }

  func endFollowing() {
    token?.invalidate()
    token = nil
    people = nil
  }

  func contents() throws -> Answer {
    let realm = try open()
    if indexed {
      let people = realm.objects(IndexedPerson.self)
      return Answer(people.count, people.sum(ofProperty: "id"), people.sum(ofProperty: "age"))
    }
    return Self.peopleContents(realm)
  }

  /// Returns the contents that every peer's store of people must have.
  static func peopleContents(_ realm: Realm) -> Answer {
    let people = realm.objects(Person.self)
    return Answer(people.count, people.sum(ofProperty: "id"), people.sum(ofProperty: "age"))
  }

  func fileBytes() throws -> Int { try fileSize(path) }

  func close() throws {
    endFollowing()
    realm?.invalidate()
    realm = nil
    linked?.invalidate()
    linked = nil
  }

  private func open() throws -> Realm {
    guard let realm else { throw BenchmarkError("larder: the store is closed") }
    return realm
  }
}

/// The model: primary key only.
final class Person: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var score: Double
  @Persisted var active: Bool
  @Persisted var created: Date
  @Persisted var email: String

  convenience init(_ row: PersonRow) {
    self.init()
    id = row.id
    name = row.name
    age = row.age
    score = row.score
    active = row.active
    created = Date(timeIntervalSince1970: Double(row.created))
    email = row.email
  }
}

/// The same model with indexes on age and name.
final class IndexedPerson: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted(indexed: true) var age: Int
  @Persisted var score: Double
  @Persisted var active: Bool
  @Persisted var created: Date
  @Persisted var email: String

  convenience init(_ row: PersonRow) {
    self.init()
    id = row.id
    name = row.name
    age = row.age
    score = row.score
    active = row.active
    created = Date(timeIntervalSince1970: Double(row.created))
    email = row.email
  }
}

/// A country, found by a name that has no index.
final class Country: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
}

/// A city in a country.
final class City: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var country: Country?

  convenience init(_ row: CityRow, _ country: Country) {
    self.init()
    id = row.id
    name = row.name
    self.country = country
  }
}
