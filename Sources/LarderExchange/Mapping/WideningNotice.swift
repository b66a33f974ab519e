import LarderStorage

/// What is to be said of a property whose type is wider than that of most of its values, with the lines that made it so.
struct WideningNotice {
  let property: String
  let shape: FieldShape
  let type: ColumnType

  /// Nil where the type is what the values are.
  var text: String? {
    switch type {
    case .mixed:
      let kinds = shape.kinds
      guard kinds.count > 1 else {
        return
          "'\(property)' holds \(kinds.first == .array ? "lists" : "objects")\(shape.hasNulls ? " and null" : ""), so it is a property of any type"
      }
      return "'\(property)' holds values of several types (\(sightings(kinds))), so it is a property of any type"
    case .double where shape[.large] != nil: return digits("of more than 64 bits", .large)
    case .double where shape[.long] != nil: return digits("of more than 53 bits", .long)
    case .string where shape.isText: return textNotice
    default: return nil
    }
  }

  /// What is to be said of a list, some of whose values are no arrays.
  static func ofList(_ property: String, _ shape: FieldShape) -> String? {
    guard let array = shape[.array], let single = shape.kinds.first(where: { $0 != .array }) else { return nil }
    return
      "'\(property)' is a list, since line \(array.line) has an array; single values, as in line \(shape.line(single)), "
      + "become lists of one"
  }

  private func digits(_ size: String, _ kind: FieldShape.Kind) -> String {
    "'\(property)' holds whole numbers \(size) (line \(shape.line(kind))), so it is double, which keeps 15 digits of them; --type "
      + "\(property)=decimal128 keeps 34"
  }

  /// Texts among other values are reported where they are few: a field that is text by nature holds what looks like a number, too.
  private var textNotice: String? {
    let kinds = shape.kinds
    guard kinds.count > 1 else { return nil }
    if let texts = shape[.string], texts.count > max(1, shape.valueCount / 10) { return nil }
    let odd = kinds.min { count($0) < count($1) } ?? .string
    guard let example = shape[odd]?.example else { return nil }
    let others = kinds.filter { $0 != odd }.map { "\(name($0)) as in line \(shape.line($0))" }
    return "'\(property)' is string because of \(example) in line \(shape.line(odd)); other values are "
      + "\(others.joined(separator: ", "))"
  }

  private func count(_ kind: FieldShape.Kind) -> Int {
    kind == .string ? 0 : (shape[kind]?.count ?? 0) + (kind == .integer ? shape[.long]?.count ?? 0 : 0)
  }

  private func sightings(_ kinds: [FieldShape.Kind]) -> String {
    kinds.map { "\(name($0)) in line \(shape.line($0))" }.joined(separator: ", ")
  }

  private func name(_ kind: FieldShape.Kind) -> String {
    switch kind {
    case .bool: "bool"
    case .integer, .long: "int"
    case .double: "double"
    case .large: "a large number"
    case .string: "string"
    case .date: "date"
    case .object: "an object"
    case .array: "an array"
    }
  }
}
