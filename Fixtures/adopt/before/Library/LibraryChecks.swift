import Foundation
import class RealmSwift.Decimal128
import struct RealmSwift.Realm
import RealmSwift

public struct LibraryFailure: Error, CustomStringConvertible {
	public let description: String
}

private func expect<T: Equatable>(_ value: T, _ expected: T, line: Int = #line) throws {
	if value != expected { throw LibraryFailure(description: "LibraryChecks, line \(line): \(value) and not \(expected)") }
}

public class LibraryChecks {
	private let realm: Realm
	private lazy var books: Results<Book> = realm.objects(Book.self)
	private lazy var readers = realm.objects(Library.Reader.self).sorted(byKeyPath: #keyPath(Library.Reader.card))

	public init() throws {
		realm = try Realm(
			configuration: Realm.Configuration(
				inMemoryIdentifier: "library",
				objectTypes: [Book.self, Author.self, Loan.self, Library.Reader.self, Library.Reader.Address.self]))
	}

	public func run() throws {
		try fill()
		try catalog()
		try lending()
		try renaming()
	}

	private func fill() throws {
		let author = Author("Ursula", "Le Guin")
		author.language = "en"
		let book = Book()
		book.signature = "leg-1"
		book.title = "The Dispossessed"
		book.pages = 387
		book.year = 1974
		book.copies = 2
		book.genre = .reference
		book.authors.append(author)
		book.keywords.append(objectsIn: ["anarchism", "physics"])
		book.ratings.append(5)
		book.translations["de"] = "Planet der Habenichtse"
		book.price.value = try Decimal128(string: "12.50")
		book.remark.value = .string("signed")
		let reader = Library.Reader()
		reader.card = 3
		reader.name = "Bo"
		let address = Library.Reader.Address()
		address.city = "Oslo"
		address.phones.append("555")
		reader.address = address
		try realm.write {
			realm.add([book])
			realm.add(reader)
			let loan = realm.create(Loan.self, value: ["book": book, "reader": reader])
			loan.extend()
			loan.extend()
		}
	}

	private func catalog() throws {
		let book: Book = try first(books)
		try expect(book.shelfName, "ref leg-1")
		try expect(book.authors.first?.fullName, "Ursula Le Guin")
		try expect(book.authors.first?.initials, "UL")
		try expect(book.authors.first?.isNamed("guin"), true)
		try expect(book.authors.first?.books.count, 1)
		try expect(book.authors.first?.language, "en")
		try expect(book.authors.first?.nationality, nil)
		try expect(book.price.value, try Decimal128(string: "12.5"))
		try expect(book.remark.value.stringValue, "signed")
		try expect(book.translations["de"], "Planet der Habenichtse")
		try expect(book.ratings.sum(), 5)
		try expect(book.pages + book.year + book.copies, 387 + 1974 + 2)
		try expect(book.isAvailable, true)
		try expect(books.filter("ANY keywords == 'physics' AND year < %@", 1980).count, 1)
		let schema = try first([realm.schema["Book"]].compactMap { $0 })
		try expect(schema.primaryKeyProperty?.name, "signature")
		try expect(schema.properties.filter { $0.isIndexed }.map { $0.name }.sorted(), ["signature", "title", "year"])
		try expect(schema["score"] == nil, true)
		let author = try first([realm.schema["Author"]].compactMap { $0 })
		try expect(author.properties.map { $0.columnName }.sorted().prefix(3), ["born", "family_name", "given_name"])
	}

	private func lending() throws {
		let reader: Library.Reader = try first(readers)
		try expect(reader.address?.city, "Oslo")
		try expect(reader.address?.phones.first, "555")
		try expect(reader.fines.value, nil)
		try realm.write {
			reader.fines.value = 2.5
			readers.first?.fines.value! += 0.5
		}
		var report = FineReport(reader: reader)
		report.collect()
		try expect(report.lines, ["owes 3.0", "extended 2 times", "1 open"])
		try expect(total(of: [Measure(value: 1, fines: Measure.Amount(value: 4))]), 4)
	}

	/// Observers of properties are called for objects that are not in a store.
	private func renaming() throws {
		let reader = Library.Reader()
		reader.name = "Kim"
		reader.name = "Kay"
		try expect(reader.previousName, "Kim")
		try expect(reader.renamings, 2)
	}

	private func first<C: Collection>(_ values: C) throws -> C.Element {
		guard let value = values.first else { throw LibraryFailure(description: "nothing there") }
		return value
	}
}
