import LarderStorage

/// The first line of a dump: every class with its properties and how many objects of it follow.
package struct DumpHeader {
  package struct Class {
    package var declaration: ClassDeclaration
    /// Objects that have lines of their own; those of embedded classes are in their owners.
    var objects: Int
  }

  static let format: Int64 = 1
  var schemaVersion: UInt64?
  package var classes: [Class]

  package init(_ reader: some StoreReader) throws {
    let schema = reader.schema
    schemaVersion = schema.schemaVersion
    classes = try schema.classes.map { entry in
      Class(
        declaration: ClassDeclaration(entry, in: schema), objects: entry.isEmbedded ? 0 : try reader.count(of: entry.id)
      )
    }
  }
}

// MARK: - As text

extension DumpHeader {
  /// The line, without its end.
  var line: String {
    let classes = classes.map(Self.text).joined(separator: ", ")
    let version = schemaVersion.map { String($0) } ?? "null"
    return "{\"larderDump\": \(Self.format), \"schemaVersion\": \(version), \"classes\": [\(classes)]}"
  }

  private static func text(_ entry: Class) -> String {
    let declaration = entry.declaration
    let columns = declaration.columns.map(text).joined(separator: ", ")
    let indexes = declaration.indexes.map { index in
      "{\"over\": [\(index.properties.map(JSONText.dumpQuote).joined(separator: ", "))]\(index.isUnique ? ", \"unique\": true" : "")}"
    }
    return "{\"name\": \(JSONText.dumpQuote(declaration.name)), "
      + (declaration.isEmbedded ? "\"embedded\": true, " : "\"objects\": \(entry.objects), ")
      + "\"properties\": [\(columns)]"
      + (indexes.isEmpty ? "}" : ", \"indexes\": [\(indexes.joined(separator: ", "))]}")
  }

  private static func text(_ column: ColumnDeclaration) -> String {
    var text = "{\"name\": \(JSONText.dumpQuote(column.name)), \"type\": \"\(TypeName.name(of: column.type))\""
    if let target = column.target { text += ", \"target\": \(JSONText.dumpQuote(target))" }
    if let name = collectionNames.first(where: { $0.kind == column.collection })?.name {
      text += ", \"collection\": \"\(name)\""
    }
    if column.isOptional { text += ", \"optional\": true" }
    if column.isPrimaryKey { text += ", \"primaryKey\": true" }
    if column.isIndexed { text += ", \"indexed\": true" }
    if column.isFullText { text += ", \"fullText\": true" }
    return text + "}"
  }

  private static let collectionNames: [(name: String, kind: CollectionKind)] = [
    ("list", .list), ("set", .set), ("map", .map),
  ]
}

// MARK: - From text

extension DumpHeader {
  /// Reads the first line.
  ///
  /// - Throws: `RecordFault` when it is not the head of a dump this program can read.
  init(_ record: InputRecord) throws {
    var fields = DumpFields(record.fields, at: 0)
    guard let format = try fields.integer("larderDump") else {
      throw RecordFault(offset: 0, message: "this is no dump: its first line has no \"larderDump\"")
    }
    guard format == Self.format else {
      throw RecordFault(
        offset: 0, message: "this dump has format \(format), and this program reads format \(Self.format)")
    }
    schemaVersion = try fields.unsigned("schemaVersion")
    classes = try fields.array("classes").map(Self.readClass)
    try fields.end()
  }

  private static func readClass(_ node: InputNode) throws -> Class {
    var fields = try DumpFields(node)
    let name = try fields.string("name")
    let isEmbedded = try fields.flag("embedded")
    let objects = try fields.integer("objects") ?? 0
    guard objects >= 0 else { throw RecordFault(offset: node.offset, message: "a number of objects is not negative") }
    let columns = try fields.array("properties").map(readColumn)
    let indexes = try fields.array("indexes", isNeeded: false).map(readIndex)
    try fields.end()
    return Class(
      declaration: ClassDeclaration(name: name, isEmbedded: isEmbedded, columns: columns, indexes: indexes),
      objects: Int(objects))
  }

  private static func readColumn(_ node: InputNode) throws -> ColumnDeclaration {
    var fields = try DumpFields(node)
    let name = try fields.string("name")
    let typeName = try fields.string("type")
    guard let type = TypeName.names.first(where: { $0.name == typeName })?.type else {
      throw RecordFault(offset: node.offset, message: "there is no type '\(typeName)'")
    }
    let collectionName = try fields.text("collection")
    let collection = collectionName.flatMap { name in collectionNames.first { $0.name == name }?.kind }
    if let collectionName, collection == nil {
      throw RecordFault(offset: node.offset, message: "there is no collection '\(collectionName)'")
    }
    let column = ColumnDeclaration(
      name: name, type: type, collection: collection ?? .none, isOptional: try fields.flag("optional"),
      target: try fields.text("target"), isPrimaryKey: try fields.flag("primaryKey"),
      isIndexed: try fields.flag("indexed"), isFullText: try fields.flag("fullText"))
    try fields.end()
    return column
  }

  private static func readIndex(_ node: InputNode) throws -> IndexDeclaration {
    var fields = try DumpFields(node)
    let names = try fields.array("over").map { node in
      guard case .string(let name) = node.value else {
        throw RecordFault(offset: node.offset, message: "the name of a property was expected")
      }
      return name
    }
    let index = IndexDeclaration(names, isUnique: try fields.flag("unique"))
    try fields.end()
    return index
  }
}
