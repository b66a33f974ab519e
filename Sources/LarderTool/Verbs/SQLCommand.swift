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
      primary key of the object they lead to, or its rowid where it has none, embedded objects have their property before the name, \
      as address_city. Lists, sets and dictionaries are tables of their own, as City_alternateNames with owner, position or key, and \
      value. Conditions, order and limit are the store's to answer where it can; --explain tells. Nothing can be changed. Statements \
      may come from standard input or a file; without any, the tables are printed.

      EXAMPLE
        larder sql world.larder
        larder sql world.larder 'SELECT name FROM City ORDER BY name LIMIT 3'
        larder sql world.larder 'SELECT count(*) FROM City_alternateNames' --json
        larder sql world.larder 'SELECT :a || name FROM Country LIMIT 1' --param a=x
        echo 'SELECT count(*) FROM City;' | larder sql world.larder
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .store)
  var store: String

  @Argument(
    help:
      "The statement, or - for those of standard input; without one, the tables are printed as statements would make them."
  )
  var statement: String?

  @Option(
    help: ArgumentHelp("Answer the statements of a file, one after the other.", valueName: "file"), completion: .file())
  var file: String?

  @OptionGroup var forms: FormFlags

  @Option(
    name: .customLong("param"),
    help: ArgumentHelp(
      "A value for ':name' in the statement, with a type as in name:text=5 or without; may be repeated.",
      valueName: "name=value"))
  var parameters: [String] = []

  @Flag(help: "Print how the statement is answered instead of its rows.")
  var explain = false

  @Option(parsing: .unconditional, help: "After how many seconds the statement is given up.")
  var timeout: Double?

  @OptionGroup var screen: ScreenFlags

  func validate() throws {
    guard timeout ?? 1 > 0 else { throw ValidationError("--timeout is more than 0") }
    _ = try values
    guard statement == nil || file == nil else { throw ValidationError("--file has the statements already") }
  }

  func run() throws {
    let text = try statements()
    let database = try SQLDatabase(try StoreAccess.open(reading: store).snapshot())
    guard let text else {
      guard !explain else { throw ValidationError("--explain needs a statement") }
      return Terminal.write(database.schemaText)
    }
    if let timeout {
      let end = Date.now.addingTimeInterval(timeout)
      database.end { Date.now >= end }
    }
    let values = try values
    guard statement == nil || statement == "-" else { return try answer(text, database, values) }
    let all = try database.statements(in: text)
    let names = Set(all.flatMap(\.parameters))
    if let unused = values.keys.filter({ !names.contains($0) }).min() {
      throw ValidationError("no statement has the parameter '\(unused)'")
    }
    for (number, one) in all.enumerated() {
      if number > 0, forms.form.isForPeople { Terminal.write("\n") }
      try answer(one.text, database, values.filter { one.parameters.contains($0.key) })
    }
  }

  private func answer(_ text: String, _ database: SQLDatabase, _ values: [String: SQLValue]) throws {
    try Spinner.show("querying") {
      guard !explain else { return try explain(text, database, values) }
      try write(try database.prepare(text, values))
    }
  }

  /// Returns the statement to answer, or those of a file or of standard input. Nil where there is none.
  private func statements() throws -> String? {
    if let file { return try Self.text(of: file) }
    if statement == "-" { return try Self.text(of: "/dev/stdin") }
    // The lines of a shell's script are no statements.
    guard statement == nil, !ShellText.isShell, Self.isFileOrPipe(FileHandle.standardInput.fileDescriptor) else {
      return statement
    }
    let text = try Self.text(of: "/dev/stdin")
    return text.allSatisfy(\.isWhitespace) ? nil : text
  }

  private static func isFileOrPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return [S_IFREG, S_IFIFO].contains(status.st_mode & S_IFMT)
  }

  private static func text(of file: String) throws -> String {
    let source = try ByteSource(path: file, encoding: nil)
    var bytes: [UInt8] = []
    while let piece = try source.next() { bytes += piece }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw InputFileError(path: file, message: "the statements are not in UTF-8")
    }
    return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
  }

  /// The parameters: `name=value`, or `name:type=value`.
  private var values: [String: SQLValue] {
    get throws {
      let pairs = try parameters.map { parameter in
        let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
          throw ValidationError("--param is written name=value or name:type=value, not '\(parameter)'")
        }
        let name = parts[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard name.count == 2 else { return (parts[0], SQLValue(text: parts[1])) }
        guard SQLValue.typeNames.contains(name[1]) else {
          throw ValidationError(
            "--param: there is no type '\(name[1])'; the types are \(SQLValue.typeNames.joined(separator: ", "))")
        }
        guard let value = SQLValue(parts[1], type: name[1]) else {
          throw ValidationError("--param: '\(parts[1])' is no \(name[1]), as '\(name[0])' is to be")
        }
        return (name[0], value)
      }
      return Dictionary(pairs) { _, last in last }
    }
  }

  private func explain(_ statement: String, _ database: SQLDatabase, _ values: [String: SQLValue]) throws {
    switch forms.form {
    case .table: Terminal.write(try database.explanation(statement, values))
    case .json:
      let steps = try database.steps(statement, values).map { step -> JSONValue in
        ["depth": .init(step.depth), "does": .init(step.does)]
      }
      Terminal.write((["steps": .init(steps)] as JSONValue).line)
    case .vertical, .csv, .markdown, .html:
      var page = TablePage(statement, forms.form, fitting: Terminal.tableWidth, lineEnd: forms.lineEnd)
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
    case .csv:
      output.write(CSVText.row(statement.columns) + forms.lineEnd)
      while let row = try statement.next() {
        output.write(CSVText.row(likeSQLite: row.map { $0.plain }) + forms.lineEnd)
      }
    case .table, .vertical, .markdown, .html: try writeTable(statement, &output)
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
    var count = 0
    while let row = next {
      table.append(row.map { $0.plain ?? "nil" }) { output.write($0) }
      count += 1
      next = try statement.next()
    }
    table.finish("\(count) row\(count == 1 ? "" : "s")") { output.write($0) }
  }
}

extension SQLValue {
  /// A parameter's value as it is typed: a number where that is written in no other way, else a text. `00601`, `+49123`, `1.10` and `0x10`
  /// are texts.
  fileprivate init(text: String) {
    if let integer = Int64(text), String(integer) == text {
      self = .integer(integer)
    } else if let real = Double(text), real.isFinite, String(describing: real) == text {
      self = .real(real)
    } else {
      self = .text(text)
    }
  }

  /// The names of types that a parameter may be given.
  fileprivate static let typeNames = ["int", "double", "text", "data", "null"]

  /// A parameter's value of a type; nil where the text is none.
  fileprivate init?(_ text: String, type: String) {
    switch type {
    case "int":
      guard let integer = Int64(text) else { return nil }
      self = .integer(integer)
    case "double":
      guard let real = Double(text), real.isFinite else { return nil }
      self = .real(real)
    case "text": self = .text(text)
    case "data":
      guard let data = Data(base64Encoded: text) else { return nil }
      self = .blob(data)
    case "null" where text.isEmpty: self = .null
    default: return nil
    }
  }

  fileprivate var isNumeric: Bool {
    switch self {
    case .integer, .real: true
    case .null, .text, .blob: false
    }
  }
}
