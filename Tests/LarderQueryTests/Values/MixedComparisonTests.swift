import Foundation
import LarderStorage
import Testing

@testable import LarderQuery

/// Values of any type, compared as elements of a collection of them.
@Suite struct MixedComparisonTests {
  private let values: [StoredValue] = [
    .null, .bool(true), .int(1), .double(1), .decimal128(DecimalNumber("1.0")!.bits), .float(0.1), .double(0.1),
    .string("a"), .data(Data("a".utf8)), .string("1"), .list([.int(1), .string("x")]),
    .dictionary(["k": .list([.int(5), .string("deep")])]), .double(.nan), .int(9_007_199_254_740_993),
    .date(Timestamp(seconds: 5)),
  ]

  /// Positions of the values that satisfy a predicate over `SELF`.
  private func positions(_ text: String, _ arguments: PredicateArgument...) throws -> [Int] {
    let schema = StoreSchema(classes: [], schemaVersion: nil)
    let node = try PredicateParser.parse(text, arguments)
    let bound = try Binder(schema: schema, text: text).bindElements(node, .mixed, isOptional: true)
    return values.indices.filter { bound.matches(values[$0]) }
  }

  @Test("Q-62: numbers of all types are equal by value, Bool is no number")
  func equality() throws {
    #expect(try positions("SELF == 1") == [2, 3, 4])
    #expect(try positions("SELF == TRUE") == [1])
    #expect(try positions("SELF == %@", .value(.float(0.1))) == [5])
    #expect(try positions("SELF == 0.1") == [6])
    #expect(try positions("SELF == 9007199254740992.0") == [])
    #expect(try positions("SELF == nil") == [0])
    #expect(try positions("SELF IN {1, 'a', nil}") == [0, 2, 3, 4, 7])
  }

  @Test("Q-63: values of other kinds are in no order, and different")
  func kinds() throws {
    #expect(try positions("SELF > 0") == [2, 3, 4, 5, 6, 13])
    #expect(try positions("SELF < 'b'") == [7, 9])
    #expect(try positions("SELF != 1") == values.indices.filter { ![2, 3, 4].contains($0) })
    #expect(try positions("SELF >= nil") == [0])
    #expect(try positions("SELF BETWEEN {0, 1}") == [2, 3, 4, 5, 6])
  }

  @Test("Q-64: text is never taken for data")
  func text() throws {
    #expect(try positions("SELF == 'a'") == [7])
    #expect(try positions("SELF == %@", .value(.data(Data("a".utf8)))) == [8])
    #expect(try positions("SELF BEGINSWITH[c] 'A'") == [7])
    #expect(try positions("SELF ==[c] 'A'") == [7])
    #expect(try positions("SELF LIKE '?'") == [7, 9])
    #expect(try positions("SELF CONTAINS %@", .value(.data(Data("a".utf8)))) == [8])
  }

  @Test("Q-65: lists and dictionaries are equal when their contents are")
  func collections() throws {
    #expect(try positions("SELF == %@", .value(.list([.double(1), .string("x")]))) == [10])
    #expect(try positions("SELF == %@", .value(.list([.int(1)]))) == [])
    #expect(try positions("SELF == %@", .value(values[11])) == [11])
  }

  @Test("Q-61: subscripts lead into lists and dictionaries; what leads nowhere is nil")
  func subscripts() {
    let nested = values[11]
    #expect(NestedValues.reached(from: nested, [.key("k"), .position(1)]) == [.string("deep")])
    #expect(NestedValues.reached(from: nested, [.key("k"), .position(2)]) == [.null])
    #expect(NestedValues.reached(from: nested, [.key("none"), .key("x")]) == [.null])
    #expect(NestedValues.reached(from: nested, [.any, .any]) == [.int(5), .string("deep")])
    #expect(NestedValues.reached(from: nested, [.key("k"), .last]) == [.string("deep")])
    #expect(NestedValues.reached(from: .int(3), [.any]) == [])
    #expect(NestedValues.reached(from: .int(3), [.position(0)]) == [.null])
    #expect(NestedValues.count(nested, [.key("k")]) == 2)
  }

  @Test("Q-56: sums and averages of values of any type take the numbers, and are decimals")
  func aggregates() {
    let some: [StoredValue] = [.int(1), .double(2.5), .string("x"), .null, .decimal128(DecimalNumber("0.5")!.bits)]
    func text(_ value: StoredValue) -> String {
      if case .decimal128(let bits) = value { DecimalNumber(bits).description } else { "\(value)" }
    }
    #expect(text(Aggregation(.sum, over: some, of: .mixed).result) == "4.0")
    #expect(ValueOrder.compare(Aggregation(.average, over: [.int(1), .int(2)], of: .mixed).result, .double(1.5)) == 0)
    #expect(Aggregation(.max, over: some, of: .mixed).result == .string("x"))
    #expect(Aggregation(.min, over: some, of: .mixed).result == .decimal128(DecimalNumber("0.5")!.bits))
    #expect(Aggregation(.average, over: [.string("x")], of: .mixed).result == .null)
  }

  @Test("Q-127: the order of kinds; Q-131: zeros of both signs are one")
  func order() {
    let ordered: [StoredValue] = [
      .null, .bool(false), .bool(true), .double(.nan), .double(-.infinity), .int(-1), .double(0), .string(""),
      .string("A"),
      .string("a"), .string("é"), .string("🦄"), .data(Data()), .date(Timestamp(seconds: 0)),
      .objectId(ObjectIdBytes(high: 0, low: 0)), .uuid(UUID()), .link(ObjectKey(rawValue: 0)), .list([]),
      .dictionary([:]),
    ]
    for (left, right) in zip(ordered, ordered.dropFirst()) {
      #expect(ValueOrder.compare(left, right) < 0 && ValueOrder.compare(right, left) > 0, "\(left) \(right)")
    }
    #expect(ValueOrder.compare(.double(-0.0), .double(0)) == 0 && ValueOrder.compare(.float(-0.0), .int(0)) == 0)
  }
}
