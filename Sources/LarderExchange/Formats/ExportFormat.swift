import LarderStorage

/// Formats in which a whole store is written for other programs, and read again without loss.
package enum ExportFormat: String, CaseIterable, Sendable {
  /// A folder with a file of JSON Lines for each class.
  case jsonl
  /// A folder with a CSV file for each class.
  case csv
  /// One SQLite file with a table for each class.
  case sqlite

  /// The format that a path's name tells.
  package init?(path: String) {
    let name = path.lowercased()
    let endings: [(String, ExportFormat)] = [
      (".sqlite", .sqlite), (".sqlite3", .sqlite), (".db", .sqlite), (".csv", .csv), (".jsonl", .jsonl),
      (".ndjson", .jsonl),
    ]
    guard let (_, format) = endings.first(where: { name.hasSuffix($0.0) }) else { return nil }
    self = format
  }

  /// The name of the file in a folder that holds the schema.
  static let schemaFile = "schema.json"

  /// The name of a class's file in a folder.
  func fileName(of className: String) -> String {
    var name = ""
    for scalar in className.unicodeScalars {
      switch scalar {
      case "%": name += "%25"
      case "/": name += "%2F"
      default: name.unicodeScalars.append(scalar)
      }
    }
    return "\(name).\(rawValue)"
  }
}
