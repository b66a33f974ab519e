import LarderExchange
import LarderStorage

/// A schema with rules that lead to it, as `larder migrate` reads it and `larder schema --json` writes it.
package struct SchemaFile: Sendable {
  /// The rule for a value that does not fit its new type.
  package enum Conversion: String, Sendable, CaseIterable {
    /// The migration fails.
    case strict
    /// It becomes nil, or the type's zero.
    case lenient
  }

  /// Nil: one more than the store's, where anything changes.
  package var schemaVersion: UInt64?
  package var classes: [ClassDeclaration] = []
  /// Classes that go on under another name, by the old one.
  package var renamedClasses: [(old: String, new: String)] = []
  /// Properties that go on under another name, by the class's new name.
  package var renamedProperties: [(className: String, old: String, new: String)] = []
  /// Properties whose values are taken over into another type.
  package var conversions: [(className: String, property: String, rule: Conversion)] = []
  /// Classes that go with all their objects; others that are not declared stay as they are.
  package var removedClasses: [String] = []
  /// The places of rules and declarations in the text: by `classes.City`, `classes.City.name`, `rename.City.name` and the like.
  private var offsets: [String: Int] = [:]
  private var text: [UInt8] = []
  private var name = ""

  /// A fault at the place of a rule or declaration.
  func fault(at place: String, _ message: String) -> any Error {
    guard let offset = offsets[place] else { return ImportError(message) }
    return Self.fault(at: offset, in: text, name, message)
  }

  private static func fault(at offset: Int, in text: [UInt8], _ name: String, _ message: String) -> InputFault {
    let place = InputRecord.position(of: offset, in: text, firstLine: 1)
    return InputFault(file: name, line: place.line, column: place.column, message: message)
  }

  package init() {}

  /// - Throws: `InputFileError` when the file cannot be read, `InputFault` with the place when it is no schema.
  package static func read(_ path: String) throws -> SchemaFile {
    let source = try ByteSource(path: path)
    var bytes: [UInt8] = []
    while let piece = try source.next() { bytes.append(contentsOf: piece) }
    return try parse(bytes, name: path)
  }

  /// A schema from the text of a file; `name` is for messages.
  package static func parse(_ bytes: [UInt8], name: String) throws -> SchemaFile {
    do {
      let root = try JSONParser.parse(bytes)
      var file = try SchemaFileParser().file(root)
      (file.text, file.name) = (bytes, name)
      try SchemaFileParser().eachPlace(root) { file.offsets[$0] = $1 }
      return file
    } catch let fault as RecordFault {
      throw Self.fault(at: fault.offset, in: bytes, name, fault.message)
    }
  }
}

/// Reads the JSON of a schema file.
struct SchemaFileParser {
  func file(_ node: InputNode) throws -> SchemaFile {
    var file = SchemaFile()
    for (key, node) in try node.fields(known: ["schemaVersion", "classes", "rename", "convert", "delete"]) {
      switch key {
      case "schemaVersion": file.schemaVersion = try version(node)
      case "classes": file.classes = try node.fields().map { try entry($0.0, $0.1) }
      case "rename": try rename(node, &file)
      case "convert": file.conversions = try conversions(node)
      default: file.removedClasses = try node.strings()
      }
    }
    return file
  }

  private func version(_ node: InputNode) throws -> UInt64 {
    guard case .integer(let number) = node.value, number >= 0 else {
      throw RecordFault(
        offset: node.offset,
        message: "a version is a whole number from 0 on, not \(ValueConverter.describe(node.value))")
    }
    return UInt64(number)
  }

  /// Calls `body` with the name and the offset of each rule and declaration.
  func eachPlace(_ node: InputNode, _ body: (String, Int) -> Void) throws {
    for (section, node) in try node.fields() {
      switch node.value {
      case .object(let fields):
        for field in fields {
          body("\(section).\(field.name)", field.node.offset)
          guard section == "classes" else { continue }
          for (key, inner) in try field.node.fields() where key == "properties" {
            for (property, node) in try inner.fields() { body("\(section).\(field.name).\(property)", node.offset) }
          }
        }
      case .array(let elements):
        for element in elements { body("\(section).\(try element.string())", element.offset) }
      default: body(section, node.offset)
      }
    }
  }

  private func entry(_ name: String, _ node: InputNode) throws -> ClassDeclaration {
    var entry = ClassDeclaration(name: name, columns: [])
    for (key, node) in try node.fields(known: ["embedded", "properties", "unique", "indexes"]) {
      switch key {
      case "embedded": entry.isEmbedded = try node.bool()
      case "properties": entry.columns = try node.fields().map { try column($0.0, $0.1) }
      default:
        guard case .array(let lists) = node.value else {
          throw RecordFault(offset: node.offset, message: "an array of arrays of properties was expected")
        }
        entry.indexes += try lists.map { IndexDeclaration(try $0.strings(), isUnique: key == "unique") }
      }
    }
    return entry
  }

  private func column(_ name: String, _ node: InputNode) throws -> ColumnDeclaration {
    switch PropertyText.parse(name, try node.string()) {
    case .success(let column): return column
    case .failure(let fault): throw RecordFault(offset: node.offset, message: fault.message)
    }
  }

  private func rename(_ node: InputNode, _ file: inout SchemaFile) throws {
    for (name, node) in try node.fields() {
      let new = try node.string()
      guard let dot = name.firstIndex(of: ".") else {
        file.renamedClasses.append((name, new))
        continue
      }
      file.renamedProperties.append((String(name[..<dot]), String(name[name.index(after: dot)...]), new))
    }
  }

  private func conversions(_ node: InputNode) throws -> [(
    className: String, property: String, rule: SchemaFile.Conversion
  )] {
    try node.fields().map { name, node in
      let rules = SchemaFile.Conversion.allCases.map(\.rawValue).joined(separator: " or ")
      guard let rule = SchemaFile.Conversion(rawValue: try node.string()) else {
        throw RecordFault(offset: node.offset, message: "a conversion is \(rules)")
      }
      guard let dot = name.firstIndex(of: ".") else {
        throw RecordFault(offset: node.offset, message: "'\(name)' names no property: write Class.property")
      }
      return (String(name[..<dot]), String(name[name.index(after: dot)...]), rule)
    }
  }
}
