import LarderStorage
import TestSupport

@testable import LarderQuery

/// Comparisons of what is computed, made at random over the to-one paths of a class.
struct RandomExpression {
  typealias Path = (path: KeyPathNode, type: String)

  /// The scalar properties that the class reaches over to-one links.
  let paths: [Path]
  /// Its collections, for counts.
  let collections: [KeyPathNode]

  private static let zones = ["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "GMT"]
  private static let parts: [QueryFunction] = [.year, .month, .day, .hour, .minute, .second, .weekday]

  /// Nil where the class has nothing to compute with.
  func comparison(_ random: inout SeededRandom) -> ComparisonNode? {
    random.oneIn(4) ? text(&random) : numbers(&random)
  }

  /// Returns an expression that groups can be made by, or computed from: computed, or a property. Nil where the class has nothing of the kind.
  func value(_ random: inout SeededRandom, isNumber: Bool) -> OperandNode? {
    guard isNumber || !random.oneIn(3) else {
      guard let path = pick(["string"], &random) else { return nil }
      return random.oneIn(3)
        ? .keyPath(path) : .function(FunctionNode(random.pick([.lowercase, .uppercase]), of: .keyPath(path)))
    }
    for _ in 0..<10 {
      if let found = operand(&random, depth: 2), NaiveEvaluator.hasPath(found) { return found }
    }
    return nil
  }

  // MARK: - Numbers

  private func numbers(_ random: inout SeededRandom) -> ComparisonNode? {
    guard let left = computed(&random, depth: 3) else { return nil }
    let operation = random.pick([
      ComparisonOperator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .between,
    ])
    switch operation {
    case .in:
      let members = (0..<random.int(0...3)).map { _ in constant(&random) }
      return ComparisonNode(left: left, operation: operation, right: .set(members, SourceRange(0, 0)))
    case .between:
      let members = [constant(&random), constant(&random)]
      return ComparisonNode(left: left, operation: operation, right: .set(members, SourceRange(0, 0)))
    default: break
    }
    if operation == .equal || operation == .notEqual, random.oneIn(6) {
      return ComparisonNode(left: left, operation: operation, right: .constant(ConstantNode(.null)))
    }
    let right = random.oneIn(2) ? .constant(constant(&random)) : operand(&random, depth: 2)
    guard let right else { return nil }
    if random.oneIn(5), let mirrored = operation.mirrored {
      return ComparisonNode(left: right, operation: mirrored, right: left)
    }
    return ComparisonNode(left: left, operation: operation, right: right)
  }

  /// An operand that computes something of a property.
  private func computed(_ random: inout SeededRandom, depth: Int) -> OperandNode? {
    for _ in 0..<10 {
      let found = operand(&random, depth: depth)
      if let found, found.isComputed, NaiveEvaluator.hasPath(found) { return found }
    }
    return nil
  }

  private func operand(_ random: inout SeededRandom, depth: Int) -> OperandNode? {
    switch random.int(0...7) {
    case 0 where depth > 0, 1 where depth > 0, 2 where depth > 0:
      guard let left = operand(&random, depth: depth - 1), let right = operand(&random, depth: depth - 1) else {
        return nil
      }
      return .arithmetic(random.pick(ArithmeticOperator.allCases), left, right)
    case 3: return part(&random)
    case 4: return length(&random)
    case 5: return .constant(constant(&random))
    case 6 where !collections.isEmpty:
      var path = random.pick(collections)
      path.aggregate = .count
      return .keyPath(path)
    default: return pick(["int", "float", "double"], &random).map { .keyPath($0) }
    }
  }

  private func part(_ random: inout SeededRandom) -> OperandNode? {
    guard let path = pick(["date"], &random) else { return nil }
    let zone = random.oneIn(2) ? ConstantNode(.value(.string(random.pick(Self.zones)))) : nil
    return .function(FunctionNode(random.pick(Self.parts), of: .keyPath(path), timeZone: zone))
  }

  private func length(_ random: inout SeededRandom) -> OperandNode? {
    guard let path = pick(["string", "data"], &random) else { return nil }
    return .function(FunctionNode(.length, of: .keyPath(path)))
  }

  private func constant(_ random: inout SeededRandom) -> ConstantNode {
    let values: [StoredValue] = [
      .int(Int64(random.int(-3...9))), .int(Int64(random.int(0...3))), .int(2000),
      .int(random.pick([.max, .min, 1 << 53 + 1, -(1 << 53) - 1])), .double(1.5), .double(-0.25), .double(0),
    ]
    return ConstantNode(.value(random.pick(values)))
  }

  // MARK: - Text

  private func text(_ random: inout SeededRandom) -> ComparisonNode? {
    guard let path = pick(["string"], &random) else { return nil }
    var left = OperandNode.function(FunctionNode(random.pick([.lowercase, .uppercase]), of: .keyPath(path)))
    if random.oneIn(4) { left = .function(FunctionNode(random.pick([.lowercase, .uppercase]), of: left)) }
    let operation = random.pick([
      ComparisonOperator.equal, .notEqual, .less, .greaterOrEqual, .beginsWith, .endsWith, .contains, .like, .in,
    ])
    let texts = (0..<3).map { _ in ConstantNode(.value(.string(random.pick(RandomFixture.texts)))) }
    if operation == .in {
      return ComparisonNode(left: left, operation: operation, right: .set(texts, SourceRange(0, 0)))
    }
    let options: TextOptions = operation.isRelational ? [] : random.pick([[], .caseInsensitive])
    if random.oneIn(4), let other = pick(["string"], &random) {
      return ComparisonNode(left: left, operation: operation, options: options, right: .keyPath(other))
    }
    return ComparisonNode(left: left, operation: operation, options: options, right: .constant(texts[0]))
  }

  private func pick(_ types: [String], _ random: inout SeededRandom) -> KeyPathNode? {
    let candidates = paths.filter { types.contains($0.type) }
    return candidates.isEmpty ? nil : random.pick(candidates).path
  }
}
