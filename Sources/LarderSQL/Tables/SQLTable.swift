import LarderStorage

/// A class, or a collection property of one, as a table.
struct SQLTable: Hashable, Sendable {
  enum Rows: Hashable, Sendable {
    /// The objects of a class; a row's number is the object's key.
    case objects(ClassID)
    /// The elements of a collection of each object: the last step, those before lead to embedded objects that have it, which may be in
    /// collections themselves.
    case elements(of: ClassID, [SQLColumn.Step])
  }

  var name: String
  var rows: Rows
  var columns: [SQLColumn]

  /// The class whose objects are visited.
  var classID: ClassID {
    switch rows {
    case .objects(let classID), .elements(let classID, _): classID
    }
  }

  var isElements: Bool { if case .elements = rows { true } else { false } }

  /// The statement that declares the table to SQLite.
  var declaration: String {
    let columns = columns.map { "\(SQLName.quoted($0.name)) \($0.declaredType)" }
    return "CREATE TABLE x(\(columns.joined(separator: ", ")))"
  }

  /// The table as a person would write it: with its name.
  var description: String {
    declaration.replacing("CREATE TABLE x(", with: "CREATE TABLE \(SQLName.quoted(name))(", maxReplacements: 1)
  }
}
