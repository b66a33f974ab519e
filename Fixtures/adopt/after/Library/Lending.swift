import Foundation
import Larder

extension Library {
	/// A person with a card.
	class Reader: Object {
		@Persisted(primaryKey: true) var card = 0
		@Persisted var name = "" {
			willSet { previousName = name }
			didSet {
				renamings += 1
			}
		}
		@Persisted var address: Address?
		@Persisted var fines: Double?
		@Persisted(originProperty: "reader") var loans: LinkingObjects<Loan>

		var previousName = ""
		var renamings = 0

		#if DEBUG
		@Persisted var debugNote: String? = nil
		#else
		@Persisted var releaseNote: String? = nil
		#endif

		/// Where a person lives; nested, because no other class has one.
		class Address: EmbeddedObject {
			@Persisted var street = ""
			@Persisted var city = ""
			@Persisted var floor: String?
			@Persisted var phones: List<String>
		}
	}
}

/// The namespace of what is not for the catalog.
public enum Library {}

/// That a person has a book.
public class Loan: Object {
	@Persisted
	var book: Book?

	@Persisted
	// The person who has it.
	var reader: Library.Reader?

	/// When it was taken.
	@Persisted
	public var taken = Date()
	@Persisted public var returned: Date?
	@Persisted var extensions: Int8? = 0

	var isOpen: Bool {
		returned == nil
	}

	func extend() {
		extensions! += 1
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
		if let fines = reader.fines {
			lines.append("owes \(fines)")
		}
		for loan in reader.loans where loan.extensions ?? 0 > 1 {
			lines.append("extended \(loan.extensions!) times")
		}
		let open = reader.loans.filter { $0.isOpen }.map { loan in loan.extensions ?? 0 }
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
