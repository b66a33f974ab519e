import ArgumentParser
import Foundation
import LarderExchange
import LarderInspection
import LarderSQL

struct SQLCommand: ParsableCommand, PagedVerb {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: "Answers a SELECT over the classes as tables.",
    discussion: """
      Each class is a table of SQLite's, with a column for each property: dates are texts such as '2013-01-31 22:00:00', links the \
      rowid of the object they lead to, embedded objects have their property before the name, as address_city. Lists, sets and \
      dictionaries are tables of their own, as City_alternateNames with owner, position or key, and value. Conditions, order and \
      limit are the store's to answer where it can; --explain tells. Nothing can be changed. Without a statement, the tables are \
      printed.

      EXAMPLE
        larder sql world.larder
        larder sql world.larder 'SELECT name FROM City ORDER BY name LIMIT 3'
        larder sql world.larder 'SELECT count(*) FROM City_alternateNames' --json
        larder sql world.larder 'SELECT :a || name FROM Country LIMIT 1' --param a=x
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .file())
  var store: String

  @Argument(help: "The statement; without one, the tables are printed as statements would make them.")
  var statement: String?

  @OptionGroup var forms: FormFlags

  @Option(
    name: .customLong("param"),
    help: ArgumentHelp("A value for ':name' in the statement; may be repeated.", valueName: "name=value"))
  var parameters: [String] = []

  @Flag(help: "Print how the statement is answered instead of its rows.")
  var explain = false

  @Option(parsing: .unconditional, help: "After how many seconds the statement is given up.")
  var timeout: Double?

  @OptionGroup var screen: ScreenFlags

  func validate() throws {
    guard timeout ?? 1 > 0 else { throw ValidationError("--timeout is more than 0") }
    guard statement != nil || !explain else { throw ValidationError("--explain needs a statement") }
    for parameter in parameters where !parameter.contains("=") {
      throw ValidationError("--param is written name=value, not '\(parameter)'")
    }
  }

  func run() throws {
    let database = try SQLDatabase(try StoreAccess.open(reading: store).snapshot())
    guard let statement else { return Terminal.write(database.schemaText) }
    if let timeout {
      let end = Date.now.addingTimeInterval(timeout)
      database.end { Date.now >= end }
    }
    try Spinner.show("querying") {
      guard !explain else { return try explain(statement, database) }
      try write(try database.prepare(statement, values))
    }
  }

  private var values: [String: SQLValue] {
    let pairs = parameters.map { parameter in
      let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), SQLValue(text: String(parts[1])))
    }
    return Dictionary(pairs) { _, last in last }
  }

  private func explain(_ statement: String, _ database: SQLDatabase) throws {
    switch forms.form {
    case .table: Terminal.write(try database.explanation(statement, values))
    case .json:
      let steps = try database.steps(statement, values).map { step -> JSONValue in
        ["depth": .init(step.depth), "does": .init(step.does)]
      }
      Terminal.write((["steps": .init(steps)] as JSONValue).line)
    case .vertical, .csv, .markdown, .html:
      var page = TablePage(statement, forms.form, fitting: Terminal.tableWidth)
      var table = TextTable([.init("depth", isNumeric: true), .init("step")])
      for step in try database.steps(statement, values) { table.append([String(step.depth), step.does]) }
      page.add(nil, table)
      Terminal.write(page.finish())
    }
  }

  private func write(_ statement: SQLStatement) throws {
    var output = Output()
    switch forms.form {
    case .json:
      let titles = statement.columns.map { JSONText.quote($0) }
      while let row = try statement.next() {
        output.write("{" + zip(titles, row).map { "\($0): \($1.json)" }.joined(separator: ", ") + "}\n")
      }
    case .table, .vertical, .csv, .markdown, .html: try writeTable(statement, &output)
    }
    try output.finish()
  }

  private func writeTable(_ statement: SQLStatement, _ output: inout Output) throws {
    // Which side a column's cells are on comes from its first value: SQLite's columns have no types.
    var next = try statement.next()
    let columns = statement.columns.enumerated().map { place, name in
      TableWriter.Column(name, isNumeric: next?[place].isNumeric ?? false)
    }
    var table = TableStream(
      statement.sql, columns, forms.form, fitting: Terminal.tableWidth, hint: "--vertical shows all")
    let null = forms.form.isForPeople ? "nil" : ""
    var count = 0
    while let row = next {
      table.append(row.map { $0.plain ?? null }) { output.write($0) }
      count += 1
      next = try statement.next()
    }
    table.finish("\(count) row\(count == 1 ? "" : "s")") { output.write($0) }
  }
}

extension SQLValue {
  /// A parameter's value as it is typed: a number if it reads as one.
  fileprivate init(text: String) {
    if let integer = Int64(text) {
      self = .integer(integer)
    } else if let real = Double(text), real.isFinite {
      self = .real(real)
    } else {
      self = .text(text)
    }
  }

  fileprivate var isNumeric: Bool {
    switch self {
    case .integer, .real: true
    case .null, .text, .blob: false
    }
  }
}
