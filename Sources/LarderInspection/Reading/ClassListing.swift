import LarderExchange
import LarderStorage

/// The classes of a store with their properties, as text, tables or JSON.
package struct ClassListing {
  private let reader: any StoreReader

  package init(_ reader: any StoreReader) {
    self.reader = reader
  }

  /// - Throws: `StorageError` when counts cannot be read.
  package func text(only name: String? = nil) throws -> String {
    let parts = try chosen(name).map { entry in
      let count = try reader.count(of: entry.id)
      var text = "\(entry.name)\(entry.isEmbedded ? " (embedded)" : "")  \(count) object\(count == 1 ? "" : "s")\n"
      let width = entry.columns.map { DisplayWidth.of($0.name) }.max() ?? 0
      for column in entry.columns {
        let space = String(repeating: " ", count: width - DisplayWidth.of(column.name))
        text += "  \(column.name)\(space)  \(TypeName.describe(column, in: reader.schema))\(marks(column))\n"
      }
      for index in entry.indexes { text += "  \(IndexText.line(index, of: entry))\n" }
      return text
    }
    return parts.joined(separator: "\n")
  }

  /// A table for each class, or as CSV one of all classes.
  ///
  /// - Throws: `StorageError` when counts cannot be read.
  package func page(
    _ title: String, as form: OutputForm, fitting width: Int? = nil, only name: String? = nil,
    lineEnd: String = CSVText.lineEnd
  ) throws -> String {
    var page = TablePage(title, form, fitting: width, lineEnd: lineEnd)
    let columns: [TextTable.Column] = [.init("property"), .init("type"), .init("index")]
    var all = TextTable([.init("class"), .init("objects", isNumeric: true)] + columns)
    for entry in try chosen(name) {
      let count = try reader.count(of: entry.id)
      var table = TextTable(columns)
      for row in rows(entry) {
        table.append(row)
        all.append([entry.name, String(count)] + row)
      }
      // A class without properties is a class all the same.
      if table.isEmpty { all.append([entry.name, String(count), "", "", ""]) }
      let objects = "\(count) object\(count == 1 ? "" : "s")"
      if form != .csv { page.add("\(entry.name)\(entry.isEmbedded ? " (embedded)" : ""): \(objects)", table) }
    }
    if form == .csv { page.add(nil, all) }
    return page.finish()
  }

  /// Properties with their types and indexes, and after them the indexes over several.
  private func rows(_ entry: ClassDescriptor) -> [[String]] {
    entry.columns.map { column in
      let words = marks(column).split(separator: "  ").joined(separator: ", ")
      return [column.name, TypeName.describe(column, in: reader.schema), words]
    } + entry.indexes.map { ["", "", IndexText.line($0, of: entry)] }
  }

  /// One JSON array with an object for each class.
  ///
  /// - Throws: `StorageError` when counts cannot be read.
  package func json(only name: String? = nil) throws -> String {
    let classes = try chosen(name).map { entry in
      let columns = entry.columns.map { column -> String in
        let value: JSONValue = [
          "name": .init(column.name), "type": .init(TypeName.describe(column, in: reader.schema)),
          "primaryKey": .init(column.isPrimaryKey), "indexed": .init(column.hasIndex),
        ]
        return value.text
      }
      return "  {\"name\": \(JSONText.quote(entry.name)), \"embedded\": \(entry.isEmbedded), "
        + "\"objects\": \(try reader.count(of: entry.id)), \"properties\": [\n    "
        + columns.joined(separator: ",\n    ") + "\n  ], \"indexes\": \(IndexText.json(entry).text)}"
    }
    return "[\n" + classes.joined(separator: ",\n") + "\n]\n"
  }

  private func chosen(_ name: String?) throws -> [ClassDescriptor] {
    try name.map { [try StoreAccess.entry(named: $0, in: reader.schema)] } ?? reader.schema.classes
  }

  private func marks(_ column: ColumnDescriptor) -> String {
    (column.isPrimaryKey ? "  primary key" : column.isIndexed ? "  indexed" : "")
      + (column.isFullText ? "  full-text index" : "")
  }
}
