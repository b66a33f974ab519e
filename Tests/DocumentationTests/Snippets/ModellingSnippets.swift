import Foundation
import Larder
import TestSupport
import Testing

@Suite("Modelling, by its examples") struct ModellingSnippets {
  // begin: model
  enum Kind: String, PersistableEnum { case novel, essay, reference }

  class Book: Object {
    @Persisted(primaryKey: true) var isbn: String
    @Persisted(indexed: true) var title: String
    @Persisted var kind: Kind = .novel
    @Persisted var pages: Int?
    @Persisted var added = Date()
    @Persisted var publisher: Publisher?
    @Persisted var authors: List<Author>
    @Persisted var tags: MutableSet<String>
    @Persisted var prices: Map<String, Double>
    @Persisted var remark: AnyRealmValue
  }

  class Author: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var name: String
    @Persisted(originProperty: "authors") var books: LinkingObjects<Book>
  }

  class Publisher: EmbeddedObject {
    @Persisted var name: String
    @Persisted var city: String?
  }
  // end: model

  // begin: custom
  struct Celsius: CustomPersistable {
    typealias PersistedType = Double
    var degrees: Double

    init(_ degrees: Double) { self.degrees = degrees }
    init(persistedValue: Double) { degrees = persistedValue }
    var persistableValue: Double { degrees }
  }

  class Reading: Object {
    @Persisted var temperature: Celsius
    @Persisted var limit: Celsius? = Celsius(40)
  }
  // end: custom

  // begin: unique
  class Seat: Object {
    @Persisted var hall: String
    @Persisted var number: Int
    @Persisted var price: Double

    override class var uniqueKeys: [[AnyKeyPath]] { [[\Seat.hall, \Seat.number]] }
    override class var compositeIndexes: [[AnyKeyPath]] { [[\Seat.hall, \Seat.price]] }
  }
  // end: unique

  // begin: names
  class Client: Object {
    @Persisted var givenName: String

    override class func _realmObjectName() -> String? { "Customer" }
    override class func propertiesMapping() -> [String: String] { ["givenName": "first_name"] }
  }
  // end: names

  // begin: projection
  final class BookLine: Projection<Book> {
    @Projected(\Book.title) var title
    @Projected(\Book.publisher?.city) var city
    @Projected(\Book.authors.projectTo.name) var authorNames: ProjectedCollection<String>
  }
  // end: projection

  private let directory: TemporaryDirectory
  private let realm: Realm

  init() throws {
    directory = try TemporaryDirectory()
    realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: directory.url.appendingPathComponent("books.larder"),
        objectTypes: [Book.self, Author.self, Publisher.self, Reading.self, Seat.self, Client.self]))
    let realm = realm
    // begin: create
    try realm.write {
      let author = Author()
      author.name = "Ursula K. Le Guin"
      let book = Book()
      book.isbn = "9780441478125"
      book.title = "The Left Hand of Darkness"
      book.authors.append(author)
      book.tags.insert("winter")
      book.prices["EUR"] = 12.5
      book.remark = .string("signed")
      realm.add(book)

      realm.create(
        Book.self,
        value: [
          "isbn": "9780060512750", "title": "The Dispossessed", "pages": 387, "authors": [author],
          "publisher": ["name": "Harper & Row", "city": "New York"],
        ] as [String: Any])
    }
    // end: create
  }

  @Test func creating() throws {
    // begin: read
    let book = realm.object(ofType: Book.self, forPrimaryKey: "9780060512750")
    print(book?.title ?? "none", book?.publisher?.city ?? "somewhere")
    for other in book?.authors.first?.books ?? LinkingObjects(fromType: Book.self, property: "authors") {
      print(other.title)
    }
    // end: read
    #expect(book?.title == "The Dispossessed" && book?.publisher?.city == "New York" && book?.pages == 387)
    #expect(book?.authors.first?.books.count == 2)
    let first = try #require(realm.objects(Book.self).filter("pages == nil").first)
    #expect(first.prices["EUR"] == 12.5 && first.tags.contains("winter") && first.remark == .string("signed"))
    #expect(first.kind == .novel)
  }

  @Test func updating() throws {
    // begin: update
    try realm.write {
      if let book = realm.object(ofType: Book.self, forPrimaryKey: "9780441478125") {
        book.pages = 304
        book.tags.insert("science fiction")
      }
      realm.create(Book.self, value: ["isbn": "9780441478125", "kind": "essay"], update: .modified)
    }
    // end: update
    let book = try #require(realm.object(ofType: Book.self, forPrimaryKey: "9780441478125"))
    #expect(book.pages == 304 && book.kind == .essay && book.title == "The Left Hand of Darkness")
    // begin: partial
    try realm.write {
      let corrected = Book()
      corrected.isbn = "9780441478125"
      corrected.kind = .novel
      realm.add(corrected, update: .modified, only: [\.kind])
    }
    // end: partial
    #expect(book.pages == 304 && book.kind == .novel && book.title == "The Left Hand of Darkness")
    let other = Book()
    other.isbn = "9780441478125"
    other.pages = 305
    try realm.write { realm.add(other, update: .modified, onlyAssigned: true) }
    #expect(book.pages == 305 && book.title == "The Left Hand of Darkness" && book.tags.count == 2)
  }

  @Test func deleting() throws {
    // begin: delete
    try realm.write {
      realm.delete(realm.objects(Book.self).where { $0.publisher.city == "New York" })
    }
    // end: delete
    #expect(realm.objects(Book.self).count == 1 && realm.objects(Author.self).count == 1)
  }

  @Test func customTypes() throws {
    // begin: custom-use
    try realm.write {
      let reading = Reading()
      reading.temperature = Celsius(21.5)
      realm.add(reading)
    }
    let warm = realm.objects(Reading.self).filter("temperature > 20")
    // end: custom-use
    #expect(warm.first?.temperature.degrees == 21.5 && warm.first?.limit?.degrees == 40)
  }

  @Test func uniqueKeys() throws {
    // begin: unique-use
    try realm.write {
      realm.create(Seat.self, value: ["hall": "A", "number": 1] as [String: Any])
    }
    do {
      try realm.write {
        try realm.throwing.create(Seat.self, value: ["hall": "A", "number": 1] as [String: Any])
      }
    } catch let error as Realm.Error where error.code == .invalidInput {
      print(error.message)
    }
    // end: unique-use
    #expect(realm.objects(Seat.self).count == 1)
  }

  @Test func storedNames() throws {
    try realm.write { realm.create(Client.self, value: ["givenName": "Ada"]) }
    // begin: dynamic
    for customer in realm.dynamicObjects("Customer") {
      print(customer["first_name"] as? String ?? "")
    }
    // end: dynamic
    #expect(realm.dynamicObjects("Customer").first?["first_name"] as? String == "Ada")
    #expect(realm.objects(Client.self).filter("givenName == 'Ada'").count == 1)
  }

  @Test func projecting() throws {
    // begin: projection-use
    for line in realm.objects(BookLine.self).sorted(byKeyPath: "title") {
      print(line.title, line.city ?? "", line.authorNames.joined(separator: ", "))
    }
    // end: projection-use
    let line = try #require(realm.objects(BookLine.self).sorted(byKeyPath: "title").first)
    #expect(line.title == "The Dispossessed" && line.city == "New York" && Array(line.authorNames).count == 1)
  }

  @Test func detaching() throws {
    let book = try #require(realm.object(ofType: Book.self, forPrimaryKey: "9780060512750"))
    // begin: detach
    let copy = book.detached()
    print(copy.realm == nil, copy.authors.first?.name ?? "")
    let alone = book.detached(depth: 0)
    // end: detach
    #expect(copy.realm == nil && copy.authors.count == 1 && alone.authors.isEmpty && alone.publisher != nil)
  }
}
