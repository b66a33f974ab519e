import LarderStorage

/// Fills one object from its line of a dump.
struct DumpRecord {
  let writer: StoreWriter
  /// The objects of each class in the order of the dump.
  let keys: [ClassID: [ObjectKey]]
  /// True if links name objects by their primary keys, where those are never null.
  var linksByPrimaryKey = false

  /// Sets every property but the primary key.
  ///
  /// - Throws: `RecordFault` for a property that is missing, not known, or has a value that does not fit.
  func fill(_ fields: [InputField], _ entry: ClassDescriptor, _ key: ObjectKey, at offset: Int) throws {
    for column in entry.columns {
      let node = try Self.node(column, in: fields, entry, at: offset)
      if !column.isPrimaryKey { try set(node, column, entry, key) }
    }
    guard fields.count > entry.columns.count else { return }
    for field in fields where entry.column(named: field.name) == nil {
      throw RecordFault(offset: field.node.offset, message: "'\(entry.name)' has no property '\(field.name)'")
    }
  }

  static func node(
    _ column: ColumnDescriptor, in fields: [InputField], _ entry: ClassDescriptor, at offset: Int
  ) throws -> InputNode {
    guard let field = fields.first(where: { $0.name == column.name }) else {
      throw RecordFault(offset: offset, message: "the property '\(entry.name).\(column.name)' is missing here")
    }
    return field.node
  }

  static func misfit(_ node: InputNode, _ column: ColumnDescriptor, _ entry: ClassDescriptor) -> RecordFault {
    RecordFault(
      offset: node.offset,
      message: "\(ValueConverter.describe(node.value)) does not fit '\(entry.name).\(column.name)', "
        + "\(TypeName.name(of: column.type))")
  }

  /// Errors of the store that a line brought about.
  static func isFaultOfValue(_ error: StorageError) -> Bool {
    [.typeMismatch, .nullForRequired, .valueTooLarge, .duplicatePrimaryKey].contains(error.code)
  }

  // MARK: - Properties

  private func set(_ node: InputNode, _ column: ColumnDescriptor, _ entry: ClassDescriptor, _ key: ObjectKey) throws {
    let embedded = column.target.flatMap { writer.schema[$0] }.flatMap { $0.isEmbedded ? $0 : nil }
    switch column.collection {
    case .none:
      if let embedded {
        try fillEmbedded(node, embedded) { try writer.createEmbedded(in: entry.id, column.id, key) }
      } else {
        try writer.set(entry.id, column.id, key, try value(node, column, entry))
      }
    case .list:
      let nodes = try elements(node, column, entry)
      guard let embedded else {
        return try writer.lists.assign(entry.id, column.id, key, nodes.map { try value($0, column, entry) })
      }
      for (position, node) in nodes.enumerated() {
        try fillEmbedded(node, embedded) { try writer.insertEmbedded(in: entry.id, column.id, key, at: position) }
      }
    case .set:
      let nodes = try elements(node, column, entry)
      try writer.sets.assign(entry.id, column.id, key, nodes.map { try value($0, column, entry) })
    case .map:
      let pairs = try elements(node, column, entry).map { try pair($0, column, entry) }
      guard let embedded else {
        return try writer.maps.assign(entry.id, column.id, key, pairs.map { ($0.0, try value($0.1, column, entry)) })
      }
      for (name, node) in pairs {
        if case .null = node.value {
          try writer.maps.put(entry.id, column.id, key, [(name, .null)])
        } else {
          try fillEmbedded(node, embedded) {
            try writer.maps.insertEmbedded(in: entry.id, column.id, key, mapKey: name)
          }
        }
      }
    }
  }

  private func elements(
    _ node: InputNode, _ column: ColumnDescriptor, _ entry: ClassDescriptor
  ) throws -> [InputNode] {
    guard case .array(let nodes) = node.value else { throw Self.misfit(node, column, entry) }
    return nodes
  }

  private func pair(
    _ node: InputNode, _ column: ColumnDescriptor, _ entry: ClassDescriptor
  ) throws -> (String, InputNode) {
    guard case .array(let parts) = node.value, parts.count == 2, case .string(let name) = parts[0].value else {
      throw Self.misfit(node, column, entry)
    }
    return (name, parts[1])
  }

  private func fillEmbedded(_ node: InputNode, _ entry: ClassDescriptor, _ make: () throws -> ObjectKey) throws {
    switch node.value {
    case .null: return
    case .object(let fields): try fill(fields, entry, try make(), at: node.offset)
    default:
      throw RecordFault(
        offset: node.offset, message: "an object of '\(entry.name)' was expected, not \(node.value.kind)")
    }
  }

  // MARK: - Values

  private func value(_ node: InputNode, _ column: ColumnDescriptor, _ entry: ClassDescriptor) throws -> StoredValue {
    if column.type == .mixed { return try mixed(node, column, entry) }
    if let target = column.target {
      if case .null = node.value { return .null }
      return .link(try link(node, to: target))
    }
    guard let value = DumpValue.value(node.value, column.type) else { throw Self.misfit(node, column, entry) }
    return value
  }

  private func link(_ node: InputNode, to target: ClassID) throws -> ObjectKey {
    if linksByPrimaryKey, let entry = writer.schema[target], let property = LinkNaming.property(of: entry) {
      guard let name = DumpValue.value(node.value, property.type), !name.isNull,
        let key = try writer.object(target, primaryKey: name)
      else {
        throw RecordFault(
          offset: node.offset,
          message: "\(ValueConverter.describe(node.value)) is the '\(property.name)' of no '\(entry.name)'")
      }
      return key
    }
    let known = keys[target] ?? []
    guard case .integer(let place) = node.value, let index = Int(exactly: place), known.indices.contains(index) else {
      throw RecordFault(
        offset: node.offset,
        message: "\(ValueConverter.describe(node.value)) names none of the \(known.count) objects of "
          + "'\(writer.schema[target]?.name ?? "")'")
    }
    return known[index]
  }

  private func mixed(_ node: InputNode, _ column: ColumnDescriptor, _ entry: ClassDescriptor) throws -> StoredValue {
    if case .null = node.value { return .null }
    guard case .object(let fields) = node.value, fields.count == 1, let field = fields.first else {
      throw Self.misfit(node, column, entry)
    }
    switch field.name {
    case "list":
      return .list(StoredList(try elements(field.node, column, entry).map { try mixed($0, column, entry) }))
    case "map":
      let pairs = try elements(field.node, column, entry).map { try pair($0, column, entry) }
      return .dictionary(StoredDictionary(try pairs.map { (key: $0.0, value: try mixed($0.1, column, entry)) }))
    case "link":
      guard case .array(let parts) = field.node.value, parts.count == 2, case .string(let name) = parts[0].value,
        let target = writer.schema[name]
      else { throw Self.misfit(field.node, column, entry) }
      return .object(ObjectLink(classID: target.id, key: try link(parts[1], to: target.id)))
    default:
      guard let type = TypeName.names.first(where: { $0.name == field.name })?.type,
        let value = DumpValue.value(field.node.value, type), !value.isNull
      else { throw Self.misfit(node, column, entry) }
      return value
    }
  }
}
