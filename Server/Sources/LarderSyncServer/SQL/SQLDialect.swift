/// All that is different between the databases, apart from how one talks to them.
struct SQLDialect: Hashable, Sendable {
  /// The text that precedes the number of a parameter.
  let parameterMark: String
  /// The words for the types of columns.
  let int: String
  let bytes: String
  let text: String
  let json: String
  /// The text at the end of a `CREATE TABLE`.
  let tableEnd: String
  /// The text at the end of a `SELECT` whose rows the transaction keeps for itself.
  let forUpdate: String
  /// Makes JSON of a parameter.
  let jsonStart: String
  let jsonEnd: String
  /// The text after an operand of a comparison of texts: by their bytes.
  let bytewise: String
  /// Begin a transaction that writes, and one that sees one state only.
  let beginWrite: String
  let beginRead: String

  static let postgres = SQLDialect(
    parameterMark: "$", int: "BIGINT", bytes: "BYTEA", text: "TEXT COLLATE \"C\"", json: "JSONB", tableEnd: "",
    forUpdate: " FOR UPDATE", jsonStart: "CAST(", jsonEnd: " AS JSONB)", bytewise: " COLLATE \"C\"",
    // Rows are locked before what depends on them is read, so that waiting for them needs no second attempt.
    beginWrite: "BEGIN ISOLATION LEVEL READ COMMITTED", beginRead: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

  static let sqlite = SQLDialect(
    parameterMark: "?", int: "INTEGER", bytes: "BLOB", text: "TEXT", json: "TEXT", tableEnd: " STRICT", forUpdate: "",
    jsonStart: "", jsonEnd: "", bytewise: "", beginWrite: "BEGIN IMMEDIATE", beginRead: "BEGIN")

  func name(of type: SQLType) -> String {
    switch type {
    case .int: int
    case .bytes: bytes
    case .text: text
    case .json: json
    }
  }

  /// A parameter by its number, as a value of its type.
  func parameter(_ number: Int, _ type: SQLType) -> String {
    type == .json ? "\(jsonStart)\(parameterMark)\(number)\(jsonEnd)" : "\(parameterMark)\(number)"
  }
}
