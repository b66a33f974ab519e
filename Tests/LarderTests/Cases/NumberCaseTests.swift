import Foundation
import Larder
import Testing

class CaseNumber: Object {
  @Persisted var number: Int
  @Persisted var small: Int8
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var optional: Double?
  @Persisted var decimal: Decimal128
  @Persisted(indexed: true) var large: Int
  @Persisted(indexed: true) var date: Date
  @Persisted var plainDate: Date
  @Persisted var mixed: AnyRealmValue
  @Persisted var floats: List<Float>
  @Persisted var values: List<AnyRealmValue>
  @Persisted var valueSet: MutableSet<AnyRealmValue>
  @Persisted var decimalSet: MutableSet<Decimal128>
}

/// Questions about numbers and dates from public reports of databases. The answers were written down before the first run.
@Suite("Reported cases: numbers, dates, values of any type") struct NumberCaseTests {
  private let realm: Realm
  private var all: Results<CaseNumber> { realm.objects(CaseNumber.self) }

  init() throws {
    realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [CaseNumber.self]))
  }

  private func fill(_ count: Int, _ set: (CaseNumber, Int) throws -> Void) throws {
    try realm.write {
      realm.deleteAll()
      for number in 0..<count {
        let object = CaseNumber()
        object.number = number
        try set(object, number)
        realm.add(object)
      }
    }
  }

  private func numbers(_ format: String, _ arguments: Any...) -> [Int] {
    all.filter(NSPredicate(format: format, argumentArray: arguments)).map(\.number)
  }

  private func order(_ property: String, ascending: Bool = true) -> [Int] {
    all.sorted(byKeyPath: property, ascending: ascending).map(\.number)
  }

  @Test("means and sums do not overflow")
  func overflow() throws {
    try fill(3) { object, number in
      object.large = .max
      object.small = [127, 127, -1][number]
    }
    #expect(all.average(ofProperty: "large") as Double? == 9.223372036854776e+18)
    #expect(all.sum(ofProperty: "small") as Int == 253)
  }

  @Test("a Float is compared as what it is, also with constants that it cannot hold")
  func floats() throws {
    try fill(3) { object, number in
      object.float = [1.1, 1.2, 16_777_216][number]
      object.floats.append(objectsIn: [1.1, 1.1])
    }
    #expect(all[0].floats.sum() as Float == Float(1.1) + Float(1.1))
    #expect(numbers("float == 1.1") == [0])
    #expect(numbers("float == 16777216") == [2])
    #expect(numbers("float IN {1.1, 1.2}") == [0, 1])
    #expect(numbers("float BETWEEN {1.1, 1.2}") == [0, 1])
    #expect(numbers("float > 1.1 AND float < 1.2") == [])
  }

  @Test("NaN has a place in orders, fits no comparison, and is no maximum")
  func notANumber() throws {
    try fill(6) { object, number in
      object.double = [1, .nan, -1, -.nan, .infinity, -.infinity][number]
      object.optional = number == 0 ? nil : object.double
    }
    #expect(order("double") == [1, 3, 5, 2, 0, 4])
    #expect(order("optional") == [0, 1, 3, 5, 2, 4])
    #expect(order("double", ascending: false) == [4, 0, 2, 5, 1, 3])
    #expect(numbers("double > 0") == [0, 4])
    #expect(numbers("double < 0") == [2, 5])
    #expect(numbers("double >= 0 OR double < 0") == [0, 2, 4, 5])
    #expect(numbers("double BETWEEN {-10, 10}") == [0, 2])
    #expect(numbers("double != 0") == [0, 1, 2, 3, 4, 5])
    #expect(numbers("NOT (double > 0)") == [1, 2, 3, 5])
    #expect(numbers("double == %@", Double.nan) == [])
    #expect(all.max(ofProperty: "double") as Double? == .infinity)
    #expect(all.min(ofProperty: "double") as Double? == -.infinity)
  }

  @Test("decimals are equal by value, however they are written")
  func decimals() throws {
    try fill(5) { object, number in
      object.decimal = try Decimal128(string: ["1.0", "1.00", "0.1", "-0", "1E+1"][number])
    }
    #expect(numbers("decimal == 1") == [0, 1])
    #expect(numbers("decimal == %@", "1.000") == [0, 1])
    #expect(numbers("decimal == 10") == [4])
    #expect(numbers("decimal == 0") == [3])
    #expect(order("decimal") == [3, 2, 0, 1, 4])
    #expect(all.distinct(by: ["decimal"]).count == 4)
    try realm.write {
      for text in ["1.0", "1.00", "1", "-0", "0"] { all[0].decimalSet.insert(try Decimal128(string: text)) }
    }
    #expect(all[0].decimalSet.count == 2)
    try fill(3) { object, _ in object.decimal = try Decimal128(string: "0.1") }
    #expect(all.sum(ofProperty: "decimal") as Decimal128 == (try Decimal128(string: "0.3")))
  }

  @Test("both zeros are equal")
  func zeros() throws {
    try fill(3) { object, number in object.double = [0.0, -0.0, 1][number] }
    #expect(numbers("double == 0") == [0, 1])
    #expect(numbers("double == %@", -0.0) == [0, 1])
    #expect(all.distinct(by: ["double"]).count == 2)
    #expect(numbers("double < 0") == [])
  }

  @Test("dates come back, are found, and are in order")
  func dates() throws {
    let dates = [
      Date(timeIntervalSince1970: 1_513_090_837.447), Date(timeIntervalSince1970: -2_204_907_000), .distantPast,
      .distantFuture, Date(timeIntervalSince1970: -0.5), Date(timeIntervalSince1970: -0.25),
      Date(timeIntervalSince1970: 0),
    ]
    try fill(7) { object, number in
      object.date = dates[number]
      object.plainDate = dates[number]
    }
    for (number, date) in dates.enumerated() {
      let object = try #require(all.first { $0.number == number })
      #expect(object.date == date)
      #expect(object.plainDate == date)
      #expect(numbers("date == %@", date) == [number])
      #expect(numbers("plainDate == %@", date) == [number])
    }
    #expect(order("date") == [2, 1, 4, 5, 6, 0, 3])
    #expect(order("plainDate") == [2, 1, 4, 5, 6, 0, 3])
    let day = Date(timeIntervalSince1970: 1_474_416_000)
    try fill(4) { object, number in object.date = day.addingTimeInterval([0, 86399, 86399.9995, 86400][number]) }
    #expect(numbers("date >= %@ AND date < %@", day, day.addingTimeInterval(86400)) == [0, 1, 2])
    #expect(numbers("date BETWEEN {%@, %@}", day, day.addingTimeInterval(86399)) == [0, 1])
  }

  @Test("values of any type are equal by number, and a Bool is no number")
  func anyEquality() throws {
    let values: [AnyRealmValue] = [
      .int(1), .bool(true), .double(1), .string("1"), .data(Data([49])), .float(1), .none, .decimal128(1), .int(0),
      .bool(false),
    ]
    try fill(10) { object, number in object.mixed = values[number] }
    #expect(numbers("mixed == 1") == [0, 2, 5, 7])
    #expect(numbers("mixed == %@", true) == [1])
    #expect(numbers("mixed == '1'") == [3])
    #expect(numbers("mixed == %@", Data([49])) == [4])
    #expect(numbers("mixed == nil") == [6])
    #expect(numbers("mixed > 0") == [0, 2, 5, 7])
    #expect(numbers("mixed != 1") == [1, 3, 4, 6, 8, 9])
  }

  @Test("the order of a set of any values is that of the sorted list")
  func anyOrder() throws {
    let values: [AnyRealmValue] = [
      .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))), .string("hello"), .int(300), .double(2.2),
      .float(3.5), .bool(true), .none, .data(Data([1])), .date(Date(timeIntervalSince1970: 1)), .string("B"),
      .string("a"), .data(Data([65])), .int(1), .double(1),
    ]
    try fill(1) { object, _ in
      for value in values {
        object.values.append(value)
        object.valueSet.insert(value)
      }
    }
    let sorted = [
      "nil", "true", "1", "1.0", "2.2", "3.5", "300", "B", "a", "hello", "<1>", "<65>", "date", "uuid",
    ]
    #expect(all[0].values.sorted(ascending: true).map(text) == sorted)
    #expect(all[0].valueSet.map(text) == sorted.filter { $0 != "1.0" })
  }

  private func text(_ value: AnyRealmValue) -> String {
    switch value {
    case .none: "nil"
    case .int(let value): "\(value)"
    case .double(let value): "\(value)"
    case .float(let value): "\(value)"
    case .string(let value): value
    case .bool(let value): "\(value)"
    case .data(let value): "<\(value[0])>"
    case .date: "date"
    case .uuid: "uuid"
    default: "?"
    }
  }

  @Test("whole numbers beyond 2^53 are not mistaken for the doubles beside them")
  func beyondDoubles() throws {
    try fill(2) { object, number in
      object.mixed = number == 0 ? .int(9_007_199_254_740_993) : .double(9_007_199_254_740_992)
    }
    #expect(numbers("mixed == %@", 9_007_199_254_740_992.0) == [1])
    #expect(numbers("mixed == %@", 9_007_199_254_740_993) == [0])
    #expect(numbers("mixed > %@", 9_007_199_254_740_992.0) == [0])
    #expect(order("mixed") == [1, 0])
  }
}
