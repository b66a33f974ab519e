import Foundation
import LarderStorage
import Testing

/// Compares a store, value by value, with what realm-core read from a `.realm` file.
struct DumpComparison {
  let snapshot: Snapshot
  private let header: DumpNode
  private let objects: [DumpNode]
  /// Keys in the store, by class and key in the file.
  private var keys: [String: [Int: ObjectKey]] = [:]
  /// The places where values differ.
  private(set) var differences: [String] = []
  /// The number of values that were compared.
  private(set) var values = 0
  private var place = ""

  init(_ snapshot: Snapshot, _ path: String) throws {
    self.snapshot = snapshot
    let lines = try DumpNode.lines(of: path)
    header = try #require(lines.first)
    objects = Array(lines.dropFirst())
  }

  mutating func run() throws {
    try compareSchema()
    try pairKeys()
    for object in objects {
      guard let (entry, key) = try find(object), let values = object["values"] else { continue }
      place = "\(entry.name) \(object["key"]?.text ?? "?")"
      try compare(values, entry, key)
      try compareBacklinks(object["backlinks"], entry, key)
    }
  }

  private mutating func differ(_ what: String) { differences.append("\(place): \(what)") }

  private mutating func expect(_ isEqual: Bool, _ what: @autoclosure () -> String) {
    values += 1
    if !isEqual { differ(what()) }
  }

  // MARK: - Schema

  private static let types: [String: ColumnType] = [
    "int": .int, "bool": .bool, "float": .float, "double": .double, "string": .string, "data": .data, "date": .date,
    "objectId": .objectId, "uuid": .uuid, "decimal": .decimal128, "mixed": .mixed, "link": .link,
  ]
  private static let collections: [String: CollectionKind] = ["list": .list, "set": .set, "dictionary": .map]

  private mutating func compareSchema() throws {
    expect(header["schemaVersion"]?.text == "\(snapshot.schema.schemaVersion ?? 0)", "schema version")
    let classes = header["classes"]?.elements ?? []
    expect(classes.count == snapshot.schema.classes.count, "classes")
    for expected in classes {
      guard let name = expected["name"]?.text, let entry = snapshot.schema[name] else {
        differ("a class is missing")
        continue
      }
      place = name
      if case .bool(let isEmbedded)? = expected["embedded"] { expect(entry.isEmbedded == isEmbedded, "embedded") }
      expect(entry.primaryKey?.name == expected["primaryKey"]?.text, "primary key")
      let properties = expected["properties"]?.elements ?? []
      expect(properties.map { $0["name"]?.text } == entry.columns.map(\.name), "properties")
      for (property, column) in zip(properties, entry.columns) { compare(property, column) }
    }
  }

  private mutating func compare(_ property: DumpNode, _ column: ColumnDescriptor) {
    func flag(_ name: String) -> Bool {
      if case .bool(let isSet)? = property[name] { isSet } else { false }
    }
    expect(property["type"]?.text.map { Self.types[$0] } == column.type, "type of \(column.name)")
    let kind = property["collection"]?.text.flatMap { Self.collections[$0] } ?? .none
    expect(kind == column.collection, "collection of \(column.name)")
    expect(flag("optional") == column.isOptional, "optionality of \(column.name)")
    // Values of any type have no index in a store.
    expect((flag("indexed") && column.type != .mixed) == column.hasIndex, "index of \(column.name)")
    expect(flag("fullText") == column.isFullText, "full-text index of \(column.name)")
    expect(
      property["target"]?.text == column.target.flatMap { snapshot.schema[$0]?.name }, "target of \(column.name)")
  }

  // MARK: - Objects

  private mutating func pairKeys() throws {
    var expected: [String: [Int]] = [:]
    for object in objects {
      guard let name = object["class"]?.text, let key = object["key"]?.text.flatMap({ Int($0) }) else { continue }
      expected[name, default: []].append(key)
    }
    for entry in snapshot.schema.classes where !entry.isEmbedded {
      let stored = try snapshot.keys(of: entry.id)
      place = entry.name
      expect(stored.count == expected[entry.name]?.count ?? 0, "number of objects")
      keys[entry.name] = Dictionary(uniqueKeysWithValues: zip(expected[entry.name] ?? [], stored))
    }
  }

  private func find(_ object: DumpNode) throws -> (ClassDescriptor, ObjectKey)? {
    guard let name = object["class"]?.text, let entry = snapshot.schema[name],
      let key = object["key"]?.text.flatMap({ Int($0) }), let stored = keys[name]?[key]
    else { return nil }
    return (entry, stored)
  }

  private mutating func compare(_ values: DumpNode, _ entry: ClassDescriptor, _ key: ObjectKey) throws {
    expect(values.members.count == entry.columns.count, "number of values")
    for column in entry.columns {
      guard let expected = values[column.name] else {
        differ("\(column.name) is not in the dump")
        continue
      }
      switch column.collection {
      case .none: try compare(expected, try snapshot.value(entry.id, column.id, key), column)
      case .list:
        let found = try snapshot.list(entry.id, column.id, key).values()
        expect(found.count == expected.elements.count, "number of elements in \(column.name)")
        for (node, value) in zip(expected.elements, found) { try compare(node, value, column) }
      case .set: try compareSet(expected.elements, try snapshot.set(entry.id, column.id, key).values(), column)
      case .map:
        let map = try snapshot.map(entry.id, column.id, key)
        expect(map.count == expected.members.count, "number of keys in \(column.name)")
        for (position, member) in expected.members.prefix(map.count).enumerated() {
          expect(try map.key(at: position).utf8.elementsEqual(member.key.utf8), "key \(position) of \(column.name)")
          try compare(member.value, try map.value(at: position), column)
        }
      }
    }
  }

  /// Orders differ: each element has to be there once.
  private mutating func compareSet(
    _ expected: [DumpNode], _ found: [StoredValue], _ column: ColumnDescriptor
  ) throws {
    expect(found.count == expected.count, "number of elements in \(column.name)")
    var rest = found
    for (position, node) in expected.enumerated() {
      // Where orders are alike the first one is it.
      let place = rest.firstIndex { fits(node, $0, column) }
      expect(place != nil, "element \(position) of \(column.name)")
      if let place { rest.remove(at: place) }
    }
  }

  private mutating func compare(_ node: DumpNode, _ value: StoredValue, _ column: ColumnDescriptor) throws {
    if let embedded = node["$embedded"] {
      guard case .link(let key) = value, let target = column.target.flatMap({ snapshot.schema[$0] }) else {
        return differ("\(column.name) has no embedded object")
      }
      return try compare(embedded, target, key)
    }
    expect(fits(node, value, column), "\(column.name) is \(value), not \(node)")
  }

  private mutating func compareBacklinks(_ node: DumpNode?, _ entry: ClassDescriptor, _ key: ObjectKey) throws {
    for member in node?.members ?? [] {
      let parts = member.key.split(separator: ".", maxSplits: 1)
      guard parts.count == 2, let origin = snapshot.schema[String(parts[0])],
        let column = origin.column(named: String(parts[1]))
      else {
        differ("backlinks from \(member.key)")
        continue
      }
      let found = try snapshot.backlinks(
        to: ObjectLink(classID: entry.id, key: key), from: origin.id, column.id)
      // Where embedded objects are in the store only their owners tell.
      guard !origin.isEmbedded else {
        expect(found.count == member.value.elements.count, "number of backlinks from \(member.key)")
        continue
      }
      let expected = member.value.elements.compactMap { $0.text.flatMap { Int($0) } }.map { keys[origin.name]?[$0] }
      expect(expected.compactMap { $0 }.sorted() == found, "backlinks from \(member.key)")
    }
  }

  // MARK: - Values

  private func fits(_ node: DumpNode, _ value: StoredValue, _ column: ColumnDescriptor) -> Bool {
    switch (node, value) {
    case (.null, .null): true
    case (.bool(let expected), .bool(let found)): expected == found
    case (.string(let expected), .string(let found)): expected.utf8.elementsEqual(found.utf8)
    case (.array(let expected), .list(let found)):
      expected.count == found.count && zip(expected, found).allSatisfy { fits($0, $1, column) }
    case (.object(let members), _) where members.first?.key.hasPrefix("$") ?? false:
      members.first.map { fitsTagged($0.key, $0.value, value, column) } ?? false
    case (.object(let members), .dictionary(let found)):
      members.count == found.count
        && zip(members, found).allSatisfy { member, entry in
          member.key.utf8.elementsEqual(entry.key.utf8) && fits(member.value, entry.value, column)
        }
    default: column.type != .mixed && node.text.map { fitsNumber($0, value) } ?? false
    }
  }

  private func fitsNumber(_ text: String, _ value: StoredValue) -> Bool {
    switch value {
    case .int(let found): return text == "\(found)"
    case .float(let found):
      let expected = text == "NaN" ? Float.nan : Float(text)
      return expected.map { $0.isNaN ? found.isNaN : $0.bitPattern == found.bitPattern } ?? false
    case .double(let found):
      let expected = text == "NaN" ? Double.nan : Double(text)
      return expected.map { $0.isNaN ? found.isNaN : $0.bitPattern == found.bitPattern } ?? false
    default: return false
    }
  }

  private func fitsTagged(_ tag: String, _ node: DumpNode, _ value: StoredValue, _ column: ColumnDescriptor) -> Bool {
    switch (tag, value) {
    case ("$data", .data(let found)): return node.text == found.base64EncodedString()
    case ("$oid", .objectId): return node.text == value.shortDescription
    case ("$uuid", .uuid(let found)): return node.text == found.uuidString.lowercased()
    case ("$decimal", .decimal128(let found)): return node.text == DecimalText.of(found)
    case ("$date", .date(let found)):
      let parts = node.elements.compactMap { $0.text.flatMap { Int64($0) } }
      guard parts.count == 2 else { return false }
      return parts[1] < 0 && parts[0] == .min
        ? found == Timestamp(seconds: .min)
        : found.seconds == parts[0] - (parts[1] < 0 ? 1 : 0)
          && Int64(found.nanoseconds) == (parts[1] + 1_000_000_000) % 1_000_000_000
    case ("$link", .link(let found)):
      let target = column.target.flatMap { snapshot.schema[$0]?.name }
      return node.elements.first?.text == target && linked(node) == found
    case ("$link", .object(let found)):
      return node.elements.first?.text == snapshot.schema[found.classID]?.name && linked(node) == found.key
    case ("$mixed", _):
      let kinds: [String: ColumnType] = ["int": .int, "float": .float, "double": .double]
      guard let kind = node.elements.first?.text, kinds[kind] == value.type else { return false }
      return node.elements.last?.text.map { fitsNumber($0, value) } ?? false
    default: return false
    }
  }

  private func linked(_ node: DumpNode) -> ObjectKey? {
    guard let name = node.elements.first?.text, let key = node.elements.last?.text.flatMap({ Int($0) }) else {
      return nil
    }
    return keys[name]?[key]
  }
}

/// Decimals as the samples write them: digits and exponent as they are stored.
private enum DecimalText {
  static func of(_ bits: Decimal128Bits) -> String {
    let sign = bits.high >> 63 == 1 ? "-" : ""
    switch bits.high >> 58 & 31 {
    case 31: return "NaN"
    case 30: return sign + "Infinity"
    default:
      let exponent = Int(bits.high >> 49 & 0x3FFF) - 6176
      let digits = UInt128(bits.high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(bits.low)
      return "\(sign)\(digits)E\(exponent)"
    }
  }
}
