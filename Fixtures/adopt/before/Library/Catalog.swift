import Foundation
@_exported import RealmSwift

public typealias Model = RealmSwift.Object

// A base class of everything in the catalog, through an alias.
open class CatalogEntry: Model {
	@objc open dynamic var signature: String = ""
	@objc open dynamic var acquired: Date = Date(timeIntervalSince1970: 0)

	open override class func primaryKey() -> String? {
		return "signature"
	}

	/// How it is called on the shelf.
	open var shelfName: String {
		return signature.uppercased()
	}
}

/* The most common entry.
   Everything else is an exception. */
@objcMembers
public final class Book: CatalogEntry {
	dynamic var title = ""
	dynamic var pages: Int = 0, year: Int = 1970, /* in stock */ copies = 1
	dynamic var isbn: String? = nil
	dynamic var genre = Genre.novel
	dynamic var cover: Data?
	dynamic var weight: Double = 0
	let authors = List<Author>()
	let keywords = List<String>()
	let ratings: List<Int> = List()
	let translations: Map<String, String> = Map<String, String>()
	let price = RealmProperty<Decimal128?>()
	let remark = RealmProperty<AnyRealmValue>()
	let loans = LinkingObjects(fromType: Loan.self, property: "book")

	// Sorted by what readers look for.
	override public static func indexedProperties() -> [String] {
		return super.indexedProperties() + ["title", #keyPath(Book.year)]
	}

	override public class func ignoredProperties() -> [String] { ["score"] }

	// Made for each search.
	var score: Double = 0

	@objc var isAvailable: Bool {
		get { loans.filter("returned == nil").count < copies }
	}

	override public var shelfName: String {
		"\(genre.rawValue) \(signature)"
	}
}

public enum Genre: String, RealmEnum, CaseIterable {
	case novel, poetry
	case reference = "ref"
}

public class Author: Model {
	@objc dynamic var givenName = ""
	@objc dynamic var familyName = ""
	@objc dynamic var born: Date? /* unknown for many */
	let books = LinkingObjects<Book>(fromType: Book.self, property: "authors")

	// Both names share a line here.
	@objc dynamic var nationality, language: String?

	convenience init(_ givenName: String, _ familyName: String) {
		self.init()
		self.givenName = givenName
		self.familyName = familyName
	}

	override class public func _realmColumnNames() -> [String: String]? {
		return ["givenName": "given_name", "familyName": "family_name"]
	}
}

extension Author {
	@objc var fullName: String { givenName + " " + familyName }

	@objc func isNamed(_ name: String) -> Bool {
		return fullName.lowercased().contains(name.lowercased())
	}

	var initials: String {
		return String(givenName.prefix(1)) + String(familyName.prefix(1))
	}
}
