import LarderStorage

/// Imports the tables of any SQLite file, each as a class: all in one transaction, so that a fault leaves the store as it was.
///
/// Tables are read three times: for the kinds of their values, for the objects, and for the links, which may lead to any table. Of rows
/// nothing is kept; objects are known by runs of keys. Belongs to one thread.
package final class SQLiteImporter {
  private let store: Store
  private let options: SQLiteImportOptions
  private let progress: (ImportProgress) -> Void
  private let file: SQLiteFile
  private var report = SQLiteImportReport()
  private var records = 0
  private static let progressInterval = 512

  /// Returns true if a file is one of SQLite that `export` did not write.
  ///
  /// - Parameter goesByName: True if the file's name tells what it is.
  /// - Throws: `InputFileError` for a file that is damaged, or has the name of a SQLite file and is none.
  package static func isTables(_ path: String, goesByName: Bool = true) throws -> Bool {
    guard SQLiteFile.isSQLite(path) else {
      guard goesByName, ExportFormat(path: path) == .sqlite, SQLiteFile.isFile(path) else { return false }
      throw InputFileError(
        path: path,
        message:
          "this is no SQLite file, whatever its name says: it may be encrypted or damaged; --format says what else it is"
      )
    }
    let names = SQLiteTables.schemaTable
    return try SQLiteFile(path, isNew: false).count("SELECT count(*) FROM sqlite_master WHERE name = '\(names)'") == 0
  }

  /// - Parameter progress: Called often; on the thread that runs the import.
  /// - Throws: `InputFileError` for what is no SQLite file or cannot be opened.
  package init(
    store: Store, options: SQLiteImportOptions, progress: @escaping (ImportProgress) -> Void = { _ in }
  ) throws {
    self.store = store
    self.options = options
    self.progress = progress
    file = try SQLiteFile(options.path, isNew: false)
  }

  /// Runs the import and commits it.
  ///
  /// - Throws: `TableFault` at the first fault unless the options say to keep going, `InputFileError` with what SQLite says, `ImportError`
  ///   for flags that do not fit, `StorageError`. Nothing is kept then.
  package func run() throws -> SQLiteImportReport {
    // All that is read is of one version of the file.
    try file.run("BEGIN")
    let schema = try SQLiteSchema(file)
    var planner = SQLiteImportPlanner(schema, options, try shapes(try SQLiteImportPlanner.tables(schema, options)))
    try planner.plan()
    report.notices = planner.notices
    let writer = try store.beginWrite()
    do {
      try fill(planner, writer)
      note("writing")
      if options.isTrial { writer.cancel() } else { report.version = try writer.commit() }
    } catch {
      writer.cancel()
      throw error
    }
    return report
  }

  private func note(_ step: String) {
    progress(ImportProgress(consumed: 0, total: nil, records: records, step: step))
  }

  private func count(_ step: String) {
    records += 1
    if records % Self.progressInterval == 0 { note(step) }
  }

  private func shapes(_ tables: [SQLiteTable]) throws -> [String: [SQLiteColumnShape]] {
    var result: [String: [SQLiteColumnShape]] = [:]
    for table in tables {
      let shapes = table.columns.map { SQLiteColumnShape(declared: $0.type) }
      let rows = try file.statement(table.query(table.columns.map(\.name)))
      var row = 0
      while try rows.step() {
        row += 1
        for place in shapes.indices { shapes[place].note(rows, place, row: row) }
        count("reading types")
      }
      result[table.name] = shapes
    }
    records = 0
    return result
  }

  private func fill(_ planner: SQLiteImportPlanner, _ writer: StoreWriter) throws {
    for plan in planner.plans where writer.schema[plan.className] != nil {
      throw ImportError(
        "the store has a class '\(plan.className)' already; import into a new store, or say --rename '\(plan.table.name)=Other'"
      )
    }
    try writer.apply(planner.plans.map(\.declaration), schemaVersion: writer.schema.schemaVersion ?? 0)
    var classes: [SQLiteClass] = []
    for plan in planner.plans { classes.append(try SQLiteClass(plan, writer)) }
    for index in classes.indices { try makeObjects(&classes[index], writer) }
    for entry in classes where !entry.plan.links.isEmpty { try setLinks(entry, writer) }
    for join in planner.joins { try fillLists(join, classes, writer) }
    report.classes = classes.map { entry in
      SQLiteImportReport.Class(
        name: entry.plan.className, table: entry.plan.table.name, objects: entry.keys.count,
        properties: entry.descriptor.columns.map { TypeName.note($0, in: writer.schema) })
    }
  }

  // MARK: - Objects

  private func makeObjects(_ entry: inout SQLiteClass, _ writer: StoreWriter) throws {
    let rows = try file.statement(entry.plan.table.query(entry.plan.properties.map(\.column)))
    var row = 0
    while try rows.step() {
      row += 1
      if let key = try tolerating(entry.plan.table, row, { try entry.make(rows, writer) }) { entry.keys.add(row, key) }
      count("importing")
    }
  }

  /// Returns the result of `body`; nil where a fault was noted.
  private func tolerating<Result>(
    _ table: SQLiteTable, _ row: Int, _ body: () throws -> Result
  ) throws -> Result? {
    do {
      return try body()
    } catch let fault as SQLiteClass.Fault {
      let fault = TableFault(
        file: options.path, table: table.name, row: row, column: fault.column, message: fault.message)
      guard options.keepsGoing else { throw fault }
      report.skipped.append(fault)
      return nil
    }
  }

  // MARK: - Links

  private func setLinks(_ entry: SQLiteClass, _ writer: StoreWriter) throws {
    let ends = try entry.plan.links.map { try SQLiteLinkEnd($0.column, to: $0.target, by: $0.by, writer) }
    let columns = try entry.plan.links.map { try entry.column($0.name) }
    let rows = try file.statement(entry.plan.table.query(ends.map(\.column)))
    var keys = entry.keys.makeIterator()
    var row = 0
    while try rows.step() {
      row += 1
      count("setting links")
      guard let key = keys.key(ofRow: row) else { continue }
      for place in ends.indices where rows.kind(place) != .null {
        let found = try tolerating(entry.plan.table, row) { try ends[place].find(rows, place, writer) }
        if case .some(let target?) = found { try writer.setLink(entry.descriptor.id, columns[place], key, target) }
      }
    }
  }

  private func fillLists(_ join: SQLiteJoinPlan, _ classes: [SQLiteClass], _ writer: StoreWriter) throws {
    let owner = classes[join.owner.plan]
    let target = classes[join.target.plan]
    let column = try owner.column(join.property)
    let from = try SQLiteLinkEnd(join.owner.column, to: owner.plan.className, by: join.owner.by, writer)
    let to = try SQLiteLinkEnd(join.target.column, to: target.plan.className, by: join.target.by, writer)
    let order = SQLiteTables.quote(join.owner.column)
    // SQLite sorts, on the disk where it must, by a stable order of the rows of an owner.
    let rows = try file.statement(join.table.query([join.owner.column, join.target.column]) + " ORDER BY \(order)")
    var row = 0
    var list: (owner: ObjectKey, targets: [StoredValue])?
    func flush() throws {
      if let list { try writer.lists.assign(owner.descriptor.id, column, list.owner, list.targets) }
    }
    while try rows.step() {
      row += 1
      count("filling lists")
      guard rows.kind(0) != .null, rows.kind(1) != .null else { continue }
      let pair = try tolerating(join.table, row) { (try from.find(rows, 0, writer), try to.find(rows, 1, writer)) }
      guard case (let key?, let link?)? = pair else { continue }
      if list?.owner != key {
        try flush()
        list = (key, [])
      }
      list?.targets.append(.link(link))
    }
    try flush()
  }
}
