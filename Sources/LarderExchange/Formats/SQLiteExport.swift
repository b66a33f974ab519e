import Foundation
import LarderStorage

/// Writes a store as a SQLite file.
package struct SQLiteExport {
  private let reader: any StoreReader
  private let cells: ExportCells

  package init(_ reader: any StoreReader) {
    self.reader = reader
    cells = ExportCells(reader)
  }

  package var danglingLinks: Int { cells.danglingLinks }

  /// Makes the file, which must not be there.
  ///
  /// - Returns: How many objects were written.
  /// - Throws: `InputFileError` with what SQLite says, `StorageError` for what cannot be read.
  package func write(to path: String, progress: (Int) -> Void) throws -> Int {
    let header = try DumpHeader(reader)
    let tables = SQLiteTables(header)
    // As private as the store.
    guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
      throw InputFileError(path: path, message: "the file cannot be made; is its folder there and writable?")
    }
    let file = try SQLiteFile(path, isNew: true)
    // No one else looks at an unfinished file, and an interruption removes it.
    try file.run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")
    try file.run("CREATE TABLE \(SQLiteTables.schemaTable) (schema TEXT NOT NULL)")
    try file.statement("INSERT INTO \(SQLiteTables.schemaTable) VALUES (?)").run([.text(header.line)])
    for entry in tables.classes {
      for definition in tables.definitions(entry) + tables.viewDefinitions(entry) { try file.run(definition) }
    }
    var objects = 0
    for table in tables.classes {
      guard let entry = reader.schema[table.declaration.name] else { continue }
      let row = try file.statement(Self.insert(table.table, 1 + table.columns.count))
      let collections = try table.collections.map { property, name in
        (property, try file.statement(Self.insert(name, property.collection == .map ? 4 : 3)))
      }
      for (place, key) in try cells.places.keys(of: entry.id).enumerated() {
        let number = SQLiteStatement.Value.integer(Int64(place))
        let values = try table.columns.map { property, _ in
          SQLiteTables.value(try cells.cell(try column(property, entry), entry, key))
        }
        try row.run([number] + values)
        for (property, statement) in collections {
          let column = try column(property, entry)
          if property.collection == .map {
            for (position, pair) in try cells.entries(column, entry, key).enumerated() {
              try statement.run([
                number, .integer(Int64(position)), SQLiteTables.value(.scalar(pair.key)), SQLiteTables.value(pair.cell),
              ])
            }
          } else {
            for (position, cell) in try cells.elements(column, entry, key).enumerated() {
              try statement.run([number, .integer(Int64(position)), SQLiteTables.value(cell)])
            }
          }
        }
        objects += 1
        progress(objects)
      }
    }
    try file.run("COMMIT")
    return objects
  }

  private func column(_ property: ColumnDeclaration, _ entry: ClassDescriptor) throws -> ColumnDescriptor {
    guard let column = entry.column(named: property.name) else {
      throw StorageError(.unknownProperty, "The class '\(entry.name)' has no property '\(property.name)'.")
    }
    return column
  }

  private static func insert(_ table: String, _ values: Int) -> String {
    "INSERT INTO \(SQLiteTables.quote(table)) VALUES (\(Array(repeating: "?", count: values).joined(separator: ", ")))"
  }
}
