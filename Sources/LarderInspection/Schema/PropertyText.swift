import LarderExchange
import LarderStorage

/// A property as schema files write it: `name string? indexed`, with the type forms of `TypeName.describe`.
///
/// Types are `bool int float double string data date uuid objectId decimal128 mixed` or the name of a class, `?` after one where
/// nil is allowed, `[type]` for a list, `{type}` for a set, `[string: type]` for a map.
enum PropertyText {
  /// A column in that form.
  static func of(_ column: ColumnDeclaration) -> String {
    ([type(of: column)] + marks(of: column)).joined(separator: " ")
  }

  /// Writes the type of its values.
  static func type(of column: ColumnDeclaration) -> String {
    let isLink = column.type == .link
    // Links and mixed values have no choice where they stand.
    let isMarked = column.isOptional && column.type != .mixed && (!isLink || column.collection != .list)
    let element = (column.target ?? TypeName.name(of: column.type)) + (isMarked ? "?" : "")
    return switch column.collection {
    case .none: element
    case .list: "[\(element)]"
    case .set: "{\(element)}"
    case .map: "[string: \(element)]"
    }
  }

  /// The words after its type.
  static func marks(of column: ColumnDeclaration) -> [String] {
    (column.isPrimaryKey ? ["primary"] : column.isIndexed ? ["indexed"] : []) + (column.isFullText ? ["fullText"] : [])
  }

  /// A column by its name from such a text; the message of what is wrong otherwise.
  static func parse(_ name: String, _ text: String) -> Result<ColumnDeclaration, PropertyFault> {
    var rest = text
    var flags: Set<String> = []
    for flag in ["fullText", "primary", "indexed"] where rest.hasSuffix(" \(flag)") {
      rest = String(rest.dropLast(flag.count + 1))
      flags.insert(flag)
    }
    var kind = CollectionKind.none
    if rest.hasPrefix("[string: "), rest.hasSuffix("]") {
      kind = .map
      rest = String(rest.dropFirst("[string: ".count).dropLast())
    } else if rest.hasPrefix("["), rest.hasSuffix("]") {
      kind = .list
      rest = String(rest.dropFirst().dropLast())
    } else if rest.hasPrefix("{"), rest.hasSuffix("}") {
      kind = .set
      rest = String(rest.dropFirst().dropLast())
    }
    let isOptional = rest.hasSuffix("?")
    if isOptional { rest.removeLast() }
    guard !rest.isEmpty, rest.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
      return .failure(
        PropertyFault(
          message:
            "'\(text)' is no type: write a type such as string, int? or City, [type] for a list, {type} for a set, "
            + "[string: type] for a map, and primary, indexed or fullText after it"))
    }
    let type = TypeName.names.first { $0.name == rest && $0.type != .link }?.type
    return .success(
      ColumnDeclaration(
        name: name, type: type ?? .link, collection: kind, isOptional: isOptional, target: type == nil ? rest : nil,
        isPrimaryKey: flags.contains("primary"), isIndexed: flags.contains("indexed"),
        isFullText: flags.contains("fullText")))
  }
}

/// The reason that a text is no property.
struct PropertyFault: Error {
  var message: String
}
