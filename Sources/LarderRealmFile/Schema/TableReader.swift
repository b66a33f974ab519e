/// Reads what a table says of itself.
struct TableReader {
  private enum Attribute {
    static let indexed: Int64 = 1
    static let optional: Int64 = 16
    static let list: Int64 = 32
    static let dictionary: Int64 = 64
    static let set: Int64 = 128
    static let fullText: Int64 = 256
  }

  private static let noTable: Int64 = 0x7FFF_FFFF

  let reader: NodeReader
  let name: String

  /// A table by its topmost node.
  func table(_ root: Int) throws -> TableLayout {
    let node = try reader.node(root)
    let slots = try reader.slots(node)
    guard !node.isInner, slots.count >= 4, slots.count <= 16 else {
      throw reader.damaged("a table has \(slots.count) parts, not 12 to 14", at: root)
    }
    func slot(_ index: Int) -> Int64 { index < slots.count ? slots[index] : 0 }
    func number(_ index: Int, _ what: String) throws -> UInt64 {
      if case .empty = Slot(slot(index)) { return 0 }
      return try reader.number(slot(index), what)
    }
    func array(_ index: Int, _ what: String) throws -> [Int64] {
      guard let offset = try reader.optionalReference(slot(index), what) else { return [] }
      return try reader.integers(reader.node(offset))
    }
    let flags = try number(12, "the kind of the table") & 3
    guard flags < 3 else { throw reader.damaged("a table is of the kind \(flags), which there is not", at: root) }
    let spec = Spec(
      targets: try array(7, "the tables that links lead to"),
      targetColumns: try array(8, "the columns that links lead to"),
      indexes: try reader.optionalReference(slot(4), "the indexes").map { try reader.slots(reader.node($0)) } ?? [])
    let (columns, backlinks) = try self.columns(reader.reference(slot(0), "the list of columns"), spec)
    return TableLayout(
      name: name, key: Int64(truncatingIfNeeded: try number(3, "the number of the table")), isEmbedded: flags == 1,
      isAsymmetric: flags == 2, root: try reader.reference(slot(2), "the tree of objects"),
      primaryKey: Int64(truncatingIfNeeded: try number(11, "the primary key")), columns: columns, backlinks: backlinks)
  }

  /// The targets and indexes of columns, by their place in a cluster.
  private struct Spec {
    let targets: [Int64]
    let targetColumns: [Int64]
    let indexes: [Int64]

    func target(_ leafIndex: Int) -> Int64? {
      leafIndex < targets.count && targets[leafIndex] != noTable ? targets[leafIndex] : nil
    }

    func isIndexed(_ leafIndex: Int) -> Bool { leafIndex < indexes.count && indexes[leafIndex] != 0 }
  }

  private func columns(_ root: Int, _ spec: Spec) throws -> ([ColumnLayout], [BacklinkLayout]) {
    let node = try reader.node(root)
    let slots = try reader.slots(node)
    guard slots.count >= 6, slots.count <= 8, !node.isInner else {
      throw reader.damaged("a list of columns has \(slots.count) parts, not 6", at: root)
    }
    let types = try reader.integers(reader.node(reader.reference(slots[0], "the types of columns")))
    let names = try reader.names(reader.node(reader.reference(slots[1], "the names of columns")))
    let attributes = try integers(slots[2], "the attributes of columns", count: types.count)
    let keys = try integers(slots[5], "the keys of columns", count: types.count)
    let enumerations =
      try reader.optionalReference(slots[4], "texts that are kept once").map { try reader.slots(reader.node($0)) } ?? []
    guard types.count <= 0x1_0000, Set(keys.map(ColumnLayout.leafIndex)).count == keys.count else {
      throw reader.damaged("columns are in one place", at: root)
    }
    var (columns, backlinks): ([ColumnLayout], [BacklinkLayout]) = ([], [])
    for index in types.indices {
      if types[index] & 0xFFFF == 14 {
        backlinks.append(try backlink(keys[index], spec, root))
        continue
      }
      guard backlinks.isEmpty, index < names.count else { throw reader.damaged("a column has no name", at: root) }
      columns.append(
        try column(
          names[index], types[index], attributes[index], keys[index],
          enumeration: index < enumerations.count ? enumerations[index] : 0, spec))
    }
    guard names.count == columns.count else { throw reader.damaged("a name has no column", at: root) }
    return (columns, backlinks)
  }

  private func integers(_ slot: Int64, _ what: String, count: Int) throws -> [Int64] {
    try reader.integers(reader.node(reader.reference(slot, what)), count: count)
  }

  private func backlink(_ key: Int64, _ spec: Spec, _ root: Int) throws -> BacklinkLayout {
    let leafIndex = ColumnLayout.leafIndex(key)
    guard let table = spec.target(leafIndex), leafIndex < spec.targetColumns.count else {
      throw reader.damaged("a column does not say where its links come from", at: root)
    }
    return BacklinkLayout(leafIndex: leafIndex, originTable: table, originColumn: spec.targetColumns[leafIndex])
  }

  private func column(
    _ column: String, _ type: Int64, _ attributes: Int64, _ key: Int64, enumeration: Int64, _ spec: Spec
  ) throws -> ColumnLayout {
    let reader = reader.at("\(name).\(column)")
    func has(_ attribute: Int64) -> Bool { attributes & attribute != 0 }
    let collections: [(Int64, RealmFileProperty.Collection)] = [
      (Attribute.list, .list), (Attribute.set, .set), (Attribute.dictionary, .dictionary),
    ]
    let found = collections.filter { has($0.0) }
    guard found.count <= 1 else { throw reader.damaged("it is a list and a set or a dictionary at once") }
    let valueType = try Self.valueType(type & 0xFFFF, reader)
    let leafIndex = ColumnLayout.leafIndex(key)
    let isFullText = has(Attribute.fullText)
    return ColumnLayout(
      name: column, key: key, type: valueType,
      // Before format 24 lists of links had a type of their own.
      collection: found.first?.1 ?? (type & 0xFFFF == 13 ? .list : .none), isOptional: has(Attribute.optional),
      isIndexed: !isFullText && (has(Attribute.indexed) || spec.isIndexed(leafIndex)), isFullText: isFullText,
      hasIntegerKeys: has(Attribute.dictionary) && type >> 16 == 0,
      target: valueType == .link ? spec.target(leafIndex) : nil,
      enumeration: try reader.optionalReference(enumeration, "texts that are kept once"))
  }

  private static func valueType(_ type: Int64, _ reader: NodeReader) throws -> RealmFileProperty.ValueType {
    switch type {
    case 0: return .int
    case 1: return .bool
    case 2: return .string
    case 4: return .data
    case 6: return .mixed
    case 8: return .date
    case 9: return .float
    case 10: return .double
    case 11: return .decimal
    case 12, 13: return .link
    case 15: return .objectId
    case 17: return .uuid
    default: throw reader.damaged("it has the type \(type), which no class of Realm has")
    }
  }
}
