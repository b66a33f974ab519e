import Foundation
import LarderStorage

/// Reads a mapping from its JSON file; faults carry line and column.
package struct MappingFile {
  private let path: String
  private let bytes: [UInt8]

  private static let mostBytes = 16 << 20

  /// - Throws: `InputFileError` when the file cannot be read, `InputFault` when it is not a mapping.
  package static func read(_ path: String) throws -> ImportMapping {
    let source = try ByteSource(path: path)
    var bytes: [UInt8] = []
    while let piece = try source.next() {
      bytes.append(contentsOf: piece)
      guard bytes.count <= mostBytes else {
        throw InputFileError(path: path, message: "a mapping has at most \(mostBytes >> 20) MiB")
      }
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    let file = MappingFile(path: path, bytes: bytes)
    do {
      return try file.mapping(JSONParser.parse(bytes))
    } catch let fault as RecordFault {
      let place = InputRecord.position(of: fault.offset, in: bytes, firstLine: 1)
      throw InputFault(file: path, line: place.line, column: place.column, message: fault.message)
    }
  }

  private func mapping(_ node: InputNode) throws -> ImportMapping {
    var mapping = ImportMapping()
    for (key, node) in try node.fields(known: ["class", "null", "primaryKey", "indexed", "properties"]) {
      switch key {
      case "class": mapping.className = try node.string()
      case "null": mapping.forms.nullMarkers = Set(try strings(node))
      case "primaryKey": mapping.primaryKey = try node.string()
      case "indexed": mapping.indexed = Set(try strings(node))
      default: mapping.properties = try properties(node)
      }
    }
    return mapping
  }

  private func properties(_ node: InputNode) throws -> [PropertyMapping] {
    guard case .object(let fields) = node.value else {
      throw RecordFault(offset: node.offset, message: "an object of properties was expected, not \(node.value.kind)")
    }
    var seen: Set<String> = []
    return try fields.map { field in
      guard seen.insert(field.name).inserted else {
        throw RecordFault(offset: field.node.offset, message: "the property '\(field.name)' is mapped twice")
      }
      return try property(field.name, field.node)
    }
  }

  private static let propertyKeys = [
    "from", "type", "optional", "list", "split", "primaryKey", "indexed", "link", "by", "missing", "embed",
    "properties",
  ]

  private func property(_ name: String, _ node: InputNode) throws -> PropertyMapping {
    var property = PropertyMapping(name: name)
    if case .string = node.value {  // "name": "string" is short for {"type": "string"}
      try setType(node, of: &property)
      return property
    }
    var by: String?
    var isOptional: (value: Bool, offset: Int)?
    var missing: LinkMapping.Missing?
    var inner: [PropertyMapping]?
    for (key, node) in try node.fields(known: Self.propertyKeys) {
      switch key {
      case "from": property.source = try node.string()
      case "type": try setType(node, of: &property)
      case "optional": isOptional = (value: try node.bool(), offset: node.offset)
      case "list": property.isList = try node.bool()
      case "split": property.split = try separator(node)
      case "primaryKey": property.isPrimaryKey = try node.bool()
      case "indexed": property.isIndexed = try node.bool()
      case "link": property.link = LinkMapping(target: try node.string())
      case "by": by = try node.string()
      case "missing": missing = try missingRule(node)
      case "embed": property.embedded = EmbeddedMapping(className: try node.string(), properties: [])
      default: inner = try properties(node)
      }
    }
    try isOptional.map { try setOptional($0.value, of: &property, at: $0.offset) }
    if property.split != nil { property.isList = true }
    if by != nil || missing != nil {
      guard property.link != nil else {
        throw RecordFault(offset: node.offset, message: "'by' and 'missing' need 'link' beside them")
      }
      property.link?.by = by
      property.link?.missing = missing ?? .error
    }
    try setInner(inner, of: &property, at: node.offset)
    return property
  }

  /// Lays what `optional` says over the type, whichever of both comes first.
  private func setOptional(_ isOptional: Bool, of property: inout PropertyMapping, at offset: Int) throws {
    guard isOptional || property.isOptional != true else {
      throw RecordFault(offset: offset, message: "'optional' is false, and the type has a question mark")
    }
    property.isOptional = isOptional
  }

  private func setInner(_ inner: [PropertyMapping]?, of property: inout PropertyMapping, at offset: Int) throws {
    guard property.embedded != nil else {
      guard inner == nil else {
        throw RecordFault(offset: offset, message: "'properties' needs 'embed' beside it")
      }
      return
    }
    guard let inner, !inner.isEmpty else {
      throw RecordFault(
        offset: offset, message: "'embed' needs 'properties' beside it: what the embedded object is made of")
    }
    guard property.link == nil, property.type == nil, property.split == nil else {
      throw RecordFault(offset: offset, message: "'embed' excludes 'link', 'type' and 'split'")
    }
    if let key = inner.first(where: \.isPrimaryKey) {
      throw RecordFault(
        offset: offset, message: "'\(key.name)' cannot be a primary key: embedded objects have none")
    }
    property.embedded?.properties = inner
  }

  private func setType(_ node: InputNode, of property: inout PropertyMapping) throws {
    let text = try node.string()
    guard let (type, isOptional) = TypeName.parse(text) else {
      throw RecordFault(
        offset: node.offset,
        message: "there is no type '\(text)'; the types are \(TypeName.scalarNames.joined(separator: ", ")), "
          + "each with ? for optional")
    }
    property.type = type
    property.isOptional = isOptional
  }

  private func missingRule(_ node: InputNode) throws -> LinkMapping.Missing {
    guard let rule = LinkMapping.Missing(rawValue: try node.string()) else {
      throw RecordFault(offset: node.offset, message: "\"error\" or \"null\" was expected")
    }
    return rule
  }

  private func separator(_ node: InputNode) throws -> String {
    let text = try node.string()
    guard !text.isEmpty else { throw RecordFault(offset: node.offset, message: "a string cannot be cut at nothing") }
    return text
  }

  private func strings(_ node: InputNode) throws -> [String] {
    guard case .array(let elements) = node.value else { return [try node.string()] }
    return try elements.map { try $0.string() }
  }
}
