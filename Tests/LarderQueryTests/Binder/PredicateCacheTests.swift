import LarderStorage
import Testing

@testable import LarderQuery

@Suite("Predicates bound before")
struct PredicateCacheTests {
  private let schema = StoreSchema(
    classes: [
      ClassDescriptor(
        id: ClassID(rawValue: 1), name: "Person",
        columns: [
          ColumnDescriptor(id: ColumnID(rawValue: 1), name: "name", type: .string, isOptional: true),
          ColumnDescriptor(id: ColumnID(rawValue: 2), name: "age", type: .int),
        ]),
      ClassDescriptor(
        id: ClassID(rawValue: 2), name: "Dog",
        columns: [
          ColumnDescriptor(id: ColumnID(rawValue: 7), name: "name", type: .int),
          ColumnDescriptor(
            id: ColumnID(rawValue: 8), name: "owner", type: .link, isOptional: true, target: ClassID(rawValue: 1)),
          ColumnDescriptor(
            id: ColumnID(rawValue: 9), name: "mother", type: .link, isOptional: true, target: ClassID(rawValue: 2)),
        ]),
    ], schemaVersion: 1)

  /// Returns the outcome of a predicate: its bound form or its error.
  private func outcome(_ body: () throws -> BoundPredicate) -> Result<BoundPredicate, PredicateError> {
    do { return .success(try body()) } catch let error as PredicateError { return .failure(error) } catch {
      Issue.record("\(error)")
      return .success(.constant(false))
    }
  }

  private static let arguments: [[PredicateArgument]] = [
    [.value(.string("a"))], [.value(.int(3))], [.null], [.value(.double(2.5))], [.list([.value(.int(1))])],
    [.detachedObject(className: "Dog")], [.keyPath("age")], [.value(.bool(true))], [], [.value(.int(1)), .null],
    [.value(.string("name")), .value(.int(2))], [.list([.value(.int(1)), .value(.int(9))]), .value(.int(2))],
  ]

  @Test(
    "Every text with every arguments comes to what it comes to without being remembered",
    arguments: [
      "name == %@", "age == %@", "%@ < age", "name BEGINSWITH[c] %@", "age IN %@", "age IN {%@, 2}", "%K == 3",
      "%K == %@", "age == %d", "age BETWEEN %@", "age BETWEEN {%@, %@}", "NOT (age > %@ OR name == %@)", "nme == %@",
      "age + %@ > 5", "age %% 2 == %@", "length(name) == %@", "%@ - 1 < age", "age > 2 * %@", "age > -%@",
      "age %% %@ == 1",
      "age LIKE %@", "name == nil AND age == %@", "age IN %@ AND age > %@", "name > %@", "name >= %@", "name < %@",
      "owner.name == %@", "owner.name != %@", "owner.name > %@", "owner.name BEGINSWITH[c] %@", "NONE owner.name == %@",
      "mother.owner.age == %@", "mother.owner.age > %@", "%@ != mother.mother.name", "owner == %@",
      "mother.owner == %@",
    ])
  func agrees(_ text: String) {
    // In different orders: each argument meets what the others left behind.
    agrees(text, Self.arguments + Self.arguments.reversed())
    for arguments in Self.arguments { agrees(text, [arguments] + Self.arguments) }
  }

  private func agrees(_ text: String, _ order: [[PredicateArgument]]) {
    let prepared = PredicateCache()
    for arguments in order {
      for classID in [ClassID(rawValue: 1), ClassID(rawValue: 2)] {
        let expected = outcome {
          let node = try PredicateParser.parse(text, arguments)
          return try Binder(schema: schema, text: text).bind(node, to: classID)
        }
        let given = outcome { try prepared.bind(text, arguments, to: classID, in: schema, naming: .stored) }
        #expect(given == expected, "\(text) with \(arguments) in class \(classID.rawValue)")
      }
    }
  }

  @Test("A comparison written in Swift comes to what its text comes to, whatever was compared before")
  func comparisons() {
    let single = Self.arguments.filter { $0.count == 1 && $0 != [.keyPath("age")] }
    comparisons(single)
    for first in single { comparisons([first] + single) }
  }

  private func comparisons(_ single: [[PredicateArgument]]) {
    let prepared = PredicateCache()
    for operation in ComparisonOperator.allCases where operation != .in && operation != .between {
      for options in [[], TextOptions.caseInsensitive] {
        for arguments in single + single.reversed() {
          for (property, classID) in [("name", 1), ("age", 1), ("name", 2), ("nme", 2)] {
            let classID = ClassID(rawValue: UInt16(classID))
            let node = PredicateNode.comparison(
              ComparisonNode(
                left: .keyPath(KeyPathNode([KeyPathNode.Component(property)])), operation: operation, options: options,
                right: .constant(ConstantNode(arguments[0]))))
            let expected = outcome { try Binder(schema: schema, text: "").bind(node, to: classID) }
            let given = outcome {
              try prepared.bind(
                property: property, operation, options, arguments[0], to: classID, in: schema, naming: .stored)
            }
            #expect(given == expected, "\(property) \(operation) \(arguments) in class \(classID.rawValue)")
          }
        }
      }
    }
  }

  @Test("A test of one constant is the same however it was made")
  func oneConstant() {
    let (single, several) = (ValueTest(.int, .equal, only: .int(3)), ValueTest(.int, .equal, [.int(3)]))
    #expect(single == several && single.hashValue == several.hashValue)
    #expect(single.values == [.int(3)] && single.first == .int(3) && ValueTest(.int, .in, []).first == nil)
    #expect(single.matches(.int(3)) && !single.matches(.int(4)) && !single.matches(.null))
    #expect(ValueTest(.int, .in, [.int(3)]).matches(.int(3)) && !ValueTest(.int, .in, []).matches(.int(3)))
    #expect(!ValueTest(.int, .between, [.int(3)]).matches(.int(3)))
  }

  @Test("A new schema is bound again, and more predicates than are remembered stay right")
  func schemas() throws {
    let prepared = PredicateCache()
    let person = ClassID(rawValue: 1)
    let other = StoreSchema(
      classes: [
        ClassDescriptor(
          id: person, name: "Person",
          columns: [ColumnDescriptor(id: ColumnID(rawValue: 9), name: "age", type: .double)])
      ], schemaVersion: 2)
    for _ in 0..<2 {
      for schema in [schema, other] {
        for blanks in 0..<40 {
          let text = "age ==" + String(repeating: " ", count: blanks) + "%@"
          let given = try prepared.bind(text, [.value(.int(4))], to: person, in: schema, naming: .stored)
          #expect(given == (try Binder.bind(text, [.value(.int(4))], to: person, in: schema)))
        }
      }
    }
  }
}
