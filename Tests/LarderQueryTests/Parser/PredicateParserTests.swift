import LarderStorage
import Testing

@testable import LarderQuery

@Suite struct PredicateParserTests {
  private func comparison(_ path: String, _ operation: ComparisonOperator, _ value: StoredValue) -> PredicateNode {
    let components = path.split(separator: ".").map { KeyPathNode.Component(String($0)) }
    return .comparison(
      ComparisonNode(
        left: .keyPath(KeyPathNode(components)), operation: operation, right: .constant(ConstantNode(.value(value)))))
  }

  /// The shape of a tree, without positions.
  private func shape(_ node: PredicateNode) -> String {
    switch node {
    case .constant(let answer): return answer ? "true" : "false"
    case .and(let children): return "(" + children.map(shape).joined(separator: " & ") + ")"
    case .or(let children): return "(" + children.map(shape).joined(separator: " | ") + ")"
    case .not(let child): return "!" + shape(child)
    case .comparison(let comparison):
      guard case .keyPath(let path) = comparison.left else { return "?" }
      return (comparison.quantifier.map { "\($0) " } ?? "") + path.text + comparison.operation.rawValue
        + comparison.options.text
    }
  }

  @Test(
    "Q-13 NOT binds tighter than AND, AND tighter than OR",
    arguments: [
      ("a == 1 OR b == 1 AND c == 1", "(a== | (b== & c==))"), ("NOT a == 1 AND b == 1", "(!a== & b==)"),
      ("(a == 1 OR b == 1) AND c == 1", "((a== | b==) & c==)"), ("a == 1 && b == 1 && c == 1", "(a== & b== & c==)"),
      ("!!(a == 1)", "a=="), ("NOT NOT NOT a == 1", "!a=="), ("TRUEPREDICATE or falsepredicate", "(true | false)"),
      ("a==1&&!b==1||!c<2", "((a== & !b==) | !c<)"),
    ])
  func precedence(_ text: String, _ expected: String) throws {
    #expect(shape(try PredicateParser.parse(text)) == expected)
  }

  @Test("Q-6 keywords in any case, and names that look like them")
  func keywords() throws {
    #expect(shape(try PredicateParser.parse("any x.y Contains[CD] 'a'")) == "any x.y" + "CONTAINS[cd]")
    #expect(shape(try PredicateParser.parse("#in == 1 And order == 2")) == "(in== & order==)")
    #expect(shape(try PredicateParser.parse("%K == 1", [.keyPath("a.between")])) == "a.between==")
  }

  @Test("Q-14 chains of any length cost no depth, a megabyte of text included")
  func longChains() throws {
    let text = Array(repeating: "age == 12345", count: 60_000).joined(separator: " AND ")
    #expect(text.utf8.count > 1_000_000)
    guard case .and(let children) = try PredicateParser.parse(text) else { throw Failure() }
    #expect(children.count == 60_000)
    let negations = String(repeating: "NOT ", count: 100_001) + "a == 1"
    #expect(shape(try PredicateParser.parse(negations)) == "!a==")
  }

  @Test("Nesting beyond the limit is an error, not a stack overflow")
  func nesting() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "a == 1" + String(repeating: ")", count: depth)
    }
    #expect(shape(try PredicateParser.parse(nested(PredicateParser.maximumDepth))) == "a==")
    for depth in [PredicateParser.maximumDepth + 1, 500_000] {
      let error = #expect(throws: PredicateError.self) { try PredicateParser.parse(nested(depth)) }
      #expect(error?.code == .tooDeep)
      #expect(error?.position == PredicateParser.maximumDepth)
    }
  }

  @Test("Errors show the line with carets under the fault")
  func carets() throws {
    let schema = StoreSchema(
      classes: [
        ClassDescriptor(
          id: ClassID(rawValue: 1), name: "Person",
          columns: [ColumnDescriptor(id: ColumnID(rawValue: 1), name: "age", type: .int)])
      ], schemaVersion: nil)
    let error = #expect(throws: PredicateError.self) {
      try Binder.bind("age > 1 AND agee < 5", to: ClassID(rawValue: 1), in: schema)
    }
    #expect(
      error?.description == """
        Class 'Person' has no property 'agee' (at position 12). Did you mean 'age'?
          age > 1 AND agee < 5
                      ^^^^
        """)
  }

  @Test("Garbage never traps: every prefix and every single-byte change of a predicate gives a tree or an error")
  func mutations() {
    let text = "ANY a.b ==[cd] 'x\\u00e9' AND NOT (n BETWEEN {1, 0x2F} OR SUBQUERY(l, $x, $x.p > 1.5e3).@count == 1)"
    let bytes = Array(text.utf8)
    for length in 0...bytes.count { _ = try? PredicateParser.parse(String(decoding: bytes[..<length], as: UTF8.self)) }
    for position in bytes.indices {
      for byte in [0, 0x20, 0x22, 0x27, 0x28, 0x29, 0x25, 0x2E, 0x40, 0x5C, 0x7B, 0x80, 0xFF] as [UInt8] {
        var changed = bytes
        changed[position] = byte
        _ = try? PredicateParser.parse(String(decoding: changed, as: UTF8.self))
      }
    }
  }

  private struct Failure: Error {}
}
