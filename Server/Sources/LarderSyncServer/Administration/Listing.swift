/// Rows for people or programs to read: a table, or JSON.
public struct Listing: Hashable, Sendable {
  /// A cell.
  public enum Cell: Hashable, Sendable, ExpressibleByStringLiteral {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case null

    public init(stringLiteral value: String) { self = .text(value) }

    /// A number of any width; texts where JSON's numbers end.
    init(_ number: UInt64) { self = Int64(exactly: number).map { Cell.number($0) } ?? .text("\(number)") }

    fileprivate var plain: String {
      switch self {
      case .text(let text): text
      case .number(let number): "\(number)"
      case .flag(let flag): flag ? "yes" : "no"
      case .null: "-"
      }
    }

    fileprivate var json: String {
      switch self {
      case .text(let text): JSONText.quoted(text)
      case .number(let number): "\(number)"
      case .flag(let flag): "\(flag)"
      case .null: "null"
      }
    }
  }

  /// The names of the columns.
  public let columns: [String]
  /// The rows, each with a cell for every column.
  public var rows: [[Cell]]

  /// A listing.
  public init(columns: [String], rows: [[Cell]] = []) {
    self.columns = columns
    self.rows = rows
  }

  /// Lines with the columns one below the other, the names of them first.
  public var table: String {
    let lines = [columns] + rows.map { $0.map(\.plain) }
    let widths = columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      let cells = line.enumerated().map { column, text in
        column == line.count - 1 ? text : text + String(repeating: " ", count: widths[column] - text.count)
      }
      return cells.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  /// An object for each row, one in a line, in a list.
  public var json: String {
    let objects = rows.map { row in
      "{" + zip(columns, row).map { "\(JSONText.quoted($0)): \($1.json)" }.joined(separator: ", ") + "}"
    }
    return objects.isEmpty ? "[]" : "[\n  \(objects.joined(separator: ",\n  "))\n]"
  }
}
