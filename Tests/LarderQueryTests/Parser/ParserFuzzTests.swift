import Foundation
import LarderStorage
import TestSupport
import TestTraits
import Testing

@testable import LarderQuery

/// Any bytes give a tree or an error, never a trap or a hang.
///
/// `LARDER_FUZZ=1000000` sets how many texts are tried.
@Suite(.long) struct ParserFuzzTests {
  private static var texts: Int {
    ProcessInfo.processInfo.environment["LARDER_FUZZ"].flatMap { Int($0) } ?? 4000
  }

  private static let pieces = [
    "age", "name", "dogs", "a.b", "ANY", "ALL", "NONE", "NOT", "AND", "OR", "IN", "BETWEEN", "CONTAINS", "LIKE[c]",
    "==",
    "!=", "<", ">=", "(", ")", "{", "}", "[", "]", ",", ".", "@count", "@max", "@links", "@allKeys", "$x", "$0", "$K1",
    "%@", "%K", "%d", "%%", "'a'", "\"b", "\\", "\\u12", "1", "-2", "3.5e9", "0x1F", "1e400", "nil", "TRUE", "SELF",
    "SUBQUERY(", "SUBQUERY(dogs, $x, $x.age > 1).@count", "+", "-", "*", "/", "uuid(", "oid(0)", "T1:2", "T-1:2",
    "2024-02-30@1:2:3", "9223372036854775807",
    "-9223372036854775808", "T-9223372036854775808:-1", "T1:-9223372036854775808",
    "2024-01-01@00:00:00:-9223372036854775808", "B64\"", "obj(\"A\", 1)", "SORT(", "LIMIT(3)", "DISTINCT(a)", "ASC",
    "#", "#in", "🦄", "\u{0}",
  ]

  private static let arguments: [PredicateArgument] = [.value(.int(1)), .value(.string("a")), .null, .list([.null])]

  private static let predicates = [
    "age == 1 AND name CONTAINS[cd] 'a' OR NOT age BETWEEN {1, 2}", "ANY dogs.name LIKE 'a*' && dogs.@max.age >= 3",
    "SUBQUERY(dogs, $x, $x.age > 1).@count == 2", "(age + 1) * 2 == 4 SORT(name ASC) LIMIT(3)", "age IN {1, 2, 0x3}",
    "ALL dogs.name.length > 3 AND dogs[FIRST].age - 1 < 2.5e3", "name == $0 OR age == %@",
    "1 < age || 'a' IN dogs.name",
  ]

  /// Bytes, pieces of the language, or a predicate with a few pieces changed.
  private static func text(_ random: inout SeededRandom) -> String {
    switch random.int(0...2) {
    case 0: return String(decoding: random.bytes(count: random.int(0...40)), as: UTF8.self)
    case 1: return (0..<random.int(1...14)).map { _ in random.pick(pieces) }.joined(separator: random.pick([" ", ""]))
    default:
      var words = random.pick(predicates).split(separator: " ").map(String.init)
      for _ in 0..<random.int(0...3) {
        let place = random.int(0..<words.count)
        if random.oneIn(2) { words[place] = random.pick(pieces) } else { words.insert(random.pick(pieces), at: place) }
      }
      return words.joined(separator: " ")
    }
  }

  @Test("Random pieces and random bytes")
  func anything() {
    var random = SeededRandom.forTest()
    let schema = StoreSchema(
      classes: [
        ClassDescriptor(
          id: ClassID(rawValue: 1), name: "Person",
          columns: [
            ColumnDescriptor(id: ColumnID(rawValue: 1), name: "age", type: .int),
            ColumnDescriptor(id: ColumnID(rawValue: 2), name: "name", type: .string, isOptional: true),
            ColumnDescriptor(
              id: ColumnID(rawValue: 3), name: "dogs", type: .link, collection: .list, target: ClassID(rawValue: 1)),
          ])
      ], schemaVersion: nil)
    var parsed = 0
    for _ in 0..<Self.texts {
      let text = Self.text(&random)
      let arguments = Array(Self.arguments.prefix(random.int(0...4)))
      for dialect in [PredicateDialect.format, .query] {
        guard let node = try? PredicateParser.parse(text, arguments, dialect: dialect) else { continue }
        parsed += 1
        _ = try? Binder(schema: schema, text: text, dialect: dialect).bind(node, to: ClassID(rawValue: 1))
        let (written, values) = PredicatePrinter.write(node, dialect: dialect)
        #expect((try? PredicateParser.parse(written, values, dialect: dialect)) != nil, "\(text) -> \(written)")
      }
      _ = try? PredicateParser.parseQuery(text, arguments)
      _ = try? KeyPathParser.parse(text)
    }
    #expect(parsed > 0)
  }

  @Test("Ten thousand parentheses, long chains of arithmetic, a set of 100,000: an answer or an error")
  func extremes() throws {
    let depth = 10_000
    for dialect in [PredicateDialect.format, .query] {
      let nested = String(repeating: "(", count: depth) + "a == 1" + String(repeating: ")", count: depth)
      let error = #expect(throws: LarderQuery.PredicateError.self) {
        try PredicateParser.parse(nested, dialect: dialect)
      }
      #expect(error?.code == .tooDeep)
    }
    let sum = Array(repeating: "a", count: 20_000).joined(separator: " + ")
    #expect(throws: LarderQuery.PredicateError.self) { try PredicateParser.parse("1 == " + sum, dialect: .query) }
    let numbers = (0..<100_000).map(String.init).joined(separator: ", ")
    guard case .comparison(let comparison) = try PredicateParser.parse("a IN {\(numbers)}"),
      case .set(let members, _) = comparison.right
    else { throw LarderQuery.PredicateError(.syntax, "no set") }
    #expect(members.count == 100_000)
    var tree = PredicateNode.constant(true)
    for _ in 0..<1000 { tree = .not(.and([tree, .constant(true)])) }
    let schema = StoreSchema(classes: [ClassDescriptor(id: ClassID(rawValue: 1), name: "A")], schemaVersion: nil)
    let error = #expect(throws: LarderQuery.PredicateError.self) {
      try Binder(schema: schema).bind(tree, to: ClassID(rawValue: 1))
    }
    #expect(error?.code == .tooDeep)
  }
}
