import LarderExchange
import LarderStorage

/// The schema of a store for people and programs.
package struct SchemaRendering {
  private let classes: [ClassDeclaration]
  private let schemaVersion: UInt64?
  private let classNames: SwiftNames

  package init(_ schema: StoreSchema) {
    classes = schema.classes.map { ClassDeclaration($0, in: schema) }
    // A property is stored under its name with a mark before it.
    let stored = Set(classes.flatMap { $0.columns.map { "_" + $0.name } })
    classNames = SwiftNames(classes.map(\.name)) { name in
      ModelName.fault(ofClass: name) == nil && !SwiftWords.types.contains(name) && !SwiftWords.members.contains(name)
        && !name.hasPrefix("_rlm") && !stored.contains(name)
    }
    schemaVersion = schema.schemaVersion
  }

  // MARK: - JSON

  /// A schema file (`SchemaFile`) that changes nothing.
  package func json() -> String {
    let entries = classes.map { entry in
      var parts: [String] = entry.isEmbedded ? ["\"embedded\": true"] : []
      let properties = entry.columns.map {
        "        \(JSONText.quote($0.name)): \(JSONText.quote(PropertyText.of($0)))"
      }
      parts.append("\"properties\": {\n\(properties.joined(separator: ",\n"))\n      }")
      for (key, isUnique) in [("unique", true), ("indexes", false)] {
        let lists = entry.indexes.filter { $0.isUnique == isUnique }.map { index in
          "[\(index.properties.map { JSONText.quote($0) }.joined(separator: ", "))]"
        }
        if !lists.isEmpty { parts.append("\"\(key)\": [\(lists.joined(separator: ", "))]") }
      }
      return "    \(JSONText.quote(entry.name)): {\n      \(parts.joined(separator: ",\n      "))\n    }"
    }
    let version = schemaVersion.map { "  \"schemaVersion\": \($0),\n" } ?? ""
    return "{\n\(version)  \"classes\": {\n\(entries.joined(separator: ",\n"))\n  }\n}\n"
  }

  // MARK: - Tables

  /// A table of properties for each class, or as CSV one of all classes, with types as in a schema file.
  package func page(
    _ title: String, as form: OutputForm, fitting width: Int? = nil, lineEnd: String = CSVText.lineEnd
  ) -> String {
    var page = TablePage(title, form, fitting: width, lineEnd: lineEnd)
    let columns: [TextTable.Column] = [.init("property"), .init("type"), .init("index")]
    var all = TextTable([.init("class")] + columns)
    for entry in classes {
      var table = TextTable(columns)
      let properties = entry.columns.map {
        [$0.name, PropertyText.type(of: $0), PropertyText.marks(of: $0).joined(separator: ", ")]
      }
      let indexes = entry.indexes.map {
        ["", "", "\($0.isUnique ? "unique" : "index") (\($0.properties.joined(separator: ", ")))"]
      }
      for row in properties + indexes {
        table.append(row)
        all.append([entry.name] + row)
      }
      // A class without properties is a class all the same.
      if table.isEmpty { all.append([entry.name, "", "", ""]) }
      if form != .csv { page.add("\(entry.name)\(entry.isEmbedded ? " (embedded)" : "")", table) }
    }
    if form == .csv { page.add(nil, all) }
    if let schemaVersion { page.say("schemaVersion \(schemaVersion)") }
    return page.finish()
  }

  // MARK: - Swift

  /// Model classes for the schema, as a program would declare them.
  package func swift() -> String {
    "import Foundation\nimport Larder\n\n" + classes.map(declaration).joined(separator: "\n")
  }

  private func declaration(_ entry: ClassDeclaration) -> String {
    let (name, names) = (className(entry.name), SwiftNames(properties: entry.columns.map(\.name)))
    var lines = ["class \(identifier(name)): \(entry.isEmbedded ? "EmbeddedObject" : "Object") {"]
    for column in entry.columns {
      let attribute =
        column.isPrimaryKey
        ? "(primaryKey: true)"
        : column.isFullText ? "(indexed: .fullText)" : column.isIndexed ? "(indexed: true)" : ""
      lines.append("  @Persisted\(attribute) var \(identifier(names[column.name])): \(swiftType(column))")
    }
    for (override, isUnique) in [("uniqueKeys", true), ("compositeIndexes", false)] {
      let lists = entry.indexes.filter { $0.isUnique == isUnique }.map(\.properties)
      if !lists.isEmpty { lines.append("  " + compositeIndexes(lists, override, entry, names)) }
    }
    if name != entry.name {
      lines.append("  override class func _realmObjectName() -> String? { \(Self.literal(entry.name)) }")
    }
    if !names.changed.isEmpty {
      let pairs = names.changed.map { "\(Self.literal($0.name)): \(Self.literal($0.stored))" }.joined(separator: ", ")
      lines.append("  override class func propertiesMapping() -> [String: String] { [\(pairs)] }")
    }
    return lines.joined(separator: "\n") + "\n}\n"
  }

  /// The line of a class that declares an index: the property with it, or the list of indexes over several with one more. Nil for what the
  /// schema does not have.
  package func declaration(ofIndex properties: [String], className: String) -> String? {
    guard let entry = classes.first(where: { $0.name == className }) else { return nil }
    let names = SwiftNames(properties: entry.columns.map(\.name))
    if properties.count == 1, let column = entry.columns.first(where: { $0.name == properties[0] }) {
      return "@Persisted(indexed: true) var \(identifier(names[column.name])): \(swiftType(column))"
    }
    let known = entry.indexes.filter { !$0.isUnique }.map(\.properties)
    guard properties.count > 1, properties.allSatisfy({ name in entry.columns.contains { $0.name == name } }) else {
      return nil
    }
    return compositeIndexes(known + [properties], "compositeIndexes", entry, names)
  }

  private func compositeIndexes(
    _ lists: [[String]], _ override: String, _ entry: ClassDeclaration, _ names: SwiftNames
  ) -> String {
    let name = identifier(self.className(entry.name))
    // Within a class, a property of its name hides it at the beginning of a key path, but not where a type is expected.
    let isHidden = entry.columns.contains { names[$0.name] == className(entry.name) }
    let types = Dictionary(entry.columns.map { ($0.name, swiftType($0)) }, uniquingKeysWith: { first, _ in first })
    let texts = lists.map { list in
      let paths = list.map { property in
        let member = identifier(names[property])
        guard isHidden, let type = types[property] else { return "\\\(name).\(member)" }
        return "\\.\(member) as KeyPath<\(name), \(type)>"
      }
      return "[\(paths.joined(separator: ", "))]"
    }
    return "override class var \(override): [[AnyKeyPath]] { [\(texts.joined(separator: ", "))] }"
  }

  /// A class's name in Swift.
  private func className(_ stored: String) -> String { classNames[stored] }

  /// A text as a literal of Swift.
  private static func literal(_ text: String) -> String {
    let body = text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.properties.generalCategory == .control: result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return "\"\(body)\""
  }

  private func swiftType(_ column: ColumnDeclaration) -> String {
    var element = column.target.map { identifier(className($0)) } ?? Self.swiftNames[column.type] ?? "Int"
    if column.type == .link {
      if column.collection == .none || column.collection == .map { element += "?" }
    } else if column.isOptional, column.type != .mixed {
      element += "?"
    }
    switch column.collection {
    case .none: return element
    case .list: return "List<\(element)>"
    case .set: return "MutableSet<\(element)>"
    case .map: return "Map<String, \(element)>"
    }
  }

  private static let swiftNames: [ColumnType: String] = [
    .bool: "Bool", .int: "Int", .float: "Float", .double: "Double", .string: "String", .data: "Data", .date: "Date",
    .uuid: "UUID", .objectId: "ObjectId", .decimal128: "Decimal128", .mixed: "AnyRealmValue",
  ]

  private func identifier(_ name: String) -> String { SwiftWords.keywords.contains(name) ? "`\(name)`" : name }

  // MARK: - Mermaid

  /// A class diagram in Mermaid's language.
  package func mermaid() -> String {
    var lines = ["classDiagram"]
    for entry in classes {
      lines.append("  class \(entry.name) {")
      if entry.isEmbedded { lines.append("    <<embedded>>") }
      for column in entry.columns where column.type != .link {
        lines.append(
          "    \(column.name) \(PropertyText.of(column).replacing("{", with: "set of ").replacing("}", with: ""))")
      }
      lines.append("  }")
    }
    for entry in classes {
      for column in entry.columns {
        guard let target = column.target else { continue }
        let isOwned = classes.first { $0.name == target }?.isEmbedded ?? false
        let many = column.collection == .none ? "\"0..1\"" : "\"*\""
        lines.append("  \(entry.name) \(isOwned ? "*--" : "-->") \(many) \(target) : \(column.name)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Names in Swift of what a store may have under other names.
private struct SwiftNames {
  private var names: [String: String] = [:]
  /// Those that are others than the stored ones, in the order given.
  private(set) var changed: [(name: String, stored: String)] = []

  /// Names of properties: none is that under which Swift stores another one.
  init(properties: [String]) {
    let all = Set(properties)
    self.init(properties) { name in
      !SwiftWords.properties.contains(name) && !name.hasPrefix("_rlm")
        && !(name.hasPrefix("_") && all.contains(String(name.dropFirst())))
    }
  }

  init(_ stored: [String], isFree: (String) -> Bool) {
    var taken = Set(stored.filter { ModelName.isIdentifier($0) && isFree($0) })
    for (number, text) in stored.enumerated() where !taken.contains(text) {
      // Not free, but an identifier: it gets a mark.
      let base = ModelName.isIdentifier(text) ? text + "_" : text
      let name = ModelName.identifier(from: base, orElse: "_\(number + 1)", not: taken)
      taken.insert(name)
      names[text] = name
      changed.append((name, text))
    }
  }

  subscript(_ stored: String) -> String { names[stored] ?? stored }
}
