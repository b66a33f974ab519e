import LarderStorage

/// The tables of a SQLite file that hold the classes of a store.
struct SQLiteTables {
  /// The table that holds the schema as a dump's first line.
  static let schemaTable = "larder_schema"
  static let rowColumn = "_row"

  /// One class: a table with a row for each object, and one for each list, set and map.
  struct Class {
    var declaration: ClassDeclaration
    var table: String
    /// Properties in the class's own table, with their columns.
    var columns: [(property: ColumnDeclaration, column: String)] = []
    /// Properties in tables of their own.
    var collections: [(property: ColumnDeclaration, table: String)] = []
    /// Views of these under the names that they have in SQL over a store.
    var views: [(property: ColumnDeclaration, table: String, view: String)] = []
  }

  private(set) var classes: [Class] = []
  private let types: ExportTypes

  init(_ header: DumpHeader) {
    types = ExportTypes(header)
    var tables = Names([Self.schemaTable])
    let declarations = header.classes.map(\.declaration).filter { !$0.isEmbedded }
    classes = declarations.map { Class(declaration: $0, table: tables.unique($0.name)) }
    for index in classes.indices {
      var columns = Names([Self.rowColumn])
      for property in classes[index].declaration.columns {
        if property.collection == .none {
          classes[index].columns.append((property, columns.unique(property.name)))
        } else {
          let table = tables.unique("\(classes[index].declaration.name).\(property.name)")
          classes[index].collections.append((property, table))
        }
      }
    }
    for index in classes.indices {
      // Of embedded objects a store shows the properties, and a file has their JSON.
      for (property, table) in classes[index].collections where property.type != .link || types.scalar(property) != nil
      {
        guard let view = tables.unused("\(classes[index].table)_\(property.name)") else { continue }
        classes[index].views.append((property, table, view))
      }
    }
  }

  /// Names that SQLite tells apart: it does not look at case, and keeps some for itself.
  private struct Names {
    private var used: Set<String>

    init(_ used: Set<String>) { self.used = used }

    mutating func unique(_ name: String) -> String {
      let base = name.isEmpty || name.lowercased().hasPrefix("sqlite_") ? "_\(name)" : name
      var found = base
      var number = 2
      while !used.insert(found.lowercased()).inserted {
        found = "\(base)~\(number)"
        number += 1
      }
      return found
    }

    /// The name; nil where it is taken.
    mutating func unused(_ name: String) -> String? { used.insert(name.lowercased()).inserted ? name : nil }
  }

  static func quote(_ name: String) -> String { CSVText.doublingQuotes(name) }

  /// The statements that make the tables of a class.
  func definitions(_ entry: Class) -> [String] {
    let columns = entry.columns.map { property, column in
      Self.quote(column) + " " + type(property)
        + (property.isPrimaryKey ? (property.isOptional ? " UNIQUE" : " NOT NULL UNIQUE") : "") + reference(property)
    }
    let all = ["\(Self.rowColumn) INTEGER PRIMARY KEY"] + columns
    return ["CREATE TABLE \(Self.quote(entry.table)) (\(all.joined(separator: ", ")))"]
      + entry.collections.map { property, table in
        let key = property.collection == .map ? "\"key\" TEXT NOT NULL, " : ""
        return "CREATE TABLE \(Self.quote(table)) (\"owner\" INTEGER NOT NULL REFERENCES \(Self.quote(entry.table)), "
          + "\"position\" INTEGER NOT NULL, \(key)\"value\" \(type(property))\(reference(property)), "
          + "PRIMARY KEY (\"owner\", \"position\")) WITHOUT ROWID"
      }
  }

  /// The statements that make the views of a class.
  func viewDefinitions(_ entry: Class) -> [String] {
    entry.views.map { property, table, view in
      let place =
        switch property.collection {
        case .list: "\"position\", "
        case .map: "\"key\", "
        case .set, .none: ""
        }
      return "CREATE VIEW \(Self.quote(view)) AS SELECT \"owner\", \(place)\"value\" FROM \(Self.quote(table))"
    }
  }

  private func reference(_ property: ColumnDeclaration) -> String {
    guard property.type == .link, let target = classes.first(where: { $0.declaration.name == property.target }) else {
      return ""
    }
    let key = target.columns.first { $0.property.isPrimaryKey && !$0.property.isOptional }?.column ?? Self.rowColumn
    return " REFERENCES \(Self.quote(target.table)) (\(Self.quote(key)))"
  }

  private func type(_ property: ColumnDeclaration) -> String {
    switch types.scalar(property) {
    case .bool, .int: "INTEGER"
    case .float, .double: "REAL"
    case .data: "BLOB"
    default: "TEXT"
    }
  }

  // MARK: - Values

  static func value(_ cell: ExportCell) -> SQLiteStatement.Value {
    switch cell {
    case .null: .null
    case .json(let json): .text(json)
    case .scalar(.bool(let bool)): .integer(bool ? 1 : 0)
    case .scalar(.int(let int)): .integer(int)
    case .scalar(.float(let float)) where keeps(Double(float)): .real(Double(float))
    case .scalar(.double(let double)) where keeps(double): .real(double)
    case .scalar(.string(let string)): .text(string)
    case .scalar(.data(let data)): .blob(data)
    case .scalar(.float(let float)): .text("bits:" + String(float.bitPattern, radix: 16))
    case .scalar(.double(let double)): .text("bits:" + String(double.bitPattern, radix: 16))
    case .scalar(let value): .text(DumpValue.bare(value))
    }
  }

  /// SQLite makes null of what is no number, and keeps no sign of zero.
  private static func keeps(_ double: Double) -> Bool {
    !double.isNaN && !(double == 0 && double.sign == .minus)
  }

  /// Returns the value of a property's cell in the form of a dump.
  ///
  /// - Throws: `RecordFault` for JSON that is none.
  func input(_ value: SQLiteStatement.Value, _ property: ColumnDeclaration) throws -> InputValue {
    switch (value, types.scalar(property)) {
    case (.null, _): return .null
    case (.integer(let integer), .bool): return .bool(integer != 0)
    case (.integer(let integer), _): return .integer(integer)
    case (.real(let real), _):
      return real.isFinite ? .number(real, text: String(describing: real)) : .string(String(describing: real))
    case (.blob(let data), _): return .string(data.base64EncodedString())
    case (.text(let text), nil): return try ExportTypes.json(text, at: 0)
    case (.text(let text), .float?), (.text(let text), .double?):
      return .string(text.hasPrefix("bits:") ? "nan:" + text.dropFirst(5) : text)
    case (.text(let text), _): return .string(text)
    }
  }
}
