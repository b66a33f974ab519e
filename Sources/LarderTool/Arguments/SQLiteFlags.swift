import ArgumentParser
import LarderExchange
import LarderInspection

/// The flags for the tables of a SQLite file.
struct SQLiteFlags: ParsableArguments {
  @Option(
    name: .customLong("only-tables"),
    help: ArgumentHelp("Import these tables alone, separated by commas.", valueName: "tables"))
  var onlyTables: String?

  @Option(
    name: .customLong("join"),
    help: ArgumentHelp(
      "Make a list property of a table that joins two others; may be repeated.", valueName: "table=Class.property"))
  var joins: [String] = []

  @Option(
    name: .customLong("date"),
    help: ArgumentHelp(
      "How a column holds dates: unix, unixms, iso or julian; may be repeated.", valueName: "table.column=form"))
  var dates: [String] = []

  var isGiven: Bool { onlyTables != nil || !joins.isEmpty || !dates.isEmpty }

  /// Makes the options of the import, with the flags that other files know as well: they name columns as `table.column` here.
  func options(_ path: String, _ mapping: MappingFlags) throws -> SQLiteImportOptions {
    var options = SQLiteImportOptions(path: path)
    options.tables = onlyTables.map { $0.split(separator: ",").map(String.init) }
    options.joins = try joins.map { join in
      let (table, target) = try MappingFlags.pair(join, "--join", "table=Class.property")
      let (name, property) = try MappingFlags.pair(target, "--join", "table=Class.property", ".")
      return SQLiteImportOptions.Join(table: table, className: name, property: property)
    }
    for date in dates {
      let (column, name) = try MappingFlags.pair(date, "--date", "table.column=form")
      guard let form = SQLiteDateForm(rawValue: name) else {
        throw ValidationError("--date: a column holds dates as unix, unixms, iso or julian, not as '\(name)'")
      }
      options.dates[try Self.name(column, "--date")] = form
    }
    for type in mapping.types {
      let (column, parsed) = try MappingFlags.type(type)
      options.types[try Self.name(column, "--type")] = parsed
    }
    for rename in mapping.renames {
      let (column, name) = try MappingFlags.pair(rename, "--rename", "table.column=property or table=Class")
      options.names[SQLiteImportOptions.ColumnName(column)] = name
    }
    options.keys = Set(try [mapping.primaryKey].compactMap { $0 }.map { try Self.name($0, "--primary-key") })
    options.indexed = Set(try mapping.indexed.map { try Self.name($0, "--index") })
    options.nullMarkers = Set(mapping.nullMarkers)
    guard mapping.links.isEmpty, mapping.splits.isEmpty, mapping.embeds.isEmpty, mapping.only == nil else {
      throw ValidationError(
        "--link, --split, --embed and --only are for files of one class; of tables, foreign keys become links")
    }
    return options
  }

  private static func name(_ text: String, _ flag: String) throws -> SQLiteImportOptions.ColumnName {
    let name = SQLiteImportOptions.ColumnName(text)
    guard name.column != nil else {
      throw ValidationError("\(flag) takes table.column for a SQLite file, not '\(text)'")
    }
    return name
  }
}
