import LarderStorage

/// The options of an import of a SQLite file's tables.
package struct SQLiteImportOptions: Sendable {
  package var path: String
  /// Names of tables; nil: all.
  package var tables: [String]?
  /// Tables that become lists of links, instead of classes.
  package var joins: [Join] = []
  /// By table and column.
  package var dates: [ColumnName: SQLiteDateForm] = [:]
  package var types: [ColumnName: (type: ColumnType, isOptional: Bool)] = [:]
  /// Other names of properties, and of classes where the column is nil.
  package var names: [ColumnName: String] = [:]
  package var keys: Set<ColumnName> = []
  package var indexed: Set<ColumnName> = []
  package var nullMarkers: Set<String> = []
  /// Rows with faults are left out and reported instead of ending the import.
  package var keepsGoing = false
  /// Everything is tried, and nothing kept.
  package var isTrial = false

  package init(path: String) { self.path = path }

  /// A list property that holds what a table joins to each object of a class.
  package struct Join: Sendable {
    package var table: String
    package var className: String
    package var property: String

    package init(table: String, className: String, property: String) {
      (self.table, self.className, self.property) = (table, className, property)
    }
  }

  /// A column of a table, or a table. Case does not count, as in SQLite.
  package struct ColumnName: Hashable, Sendable {
    package let table: String
    package let column: String?

    package init(_ table: String, _ column: String? = nil) {
      (self.table, self.column) = (table.lowercased(), column?.lowercased())
    }

    /// `table.column`, or `table`.
    package init(_ text: String) {
      let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
      self.init(parts.first ?? text, parts.count > 1 ? parts[1] : nil)
    }

    var text: String { column.map { "\(table).\($0)" } ?? table }
  }
}

/// The result of an import of a SQLite file.
package struct SQLiteImportReport: Sendable {
  package struct Class: Sendable {
    package var name: String
    package var table: String
    package var objects: Int
    /// Properties with their types, as a person reads them.
    package var properties: [String]
  }

  package var classes: [Class] = []
  /// Rows left out, and links left empty.
  package var skipped: [TableFault] = []
  /// The decisions that the file does not suggest, and the parts that were left out.
  package var notices: [String] = []
  /// Version that the import's commit made; 0 where nothing was kept.
  package var version: UInt64 = 0

  /// The report as one JSON object.
  package var json: String {
    let value: JSONValue = [
      "classes": .init(
        classes.map {
          [
            "class": .init($0.name), "table": .init($0.table), "imported": .init($0.objects),
            "properties": .init($0.properties),
          ]
        }), "version": .init(version), "skipped": .init(skipped.map { JSONValue(written: $0.json) }),
      "notices": .init(notices),
    ]
    return value.line
  }
}
