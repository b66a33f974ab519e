import LarderStorage

/// The content of one cell of a table: a scalar, or JSON for all else.
enum ExportCell {
  case null
  case scalar(StoredValue)
  case json(String)
}

/// Reads the properties of a store's objects as cells.
final class ExportCells {
  let reader: any StoreReader
  let places: ObjectPlaces
  private var line: ObjectLine

  init(_ reader: any StoreReader) {
    self.reader = reader
    let places = ObjectPlaces(reader)
    self.places = places
    line = ObjectLine(reader) { entry, key in
      try Self.name(entry, key, reader, places).map { DumpValue.text($0) }
    }
  }

  /// Links to objects that are deleted: they read as nil and are left out of lists and sets.
  var danglingLinks: Int { line.danglingLinks + danglingCells }
  private var danglingCells = 0

  private static func name(
    _ entry: ClassDescriptor, _ key: ObjectKey, _ reader: any StoreReader, _ places: ObjectPlaces
  ) throws -> StoredValue? {
    guard let property = LinkNaming.property(of: entry) else {
      return try places.place(of: key, in: entry.id).map { .int(Int64($0)) }
    }
    return try reader.contains(entry.id, key) ? try reader.value(entry.id, property.id, key) : nil
  }

  /// A property as JSON.
  func json(_ column: ColumnDescriptor, _ entry: ClassDescriptor, _ key: ObjectKey) throws -> String {
    try line.property(column, entry, key)
  }

  /// A property in one cell; collections are JSON.
  func cell(_ column: ColumnDescriptor, _ entry: ClassDescriptor, _ key: ObjectKey) throws -> ExportCell {
    guard column.collection == .none else { return .json(try line.property(column, entry, key)) }
    return try cell(try reader.value(entry.id, column.id, key), column) ?? .null
  }

  /// The elements of a list or set, each in a cell.
  func elements(_ column: ColumnDescriptor, _ entry: ClassDescriptor, _ key: ObjectKey) throws -> [ExportCell] {
    try reader.list(entry.id, column.id, key).values().compactMap { try cell($0, column) }
  }

  /// The entries of a map.
  func entries(
    _ column: ColumnDescriptor, _ entry: ClassDescriptor, _ key: ObjectKey
  ) throws -> [(key: StoredValue, cell: ExportCell)] {
    let map = try reader.map(entry.id, column.id, key)
    return try zip(try map.keys.values(), try map.values.values()).map { ($0, try cell($1, column) ?? .null) }
  }

  /// A value; nil for a link to an object that is deleted.
  private func cell(_ value: StoredValue, _ column: ColumnDescriptor) throws -> ExportCell? {
    if value.isNull { return .null }
    guard column.type != .mixed, let target = column.target.flatMap({ reader.schema[$0] }) else {
      return column.type == .mixed ? try line.value(value, column, 0).map { .json($0) } : .scalar(value)
    }
    guard !target.isEmbedded, case .link(let key) = value else {
      return try line.value(value, column, 0).map { .json($0) }
    }
    guard let name = try Self.name(target, key, reader, places) else {
      danglingCells += 1
      return nil
    }
    return .scalar(name)
  }
}
