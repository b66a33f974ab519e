import LarderStorage

/// Names of column types as mappings and reports write them; a `?` after one means optional.
package enum TypeName {
  package static let names: [(name: String, type: ColumnType)] = [
    ("bool", .bool), ("int", .int), ("float", .float), ("double", .double), ("string", .string), ("data", .data),
    ("date", .date), ("uuid", .uuid), ("objectId", .objectId), ("decimal128", .decimal128), ("link", .link),
    ("mixed", .mixed),
  ]

  /// The name of a type.
  package static func name(of type: ColumnType) -> String {
    names.first { $0.type == type }?.name ?? "type \(type.rawValue)"
  }

  /// A type by the name that mappings write, with whether it ends in `?`.
  package static func parse(_ text: String) -> (type: ColumnType, isOptional: Bool)? {
    let isOptional = text.hasSuffix("?")
    let name = isOptional ? String(text.dropLast()) : text
    let scalars = names.filter { $0.type != .link && $0.type != .mixed }
    return scalars.first { $0.name.lowercased() == name.lowercased() }.map { ($0.type, isOptional) }
  }

  package static var scalarNames: [String] { names.map(\.name).filter { $0 != "link" && $0 != "mixed" } }

  /// A property with its type and what else is to be known of it.
  static func note(_ column: ColumnDescriptor, in schema: StoreSchema) -> String {
    "\(column.name): \(describe(column, in: schema))"
      + (column.isPrimaryKey ? ", primary key" : column.isIndexed ? ", indexed" : "")
  }

  /// A column's type as Swift would write it: `int?`, `[string]`, `Country`, `[Country]`.
  package static func describe(_ column: ColumnDescriptor, in schema: StoreSchema) -> String {
    let target = column.target.map { schema[$0]?.name ?? "class \($0.rawValue)" }
    var text = target ?? name(of: column.type)
    if column.isOptional && (target == nil || column.collection == .none) { text += "?" }
    switch column.collection {
    case .none: return text
    case .list: return "[\(text)]"
    case .set: return "{\(text)}"
    case .map: return "[string: \(text)]"
    }
  }
}
