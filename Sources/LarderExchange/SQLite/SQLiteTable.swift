/// A table as a SQLite file's schema has it.
struct SQLiteTable {
  struct Column {
    var name: String
    /// The type as declared, in upper case.
    var type: String
    var isRequired: Bool
    /// Place in the primary key, from 1; 0 for none.
    var keyPlace: Int
    var isGenerated: Bool
  }

  /// Columns that name a row of another table.
  struct ForeignKey {
    var table: String
    /// Columns here, and there: none where the other table's primary key is meant.
    var columns: [(from: String, to: String?)]
  }

  struct Index {
    var name: String
    /// Nil for an index over expressions or a part of the rows.
    var columns: [String]?
    var isUnique: Bool
    /// Made by the primary key.
    var isOfKey: Bool
  }

  var name: String
  var columns: [Column]
  var foreignKeys: [ForeignKey]
  var indexes: [Index]

  var key: [Column] { columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace } }

  /// A query of columns, in an order that is always the same; nothing but the table itself is read.
  func query(_ columns: [String]) -> String {
    let list = columns.isEmpty ? "NULL" : columns.map(SQLiteTables.quote).joined(separator: ", ")
    return "SELECT \(list) FROM \(SQLiteTables.quote(name)) NOT INDEXED"
  }

  /// Case does not count in names of SQLite.
  func column(_ name: String) -> Column? { columns.first { $0.name.lowercased() == name.lowercased() } }
}

/// Reads the schema of a SQLite file.
struct SQLiteSchema {
  private(set) var tables: [SQLiteTable] = []
  /// The views and virtual tables, which are no tables of rows, with their kinds.
  private(set) var others: [(name: String, kind: String)] = []

  /// - Throws: `InputFileError` with what SQLite says.
  init(_ file: SQLiteFile) throws {
    for row in try Self.rows(file, "SELECT name, type FROM pragma_table_list WHERE schema = 'main' ORDER BY name") {
      let (name, kind) = (row.text(0), row.text(1))
      guard !name.lowercased().hasPrefix("sqlite_") else { continue }
      if kind == "table" { tables.append(try Self.table(name, file)) } else { others.append((name, kind)) }
    }
  }

  private static func table(_ name: String, _ file: SQLiteFile) throws -> SQLiteTable {
    let columns = try rows(file, "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?)", name).map {
      SQLiteTable.Column(
        name: $0.text(0), type: $0.text(1).uppercased(), isRequired: $0.integer(2) != 0, keyPlace: $0.integer(3),
        isGenerated: $0.integer(4) > 1)
    }
    var keys: [(id: Int, key: SQLiteTable.ForeignKey)] = []
    let query = "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?) ORDER BY id, seq"
    for row in try rows(file, query, name) {
      let pair = (from: row.text(2), to: row.isNull(3) ? nil : row.text(3))
      if keys.last?.id == row.integer(0) {
        keys[keys.count - 1].key.columns.append(pair)
      } else {
        keys.append((row.integer(0), SQLiteTable.ForeignKey(table: row.text(1), columns: [pair])))
      }
    }
    let lists = try rows(file, "SELECT name, \"unique\", origin, partial FROM pragma_index_list(?) ORDER BY name", name)
    let indexes = try lists.map { row in
      let parts = try rows(file, "SELECT cid, name FROM pragma_index_info(?) ORDER BY seqno", row.text(0))
      let isWhole = row.integer(3) == 0 && parts.allSatisfy { $0.integer(0) >= 0 }
      return SQLiteTable.Index(
        name: row.text(0), columns: isWhole ? parts.map { $0.text(1) } : nil, isUnique: row.integer(1) != 0,
        isOfKey: row.text(2) == "pk")
    }
    // The last one that was declared comes first in the list.
    return SQLiteTable(name: name, columns: columns, foreignKeys: keys.map(\.key).reversed(), indexes: indexes)
  }

  private struct Row {
    let values: [SQLiteStatement.Value]
    func text(_ place: Int) -> String { if case .text(let text) = values[place] { text } else { "" } }
    func integer(_ place: Int) -> Int { if case .integer(let number) = values[place] { Int(number) } else { 0 } }
    func isNull(_ place: Int) -> Bool { if case .null = values[place] { true } else { false } }
  }

  private static func rows(_ file: SQLiteFile, _ sql: String, _ name: String? = nil) throws -> [Row] {
    let statement = try file.statement(sql)
    if let name { try statement.start(name) }
    var rows: [Row] = []
    while let values = try statement.next() { rows.append(Row(values: values)) }
    return rows
  }
}
