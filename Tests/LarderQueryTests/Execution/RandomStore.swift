import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

/// A store with a class of every column type, filled at random, and predicates made at random over it.
struct RandomStore {
  let directory: TemporaryDirectory
  let store: Store
  let classID: ClassID

  static let scalars: [(name: String, type: ColumnType, optional: Bool, indexed: Bool)] = [
    ("flag", .bool, false, false), ("flagOpt", .bool, true, true), ("tiny", .int, false, false),
    ("number", .int, false, true), ("wide", .int, true, false), ("ratio", .double, false, true),
    ("ratioOpt", .double, true, false), ("single", .float, true, true), ("name", .string, false, true),
    ("nick", .string, true, false), ("blob", .data, true, true), ("day", .date, true, true),
    ("uuid", .uuid, true, false), ("oid", .objectId, false, true), ("price", .decimal128, true, false),
  ]

  static let declarations = [
    ClassDeclaration(
      name: "Item",
      columns: scalars.map {
        ColumnDeclaration(name: $0.name, type: $0.type, isOptional: $0.optional, isIndexed: $0.indexed)
      } + [
        ColumnDeclaration(name: "next", type: .link, target: "Item"),
        ColumnDeclaration(name: "items", type: .link, collection: .list, target: "Item"),
        ColumnDeclaration(name: "ints", type: .int, collection: .list, isOptional: true),
        ColumnDeclaration(name: "words", type: .string, collection: .list),
      ],
      indexes: [
        IndexDeclaration(["tiny", "name"]), IndexDeclaration(["day", "number", "nick"]), IndexDeclaration(["nick"]),
      ])
  ]

  init(_ random: inout SeededRandom, objects: Int, clusterSize: Int, key: EncryptionKey? = nil) throws {
    directory = try TemporaryDirectory()
    var options = StoreOptions()
    options.clusterSize = clusterSize
    options.durability = .none
    options.encryptionKey = key
    store = try Store.open(path: directory.file("random.larder"), options: options)
    let writer = try store.beginWrite()
    try writer.apply(Self.declarations, schemaVersion: 1)
    let item = try #require(writer.schema["Item"])
    classID = item.id
    let keys = try (0..<objects).map { _ in try writer.create(item.id) }
    for key in keys { try Self.fill(writer, item, key, keys, &random) }
    for key in keys where random.oneIn(5) { try writer.delete(item.id, key) }
    try writer.commit()
  }

  private static func fill(
    _ writer: StoreWriter, _ item: ClassDescriptor, _ key: ObjectKey, _ keys: [ObjectKey], _ random: inout SeededRandom
  ) throws {
    for column in item.columns where column.collection == .none && column.type != .link {
      // Some slots are never written, so that leaves are missing or short.
      if random.oneIn(6) { continue }
      try writer.set(item.id, column.id, key, value(column.type, optional: column.isOptional, &random))
    }
    let (next, items) = (try #require(item.column(named: "next")), try #require(item.column(named: "items")))
    let (ints, words) = (try #require(item.column(named: "ints")), try #require(item.column(named: "words")))
    if !random.oneIn(3) { try writer.setLink(item.id, next.id, key, random.pick(keys)) }
    let links = (0..<random.int(0...4)).map { _ in StoredValue.link(random.pick(keys)) }
    if !links.isEmpty { try writer.lists.insert(item.id, items.id, key, at: 0, links) }
    let numbers = (0..<random.int(0...4)).map { _ in value(.int, optional: true, &random) }
    if !numbers.isEmpty { try writer.lists.insert(item.id, ints.id, key, at: 0, numbers) }
    let listed = (0..<random.int(0...3)).map { _ -> StoredValue in
      StoredValue.string(random.pick(Self.texts))
    }
    if !listed.isEmpty { try writer.lists.insert(item.id, words.id, key, at: 0, listed) }
  }

  static let texts = [
    "", "a", "ab", "abc", "Ab", "ABC", "b", "ba", "zebra", "é", "É", "e\u{301}", "straße", "ПРИВЕТ", "привет", "🦄",
    "a*b", "a?b", "abcdefgh", "abcdefghi", "abcdefghj", String(repeating: "x", count: 3000),
  ]

  /// Few different values, so that equality and ties happen; with the extremes of the type.
  static func value(_ type: ColumnType, optional: Bool, _ random: inout SeededRandom) -> StoredValue {
    if optional, random.oneIn(4) { return .null }
    switch type {
    case .bool: return .bool(random.oneIn(2))
    case .int:
      return .int(
        random.oneIn(30) ? random.pick([Int64.min, .max, -1, 300, 70_000, 1 << 40]) : Int64(random.int(0...9)))
    case .float: return .float(random.pick([-0.0, 0, 1.5, -2.25, .nan, .infinity, 0.1, 3]))
    case .double: return .double(random.pick([-0.0, 0, 1.5, -2.25, .nan, -.infinity, 0.1, 3, 1e300]))
    case .string: return .string(random.pick(texts))
    case .data: return .data(Data(random.pick(texts).utf8))
    case .date:
      return .date(
        Timestamp(seconds: Int64(random.int(-3...3)), nanoseconds: UInt32(random.pick([0, 1, 999_999_999]))))
    case .uuid:
      let byte = UInt8(random.int(0...3))
      return .uuid(UUID(uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte)))
    case .objectId:
      return .objectId(ObjectIdBytes(high: UInt64(random.int(0...3)) << 62, low: UInt32(random.int(0...2))))
    case .decimal128:
      return .decimal128(
        DecimalNumber(random.pick(["0", "-0", "1", "1.0", "10E-1", "-3.5", "1e20", "Inf", "NaN"]))!.bits)
    case .link, .mixed: return .null
    }
  }

  // MARK: - Predicates

  static func predicate(_ random: inout SeededRandom, depth: Int = 3) -> (String, [PredicateArgument]) {
    if depth > 0, random.oneIn(2) {
      let (left, first) = predicate(&random, depth: depth - 1)
      if random.oneIn(4) { return ("NOT (\(left))", first) }
      let (right, second) = predicate(&random, depth: depth - 1)
      return ("(\(left)) \(random.oneIn(2) ? "AND" : "OR") (\(right))", first + second)
    }
    return comparison(&random)
  }

  private static func comparison(_ random: inout SeededRandom) -> (String, [PredicateArgument]) {
    let column = random.pick(scalars)
    switch random.int(0...13) {
    case 12, 13: return expression(&random)
    case 0:
      return ("ANY ints \(random.pick(["==", "<", ">=", "!="])) %@", [.value(value(.int, optional: true, &random))])
    case 1:
      return (
        "\(random.pick(["ANY", "NONE"])) words \(random.pick(["==", "CONTAINS", "BEGINSWITH[c]", "LIKE"])) %@",
        [.value(value(.string, optional: false, &random))]
      )
    case 2: return ("next == nil", [])
    case 3: return ("items.@count \(random.pick(["==", ">", "<="])) %d", [.value(.int(Int64(random.int(0...4))))])
    case 4, 5:
      let (text, arguments) = comparison(column, "next." + (random.oneIn(3) ? "next." : ""), &random)
      return (text, arguments)
    case 6:
      let (text, arguments) = comparison(column, random.pick(["items.", "next.items.", "items.next."]), &random)
      return ((random.oneIn(3) ? "NONE " : "ANY ") + text, arguments)
    case 7: return ("tiny \(random.pick(["<", "==", ">="])) number", [])
    case 8: return ("SUBQUERY(items, $x, $x.tiny > %d).@count > 0", [.value(.int(Int64(random.int(0...9))))])
    default: return comparison(column, "", &random)
    }
  }

  /// Returns an expression that is computed of the object, or of the one that it links to, compared with a number or with the same of another.
  private static func expression(_ random: inout SeededRandom) -> (String, [PredicateArgument]) {
    func term(_ random: inout SeededRandom) -> String {
      let prefix = random.pick(["", "", "next."])
      return switch random.int(0...5) {
      case 0: "length(\(prefix)\(random.pick(["name", "nick", "blob"])))"
      case 1: "\(random.pick(["year", "day", "hour", "second", "weekday"]))(\(prefix)day)"
      case 2: "\(random.pick(["day", "minute"]))(\(prefix)day, 'Asia/Kathmandu')"
      default: prefix + random.pick(["tiny", "number", "wide", "ratio", "ratioOpt", "single"])
      }
    }
    let operation = random.pick(["+", "-", "*", "/", "%%"])
    let comparison = random.pick(["==", "!=", "<", "<=", ">", ">="])
    let left = "\(term(&random)) \(operation) \(random.oneIn(2) ? term(&random) : "\(random.int(0...4))")"
    if random.oneIn(3) { return ("\(left) \(comparison) \(term(&random))", []) }
    return ("\(left) \(comparison) %@", [.value(value(random.pick([.int, .double]), optional: false, &random))])
  }

  private static func comparison(
    _ column: (name: String, type: ColumnType, optional: Bool, indexed: Bool), _ prefix: String,
    _ random: inout SeededRandom
  ) -> (String, [PredicateArgument]) {
    let path = prefix + column.name
    func constant() -> PredicateArgument { .value(value(column.type, optional: column.optional, &random)) }
    let isText = column.type == .string || column.type == .data
    let isOrdered = isText || ![.bool, .uuid, .objectId].contains(column.type)
    switch random.int(0...6) {
    case 0, 1: return ("\(path) \(random.pick(["==", "!="])) %@", [constant()])
    case 2: return ("\(path) IN %@", [.list((0..<random.int(0...4)).map { _ in constant() })])
    case 3 where isOrdered && !isText: return ("\(path) BETWEEN %@", [.list([constant(), constant()])])
    case 4 where isText:
      let operation = random.pick(["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "=="])
      return ("\(path) \(operation)\(random.pick(["", "[c]", ""])) %@", [constant()])
    case 5 where isText && column.type == .string:
      return (
        "\(path) \(random.pick(["BEGINSWITH", "CONTAINS", "=="]))\(random.pick(["[d]", "[cd]"])) %@", [constant()]
      )
    default: return ("\(path) \(isOrdered ? random.pick(["<", "<=", ">", ">="]) : "==") %@", [constant()])
    }
  }
}
