import Foundation
@_exported import Larder

public typealias Model = Larder.Object

// A base class of everything in the catalog, through an alias.
open class CatalogEntry: Model {
	@Persisted(primaryKey: true) open var signature: String = ""
	@Persisted open var acquired: Date = Date(timeIntervalSince1970: 0)

	/// How it is called on the shelf.
	open var shelfName: String {
		return signature.uppercased()
	}
}

/* The most common entry.
   Everything else is an exception. */
public final class Book: CatalogEntry {
	@Persisted(indexed: true) var title = ""
	@Persisted var pages: Int = 0
	@Persisted(indexed: true) var year: Int = 1970
	/* in stock */ @Persisted var copies = 1
	@Persisted var isbn: String? = nil
	@Persisted var genre = Genre.novel
	@Persisted var cover: Data?
	@Persisted var weight: Double = 0
	@Persisted var authors: List<Author>
	@Persisted var keywords: List<String>
	@Persisted var ratings: List<Int>
	@Persisted var translations: Map<String, String>
	@Persisted var price: Decimal128?
	@Persisted var remark: AnyRealmValue
	@Persisted(originProperty: "book") var loans: LinkingObjects<Loan>

	// Sorted by what readers look for.

	// Made for each search.
	var score: Double = 0

	var isAvailable: Bool {
		get { loans.filter("returned == nil").count < copies }
	}

	override public var shelfName: String {
		"\(genre.rawValue) \(signature)"
	}
}

public enum Genre: String, PersistableEnum, CaseIterable {
	case novel, poetry
	case reference = "ref"
}

public class Author: Model {
	@Persisted var givenName = ""
	@Persisted var familyName = ""
	@Persisted var born: Date? /* unknown for many */
	@Persisted(originProperty: "authors") var books: LinkingObjects<Book>

	// Both names share a line here.
	@Persisted var nationality: String?
	@Persisted var language: String?

	convenience init(_ givenName: String, _ familyName: String) {
		self.init()
		self.givenName = givenName
		self.familyName = familyName
	}

	override class public func propertiesMapping() -> [String: String] {
		return ["givenName": "given_name", "familyName": "family_name"]
	}
}

extension Author {
	var fullName: String { givenName + " " + familyName }

	func isNamed(_ name: String) -> Bool {
		return fullName.lowercased().contains(name.lowercased())
	}

	var initials: String {
		return String(givenName.prefix(1)) + String(familyName.prefix(1))
	}
}
