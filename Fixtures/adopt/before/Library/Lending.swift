import Foundation
import RealmSwift

extension Library {
	/// A person with a card.
	class Reader: Object {
		@objc dynamic var card = 0
		@objc dynamic var name = "" {
			willSet { previousName = name }
			didSet {
				renamings += 1
			}
		}
		@objc dynamic var address: Address?
		let fines = RealmOptional<Double>()
		let loans = LinkingObjects(fromType: Loan.self, property: "reader")

		var previousName = ""
		var renamings = 0

		#if DEBUG
		@objc dynamic var debugNote: String? = nil
		#else
		@objc dynamic var releaseNote: String? = nil
		#endif

		override static func primaryKey() -> String? { "card" }

		override static func ignoredProperties() -> [String] {
			["previousName", "renamings"]
		}

		/// Where a person lives; nested, because no other class has one.
		@objcMembers
		class Address: EmbeddedObject {
			dynamic var street = ""
			dynamic var city = ""
			dynamic var floor: String?
			let phones = List<String>()
		}
	}
}

/// The namespace of what is not for the catalog.
public enum Library {}

/// That a person has a book.
public class Loan: Object {
	@objc
	dynamic var book: Book?

	@objc
	// The person who has it.
	dynamic var reader: Library.Reader?

	/// When it was taken.
	@objc
	public dynamic var taken = Date()
	@objc public dynamic var returned: Date?
	let extensions = RealmOptional<Int8>(0)

	var isOpen: Bool {
		returned == nil
	}

	func extend() {
		extensions.value! += 1
	}
}

/// Tells of fines without knowing readers.
struct FineReport {
	var reader: Library.Reader
	var lines: [String] = []

	init(reader: Library.Reader) {
		self.reader = reader
	}

	mutating func collect() {
		if let fines = reader.fines.value {
			lines.append("owes \(fines)")
		}
		for loan in reader.loans where loan.extensions.value ?? 0 > 1 {
			lines.append("extended \(loan.extensions.value!) times")
		}
		let open = reader.loans.filter { $0.isOpen }.map { loan in loan.extensions.value ?? 0 }
		lines.append("\(open.count) open")
	}
}

/// A value of another kind that is also called `value`: it must stay.
struct Measure {
	var value: Double
	var fines: Amount
	struct Amount {
		var value: Int
	}
}

func total(of measures: [Measure]) -> Int {
	measures.reduce(0) { $0 + $1.fines.value }
}
