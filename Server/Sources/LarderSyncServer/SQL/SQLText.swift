/// A statement that is put together, with its values.
struct SQLText {
  let dialect: SQLDialect
  private(set) var text: String
  private(set) var types: [SQLType] = []
  private(set) var values: [SQLValue] = []

  init(_ dialect: SQLDialect, _ text: String = "") {
    self.dialect = dialect
    self.text = text
  }

  static func += (left: inout SQLText, text: String) { left.text += text }

  /// Adds a parameter with its value.
  mutating func add(_ value: SQLValue, _ type: SQLType) { text += parameter(value, type) }

  /// A parameter with its value, for text that is to come.
  mutating func parameter(_ value: SQLValue, _ type: SQLType) -> String {
    types.append(type)
    values.append(value)
    return dialect.parameter(types.count, type)
  }

  var command: SQLCommand { SQLCommand(statement: SQLStatement(text, types), values: values) }
}
