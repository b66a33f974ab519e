import Foundation
import TestSupport

@testable import LarderQuery

/// Classes and rows made at random: every column type, nils, empty collections, extremes, text of many scripts.
struct RandomFixture {
  let fixture: QueryFixture

  init(_ random: inout SeededRandom, rows: Int) {
    var classes: [QueryFixture.Class] = []
    let names = (0..<random.int(1...3)).map { "C\($0)" }
    for name in names { classes.append(Self.makeClass(name, names, &random)) }
    for (index, entry) in classes.enumerated() {
      // Ways back along some of the links that lead here.
      var inverses: [String] = []
      for other in classes {
        for property in other.properties.map({ QueryFixture.Property($0) })
        where property.type == entry.name && property.kind != .map && property.kind != .inverse && random.oneIn(2) {
          inverses.append("back\(inverses.count) \(other.name).\(property.name)")
        }
      }
      classes[index].properties += inverses
    }
    var fixture = QueryFixture(about: "", classes: classes, data: [:], cases: [])
    for name in names { fixture.data[name] = Self.rows(name, names, fixture, rows, &random) }
    self.fixture = fixture
  }

  static let scalars = ["bool", "int", "float", "double", "string", "data", "date", "uuid", "objectId", "decimal128"]
  /// Types of which a set can be made without thinking about which values are equal.
  private static let inSets = ["bool", "int", "string", "date"]

  private static func makeClass(
    _ name: String, _ names: [String], _ random: inout SeededRandom
  ) -> QueryFixture.Class {
    var properties: [String] = []
    for number in 0..<random.int(3...8) {
      let type = random.pick(scalars)
      let isIndexed = type != "decimal128" && random.oneIn(2)
      properties.append("p\(number) \(type)\(random.oneIn(2) ? "?" : "")\(isIndexed ? " indexed" : "")")
    }
    let indexes = indexes(over: properties, &random)
    for number in 0..<random.int(0...3) { properties.append("l\(number) \(random.pick(names))") }
    for number in 0..<random.int(0...4) {
      let type = random.pick(scalars) + (random.oneIn(2) ? "?" : "")
      switch random.int(0...4) {
      case 0: properties.append("c\(number) [\(random.pick(names))]")
      case 1: properties.append("c\(number) {\(random.pick(inSets))}")
      case 2: properties.append("c\(number) [:\(type)]")
      case 3: properties.append("c\(number) {\(random.pick(names))}")
      default: properties.append("c\(number) [\(type)]")
      }
    }
    return QueryFixture.Class(name: name, embedded: nil, properties: properties, indexes: indexes)
  }

  /// Indexes over two or three properties of any type that can be in one.
  private static func indexes(over properties: [String], _ random: inout SeededRandom) -> [String] {
    let names = properties.filter { !$0.contains("decimal128") }.map { String($0.prefix { $0 != " " }) }
    guard names.count > 1 else { return [] }
    var indexes: [String] = []
    for _ in 0..<random.int(0...2) {
      var chosen: [String] = []
      for _ in 0..<random.int(2...3) {
        let name = random.pick(names)
        if !chosen.contains(name) { chosen.append(name) }
      }
      let index = chosen.joined(separator: ",")
      if chosen.count > 1, !indexes.contains(index) { indexes.append(index) }
    }
    return indexes
  }

  private static func rows(
    _ name: String, _ names: [String], _ fixture: QueryFixture, _ count: Int, _ random: inout SeededRandom
  ) -> [[String: JSONValue]] {
    let properties = fixture.properties(of: name)
    return (0..<count).map { index in
      var row: [String: JSONValue] = ["_": .string("\(name)-\(index)")]
      // Some properties are never written, so that leaves are missing or short.
      for property in properties where !random.oneIn(6) {
        row[property.name] = field(property, rows: count, &random)
      }
      return row
    }
  }

  private static func field(
    _ property: QueryFixture.Property, rows: Int, _ random: inout SeededRandom
  ) -> JSONValue? {
    func one(_ random: inout SeededRandom) -> JSONValue {
      if scalars.contains(property.type) {
        return property.isOptional && random.oneIn(4) ? .null : value(property.type, &random)
      }
      return .string("\(property.type)-\(random.int(0..<rows))")
    }
    switch property.kind {
    case .one: return scalars.contains(property.type) || !random.oneIn(4) ? one(&random) : .null
    case .list: return .array((0..<random.int(0...4)).map { _ in one(&random) })
    case .set:
      var members: [JSONValue] = []
      for _ in 0..<random.int(0...4) {
        let member = one(&random)
        if !members.contains(member) { members.append(member) }
      }
      return .array(members)
    case .map:
      var entries: [String: JSONValue] = [:]
      for _ in 0..<random.int(0...3) { entries[random.pick(keys)] = one(&random) }
      return .object(entries)
    case .inverse: return nil
    }
  }

  static let keys = ["a", "b", "A", "é", "a.b", "日本"]

  static let texts = [
    "", "a", "ab", "abc", "Ab", "ABC", "b", "ba", "zebra", "é", "É", "e\u{301}", "straße", "STRASSE", "ПРИВЕТ",
    "привет",
    "Σίσυφος", "ΣΊΣΥΦΟΣ", "日本語", "ニホンゴ", "שלום", "مرحبا", "हिन्दी", "ไทย", "한국어", "İstanbul", "ﬁn", "🦄", "👩‍👩‍👧", "a*b",
    "a?b", "a\\b", "it's \"quoted\"", "line\nbreak", "abcdefgh", "abcdefghi", "abcdefghj",
  ]

  /// Around a leap day, a change to summer time in Berlin, the first year of the calendar, and the end of a century.
  private static let days = [951_782_399, 951_782_400, 1_711_846_799, 1_711_846_800, -62_135_596_800, 4_102_444_799]

  /// Few different values, so that equality happens; with the extremes of the type.
  static func value(_ type: String, _ random: inout SeededRandom) -> JSONValue {
    switch type {
    case "bool": .bool(random.oneIn(2))
    case "int": .int(random.oneIn(20) ? random.pick([.min, .max, -1, 300, 70_000, 1 << 40]) : Int64(random.int(0...5)))
    case "float":
      random.pick([.double(-0.0), .int(0), .double(1.5), .double(-2.25), number("nan"), number("inf"), .int(3)])
    case "double":
      random.pick([
        .double(-0.0), .int(0), .double(1.5), .double(0.1), number("nan"), number("-inf"), .int(3), .double(1e300),
      ])
    case "date":
      .object([
        "$date": .string(
          "\(random.oneIn(3) ? random.pick(days) : random.int(-2...2)):\(random.pick([0, 1, 999_999_999]))")
      ])
    case "uuid": .string("0000000\(random.int(0...3))-0000-0000-0000-00000000000\(random.int(0...2))")
    case "objectId": .string("\(random.int(0...3))0000000000000000000000\(random.int(0...2))")
    case "decimal128": .string(random.pick(["0", "-0", "1", "1.0", "10E-1", "-3.5", "1e20", "Inf", "NaN"]))
    default: .string(random.pick(texts))
    }
  }

  private static func number(_ text: String) -> JSONValue { .object(["$number": .string(text)]) }
}
