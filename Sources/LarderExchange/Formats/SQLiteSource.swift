import LarderStorage

/// A SQLite file that `export` wrote, being read.
final class SQLiteSource: ObjectSource {
  let header: DumpHeader
  let linksByPrimaryKey = true
  let progress: (consumed: Int, total: Int?) = (0, nil)
  private let path: String
  private let file: SQLiteFile
  private let tables: SQLiteTables
  private var current: (table: SQLiteTables.Class, rows: SQLiteStatement, collections: [SQLiteStatement])?

  /// Opens a file and reads its schema.
  ///
  /// - Throws: `InputFileError` for a file that `export` did not write.
  init(_ path: String) throws {
    self.path = path
    file = try SQLiteFile(path, isNew: false)
    let statement = try? file.statement("SELECT schema FROM \(SQLiteTables.schemaTable)")
    guard case .text(let line)? = try statement?.next()?.first else {
      throw InputFileError(
        path: path,
        message: "this SQLite file has no table '\(SQLiteTables.schemaTable)': 'larder export' did not write it")
    }
    let bytes = Array(line.utf8)
    let record = InputRecord(bytes: bytes, firstLine: 1, fields: [])
    header = try DumpFile.placing(record, path) {
      guard case .object(let fields) = try JSONParser.parse(bytes).value else {
        throw RecordFault(offset: 0, message: "the schema is no JSON object")
      }
      return try DumpHeader(InputRecord(bytes: bytes, firstLine: 1, fields: fields))
    }
    tables = SQLiteTables(header)
  }

  private func open(_ className: String) throws {
    guard let table = tables.classes.first(where: { $0.declaration.name == className }) else {
      throw InputFileError(path: path, message: "there is no table for '\(className)'")
    }
    let columns = [SQLiteTables.rowColumn] + table.columns.map(\.column)
    let rows = try file.statement(
      "SELECT \(columns.map(SQLiteTables.quote).joined(separator: ", ")) FROM \(SQLiteTables.quote(table.table)) "
        + "ORDER BY \(SQLiteTables.rowColumn)")
    let collections = try table.collections.map { property, name in
      try file.statement(
        "SELECT \"value\"\(property.collection == .map ? ", \"key\"" : "") FROM \(SQLiteTables.quote(name)) "
          + "WHERE \"owner\" = ? ORDER BY \"position\"")
    }
    current = (table, rows, collections)
  }

  func next(className: String, place: Int, of count: Int) throws -> InputRecord {
    if current?.table.declaration.name != className {
      try end()
      try open(className)
    }
    guard let (table, rows, collections) = current, let row = try rows.next(), case .integer(let number)? = row.first
    else {
      throw InputFileError(path: path, message: "the table of '\(className)' ends after \(place) of \(count) objects")
    }
    let record = InputRecord(bytes: [], firstLine: place + 1, fields: [])
    return try placing(record) {
      var fields = try zip(table.columns, row.dropFirst()).map { column, value in
        InputField(name: column.property.name, node: InputNode(try tables.input(value, column.property), at: 0))
      }
      for ((property, _), statement) in zip(table.collections, collections) {
        try statement.start(number)
        var nodes: [InputNode] = []
        while let element = try statement.next(), let value = element.first {
          let node = InputNode(try tables.input(value, property), at: 0)
          guard element.count > 1, case .text(let key) = element[1] else {
            nodes.append(node)
            continue
          }
          nodes.append(InputNode(.array([InputNode(.string(key), at: 0), node]), at: 0))
        }
        fields.append(InputField(name: property.name, node: InputNode(.array(nodes), at: 0)))
      }
      return InputRecord(bytes: [], firstLine: place + 1, fields: fields)
    }
  }

  func end() throws {
    guard let current, try current.rows.next() != nil else { return }
    throw InputFileError(
      path: path, message: "the table of '\(current.table.declaration.name)' has more rows than the schema tells of")
  }

  func placing<Result>(_ record: InputRecord, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let fault as RecordFault {
      throw InputFileError(path: path, message: place(record) + fault.message)
    } catch let error as StorageError where DumpRecord.isFaultOfValue(error) {
      throw InputFileError(path: path, message: place(record) + error.message)
    }
  }

  private func place(_ record: InputRecord) -> String {
    "'\(current?.table.table ?? "")', row \(record.firstLine - 1): "
  }
}
