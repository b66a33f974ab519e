import Foundation
import LarderStorage
import TestSupport

@testable import LarderQuery

/// Predicates made at random over a fixture; every one of them is allowed.
struct RandomPredicate {
  let fixture: QueryFixture
  let values: FixtureValues
  private let properties: [String: [QueryFixture.Property]]

  init(_ fixture: QueryFixture, _ values: FixtureValues) {
    self.fixture = fixture
    self.values = values
    properties = Dictionary(
      fixture.classes.map { ($0.name, fixture.properties(of: $0.name)) }, uniquingKeysWith: { first, _ in first })
  }

  func node(_ className: String, _ random: inout SeededRandom, depth: Int = 3) throws -> PredicateNode {
    guard depth > 0, random.oneIn(2) else { return .comparison(try comparison(className, &random, depth)) }
    switch random.int(0...6) {
    case 0, 1, 2:
      return .and(try (0..<random.int(1...3)).map { _ in try node(className, &random, depth: depth - 1) })
    case 3, 4: return .or(try (0..<random.int(1...3)).map { _ in try node(className, &random, depth: depth - 1) })
    case 5: return .not(try node(className, &random, depth: depth - 1))
    default: return random.pick([.constant(true), .constant(false), .and([]), .or([])])
    }
  }

  // MARK: - Paths

  /// A walk over links and collections of objects to a property.
  private struct Walk {
    var components: [KeyPathNode.Component] = []
    var isToMany = false
    var owner: String
  }

  private func walk(_ className: String, _ random: inout SeededRandom, toOneOnly: Bool = false) -> Walk {
    var walk = Walk(owner: className)
    while walk.components.count < 3, random.oneIn(3) {
      let hops = (properties[walk.owner] ?? []).filter { property in
        !isScalar(property) && (property.kind == .one || !toOneOnly)
      }
      guard !hops.isEmpty else { break }
      let hop = random.pick(hops)
      walk.components.append(.init(hop.name))
      walk.isToMany = walk.isToMany || hop.kind != .one
      walk.owner = hop.type
    }
    return walk
  }

  private func isScalar(_ property: QueryFixture.Property) -> Bool { RandomFixture.scalars.contains(property.type) }

  // MARK: - Comparisons

  private func comparison(_ className: String, _ random: inout SeededRandom, _ depth: Int) throws -> ComparisonNode {
    for _ in 0..<40 {
      let walk = walk(className, &random)
      let found: ComparisonNode? =
        switch random.int(0...11) {
        case 10, 11: expressions(className).comparison(&random)
        case 0: try aggregate(walk, &random)
        case 1: try subquery(walk, &random, depth)
        case 2: try columns(className, &random)
        case 3: try objects(walk, &random)
        case 4: try mapElement(walk, &random)
        default: try scalar(walk, &random)
        }
      if let found { return found }
    }
    return ComparisonNode(
      left: .keyPath(KeyPathNode([])), operation: .notEqual,
      right: .constant(ConstantNode(.detachedObject(className: className))))
  }

  /// Returns the expressions that can be computed of the class: its own properties, those of the objects it links to, and how much its collections
  /// hold.
  func expressions(_ className: String) -> RandomExpression {
    let own = properties[className] ?? []
    var paths: [RandomExpression.Path] = []
    for property in own where property.kind == .one {
      if isScalar(property) {
        paths.append((KeyPathNode([.init(property.name)]), property.type))
      } else {
        for end in properties[property.type] ?? [] where end.kind == .one && isScalar(end) {
          paths.append((KeyPathNode([.init(property.name), .init(end.name)]), end.type))
        }
      }
    }
    return RandomExpression(
      paths: paths, collections: own.filter { $0.kind != .one }.map { KeyPathNode([.init($0.name)]) })
  }

  private func scalar(_ walk: Walk, _ random: inout SeededRandom) throws -> ComparisonNode? {
    let candidates = (properties[walk.owner] ?? []).filter { isScalar($0) }
    guard !candidates.isEmpty else { return nil }
    let property = random.pick(candidates)
    var component = KeyPathNode.Component(property.name)
    var (type, isOptional) = (property.type, property.isOptional)
    if property.kind == .map {
      component.part = random.pick([nil, .values, .keys])
      if component.part == .keys { (type, isOptional) = ("string", false) }
    }
    let isToMany = walk.isToMany || property.kind != .one
    var node = try test(type, isOptional, KeyPathNode(walk.components + [component]), &random)
    if component.part == .keys, node.operation == .in || node.operation == .between { return nil }
    node.quantifier = isToMany ? random.pick([.any, Quantifier.none]) : nil
    return flipped(node, &random)
  }

  /// Sometimes the constant on the left, and `ANY list == x` as `x IN list`.
  private func flipped(_ node: ComparisonNode, _ random: inout SeededRandom) -> ComparisonNode {
    guard random.oneIn(4), case .constant = node.right, let mirrored = node.operation.mirrored else { return node }
    var result = node
    (result.left, result.right, result.operation) = (node.right, node.left, mirrored)
    if node.operation == .equal, node.quantifier == .any {
      result.operation = .in
      result.quantifier = nil
    }
    return result
  }

  private func test(
    _ type: String, _ isOptional: Bool, _ path: KeyPathNode, _ random: inout SeededRandom
  ) throws -> ComparisonNode {
    let isText = type == "string" || type == "data"
    let isOrdered = !["bool", "uuid", "objectId"].contains(type)
    var operations: [ComparisonOperator] = [.equal, .notEqual, .in]
    if isOrdered { operations += [.less, .lessOrEqual, .greater, .greaterOrEqual] }
    if isOrdered, !isText { operations += [.between] }
    if isText { operations += [.beginsWith, .endsWith, .contains, .like] }
    let operation = random.pick(operations)
    var options: TextOptions = []
    if !(isText && operation.isRelational), random.oneIn(2) {
      options = random.pick([.caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]])
      if operation == .like { options.remove(.diacriticInsensitive) }
    }
    func constant(_ random: inout SeededRandom) throws -> ConstantNode {
      if isOptional, random.oneIn(5) { return ConstantNode(.null) }
      return ConstantNode(.value(try values.stored(RandomFixture.value(type, &random), type)))
    }
    let right: OperandNode
    switch operation {
    case .in:
      let count = random.oneIn(5) ? 12 : random.int(0...4)
      right = .set(try (0..<count).map { _ in try constant(&random) }, SourceRange(0, 0))
    case .between: right = .set([try constant(&random), try constant(&random)], SourceRange(0, 0))
    default: right = .constant(try constant(&random))
    }
    return ComparisonNode(left: .keyPath(path), operation: operation, options: options, right: right)
  }

  private func mapElement(_ walk: Walk, _ random: inout SeededRandom) throws -> ComparisonNode? {
    let maps = (properties[walk.owner] ?? []).filter { $0.kind == .map && isScalar($0) }
    guard !maps.isEmpty else { return nil }
    let map = random.pick(maps)
    var component = KeyPathNode.Component(map.name)
    component.subscripts = [SubscriptNode(.key(random.pick(RandomFixture.keys)))]
    var node = try test(map.type, true, KeyPathNode(walk.components + [component]), &random)
    node.quantifier = walk.isToMany ? random.pick([.any, Quantifier.none]) : nil
    return node
  }

  private func aggregate(_ walk: Walk, _ random: inout SeededRandom) throws -> ComparisonNode? {
    let collections = (properties[walk.owner] ?? []).filter { $0.kind != .one }
    guard !collections.isEmpty else { return nil }
    let collection = random.pick(collections)
    var path = KeyPathNode(walk.components + [.init(collection.name)])
    var operation = random.pick([ComparisonOperator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
    if random.oneIn(2) {
      path.aggregate = .count
      return ComparisonNode(
        left: .keyPath(path), operation: operation,
        right: .constant(ConstantNode(.value(.int(Int64(random.int(0...4)))))))
    }
    var type = collection.type
    if !isScalar(collection) {
      let ends = (properties[type] ?? []).filter { isScalar($0) && $0.kind == .one }
      guard !ends.isEmpty else { return nil }
      let end = random.pick(ends)
      path.trailing = [.init(end.name)]
      type = end.type
    }
    guard ["int", "double", "float"].contains(type) else { return nil }
    let aggregate = random.pick([AggregateOperator.min, .max, .sum, .average])
    path.aggregate = aggregate
    var constant = PredicateArgument.value(try values.stored(RandomFixture.value(type, &random), type))
    if aggregate == .average { constant = .value(.double(Double(random.int(0...4)))) }
    if aggregate != .sum, random.oneIn(4) {
      constant = .null
      operation = random.pick([.equal, .notEqual])
    }
    return ComparisonNode(left: .keyPath(path), operation: operation, right: .constant(ConstantNode(constant)))
  }

  private func subquery(_ walk: Walk, _ random: inout SeededRandom, _ depth: Int) throws -> ComparisonNode? {
    let collections = (properties[walk.owner] ?? []).filter { $0.kind != .one && !isScalar($0) }
    guard depth > 0, !collections.isEmpty else { return nil }
    let collection = random.pick(collections)
    let inner = try node(collection.type, &random, depth: depth - 2)
    let path = KeyPathNode(walk.components + [.init(collection.name)])
    return ComparisonNode(
      left: .subquery(SubqueryNode(path: path, predicate: inner)),
      operation: random.pick([.equal, .notEqual, .less, .greaterOrEqual, .greater]),
      right: .constant(ConstantNode(.value(.int(Int64(random.int(0...3)))))))
  }

  private func columns(_ className: String, _ random: inout SeededRandom) throws -> ComparisonNode? {
    let (first, second) = (
      walk(className, &random, toOneOnly: true), walk(className, &random, toOneOnly: true)
    )
    let lefts = (properties[first.owner] ?? []).filter { isScalar($0) && $0.kind == .one }
    guard !lefts.isEmpty else { return nil }
    let left = random.pick(lefts)
    let rights = (properties[second.owner] ?? []).filter { $0.type == left.type && $0.kind == .one }
    guard !rights.isEmpty else { return nil }
    var node = try test(
      left.type, false, KeyPathNode(first.components + [.init(left.name)]), &random)
    guard node.operation != .in, node.operation != .between else { return nil }
    node.right = .keyPath(KeyPathNode(second.components + [.init(random.pick(rights).name)]))
    return node
  }

  private func objects(_ walk: Walk, _ random: inout SeededRandom) throws -> ComparisonNode? {
    let links = (properties[walk.owner] ?? []).filter { !isScalar($0) }
    let link = links.isEmpty ? nil : random.pick(links)
    let target = link?.type ?? walk.owner
    guard let classID = values.classIDs[target], let keys = values.keys[target],
      let label = keys.keys.sorted().randomElement(using: &random),
      let key = keys[label]
    else { return nil }
    var constants: [ConstantNode] = [ConstantNode(.object(ObjectLink(classID: classID, key: key)))]
    if random.oneIn(4) { constants = [ConstantNode(.detachedObject(className: target))] }
    let isNilFine = link?.kind == .one || link?.kind == .map
    if isNilFine, random.oneIn(3) { constants = [ConstantNode(.null)] }
    var node = ComparisonNode(
      left: .keyPath(KeyPathNode(walk.components + (link.map { [.init($0.name)] } ?? []))),
      operation: random.pick([.equal, .notEqual]), right: .constant(constants[0]))
    if link == nil, !walk.components.isEmpty { return nil }
    if random.oneIn(4) {
      node.operation = .in
      node.right = .set(constants, SourceRange(0, 0))
    }
    let isToMany = walk.isToMany || (link.map { $0.kind != .one } ?? false)
    node.quantifier = isToMany ? random.pick([.any, Quantifier.none]) : nil
    return node
  }
}
