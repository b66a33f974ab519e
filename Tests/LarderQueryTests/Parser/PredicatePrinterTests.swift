import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

extension PredicateNode {
  /// The tree without the places in the text.
  var withoutRanges: PredicateNode {
    switch self {
    case .constant: return self
    case .and(let children): return .and(children.map(\.withoutRanges))
    case .or(let children): return .or(children.map(\.withoutRanges))
    case .not(let child): return .not(child.withoutRanges)
    case .comparison(let comparison):
      return .comparison(
        ComparisonNode(
          quantifier: comparison.quantifier, left: comparison.left.withoutRanges, operation: comparison.operation,
          options: comparison.options, rightQuantifier: comparison.rightQuantifier,
          right: comparison.right.withoutRanges))
    }
  }
}

extension OperandNode {
  fileprivate var withoutRanges: OperandNode {
    switch self {
    case .keyPath(let path): return .keyPath(path.withoutRanges)
    case .constant(let constant): return .constant(ConstantNode(constant.value))
    case .set(let members, _): return .set(members.map { ConstantNode($0.value) }, SourceRange(0, 0))
    case .subquery(let subquery):
      return .subquery(
        SubqueryNode(path: subquery.path.withoutRanges, predicate: subquery.predicate.withoutRanges))
    case .arithmetic(let operation, let left, let right):
      return .arithmetic(operation, left.withoutRanges, right.withoutRanges)
    case .function(let call):
      return .function(
        FunctionNode(
          call.function, of: call.argument.withoutRanges,
          timeZone: call.timeZone.map { ConstantNode($0.value) }))
    }
  }
}

extension KeyPathNode {
  fileprivate var withoutRanges: KeyPathNode {
    func bare(_ component: Component) -> Component {
      var result = Component(component.name)
      result.originClass = component.originClass
      result.subscripts = component.subscripts.map { SubscriptNode($0.selector) }
      result.part = component.part
      return result
    }
    return KeyPathNode(
      components.map(bare), aggregate: aggregate, trailing: trailing.map(bare), measure: measure)
  }
}

@Suite struct PredicatePrinterTests {
  /// Trees of any shape, whether or not they would fit a schema.
  private struct Trees {
    let dialect: PredicateDialect

    func node(_ random: inout SeededRandom, _ depth: Int) -> PredicateNode {
      guard depth > 0, random.oneIn(2) else { return .comparison(comparison(&random, depth)) }
      switch random.int(0...4) {
      case 0: return .and((0..<random.int(0...3)).map { _ in node(&random, depth - 1) })
      case 1: return .or((0..<random.int(0...3)).map { _ in node(&random, depth - 1) })
      case 2: return .constant(random.oneIn(2))
      default: return .not(node(&random, depth - 1))
      }
    }

    private func comparison(_ random: inout SeededRandom, _ depth: Int) -> ComparisonNode {
      let operation = random.pick(ComparisonOperator.allCases)
      let isGroup = operation == .in || operation == .between
      var options = TextOptions(rawValue: UInt8(random.int(0...(dialect == .format ? 3 : 1))))
      if random.oneIn(2) { options = [] }
      let quantifiers: [Quantifier?] = dialect == .format ? [nil, .any, Quantifier.none] : [nil, .any, .all]
      return ComparisonNode(
        quantifier: random.pick(quantifiers), left: operand(&random, depth), operation: operation, options: options,
        rightQuantifier: dialect == .query ? random.pick([nil, nil, .all]) : nil,
        right: isGroup && random.oneIn(2)
          ? .set((0..<random.int(0...3)).map { _ in constant(&random) }, SourceRange(0, 0))
          : (isGroup ? .keyPath(path(&random)) : operand(&random, depth)))
    }

    private func operand(_ random: inout SeededRandom, _ depth: Int) -> OperandNode {
      switch random.int(0...5) {
      case 0: return .constant(constant(&random))
      case 1 where depth > 0:
        var path = path(&random)
        if path.isSelf { path = KeyPathNode([.init("items")]) }
        path.aggregate = nil
        path.measure = nil
        path.trailing = []
        return .subquery(SubqueryNode(path: path, predicate: node(&random, depth - 1)))
      case 2 where depth > 0:
        return .arithmetic(
          random.pick(ArithmeticOperator.allCases), operand(&random, depth - 1), operand(&random, depth - 1))
      case 3 where depth > 0:
        let function = random.pick(QueryFunction.allCases)
        let hasZone = function.takesTimeZone && random.oneIn(2)
        return .function(
          FunctionNode(
            function, of: operand(&random, depth - 1),
            timeZone: hasZone ? ConstantNode(.value(.string("Europe/Berlin"))) : nil))
      default: return .keyPath(path(&random))
      }
    }

    private static let names = [
      "age", "name", "like", "Contains", "self", "é", "日本", "_x1", "a b", "first", "T12", "inf", "uuid", "a-b", "🦄",
    ]

    private func path(_ random: inout SeededRandom) -> KeyPathNode {
      if random.oneIn(8) { return KeyPathNode([]) }
      var path = KeyPathNode((0..<random.int(1...3)).map { _ in component(&random) })
      if random.oneIn(4) {
        path.aggregate = random.pick(AggregateOperator.allCases)
        if random.oneIn(2) { path.trailing = [KeyPathNode.Component(random.pick(Self.names))] }
      } else if dialect == .query, random.oneIn(6) {
        path.measure = .type
      }
      return path
    }

    private func component(_ random: inout SeededRandom) -> KeyPathNode.Component {
      var component = KeyPathNode.Component(random.pick(Self.names))
      if dialect == .query, random.oneIn(8) {
        component.originClass = "Person"
        component.name = "dogs"
      }
      for _ in 0..<(random.oneIn(4) ? random.int(1...2) : 0) {
        let selectors: [SubscriptNode.Selector] =
          [.key(random.string()), .position(Int64(random.int(-2...9))), .any]
          + (dialect == .query ? [.first, .last] : [])
        component.subscripts.append(SubscriptNode(random.pick(selectors)))
      }
      if random.oneIn(6) { component.part = random.pick([.keys, .values]) }
      return component
    }

    private func constant(_ random: inout SeededRandom) -> ConstantNode {
      let values: [PredicateArgument] = [
        .null, .value(.bool(random.oneIn(2))), .value(.int(random.anyInt64())), .value(.int(.min)),
        .value(.double(Double(bitPattern: random.next()))), .value(.double(-0.0)), .value(.double(1e300)),
        .value(.float(1.5)), .value(.string(random.string())), .value(.string("it's \\ \"q\"\n\r\t\0\u{1F}")),
        .value(.data(Data([0, 255]))), .value(.date(Timestamp(seconds: -5, nanoseconds: 7))),
        .object(ObjectLink(classID: ClassID(rawValue: 1), key: ObjectKey(rawValue: 7))),
        .detachedObject(className: "Person"),
      ]
      return ConstantNode(random.pick(values))
    }
  }

  @Test("A predicate written as text parses to itself", arguments: [PredicateDialect.format, .query])
  func roundTrip(_ dialect: PredicateDialect) throws {
    var random = SeededRandom.forTest()
    let trees = Trees(dialect: dialect)
    for _ in 0..<4000 {
      let node = trees.node(&random, 4)
      let (text, arguments) = PredicatePrinter.write(node, dialect: dialect)
      do {
        let parsed = try PredicateParser.parse(text, arguments, dialect: dialect)
        #expect(parsed.withoutRanges == node.normalized.withoutRanges, "\(text) \(arguments)")
      } catch {
        Issue.record("\(error): \(text)")
      }
    }
  }

  @Test("Q-16: an empty AND is true, an empty OR is false, and double negation goes away")
  func simplified() {
    let age = PredicateNode.comparison(
      ComparisonNode(
        left: .keyPath(KeyPathNode([.init("age")])), operation: .greater,
        right: .constant(ConstantNode(.value(.int(3))))))
    #expect(PredicatePrinter.write(.and([])).text == "TRUEPREDICATE")
    #expect(PredicatePrinter.write(.or([])).text == "FALSEPREDICATE")
    #expect(PredicatePrinter.write(.not(.not(age))).text == "age > 3")
    #expect(
      PredicatePrinter.write(.and([age, .or([age, .not(age)])])).text == "age > 3 AND (age > 3 OR (NOT age > 3))")
  }
}
