import LarderStorage

/// The notice of a property whose type is wider than that of most of its values, with the lines that made it so.
struct WideningNotice {
  let property: String
  let shape: FieldShape
  let type: ColumnType
  var isPrimaryKey = false

  /// Nil where the type is what the values are.
  var text: String? {
    switch type {
    case .mixed where shape[.huge] != nil,
      .string where shape.isText && shape[.huge] != nil && !shape.kinds.contains(.string):
      return large("more than 34 digits", .huge) + (type == .mixed ? "is a property of any type" : "is string")
    case .string where shape.isText && shape.kinds.contains(.large) && !shape.kinds.contains(.string):
      return large("more than 64 bits", .large)
        + "is string, " + reasonForText
    case .decimal128 where shape[.large] != nil:
      return large("more than 64 bits", .large) + "is decimal128, which keeps 34 digits"
    case .mixed:
      let kinds = shape.kinds
      guard kinds.count > 1 else {
        return
          "'\(property)' holds \(kinds.first == .array ? "lists" : "objects")\(shape.hasNulls ? " and null" : ""), so it is a property of any type"
      }
      return "'\(property)' holds values of several types (\(sightings(kinds))), so it is a property of any type"
    case .double where shape[.long] != nil: return digits
    case .string where shape.isText: return textNotice
    default: return nil
    }
  }

  /// The reason why large numbers become texts and not decimal128.
  private var reasonForText: String {
    if isPrimaryKey, shape.columnType == .decimal128 { return "since decimal128 is no type of a primary key" }
    if let special = shape.example(.special) { return "since line \(shape.line(.special)) has \(special)" }
    return "since another number has more decimals than decimal128 keeps"
  }

  /// Returns the notice of a list when some of its values are no arrays.
  static func ofList(_ property: String, _ shape: FieldShape) -> String? {
    guard let array = shape[.array], let single = shape.kinds.first(where: { $0 != .array }) else { return nil }
    return
      "'\(property)' is a list, since line \(array.line) has an array; single values, as in line \(shape.line(single)), "
      + "become lists of one"
  }

  private var digits: String {
    "'\(property)' holds whole numbers of more than 53 bits (line \(shape.line(.long))) beside fractions, so it is double, which keeps 15 "
      + "digits of them; --type \(property)=decimal128 keeps 34"
  }

  /// Returns the notice of a property whose type is given and keeps fewer digits than whole numbers of the file have.
  static func ofGivenType(_ property: String, _ shape: FieldShape, _ type: ColumnType) -> String? {
    let lost: [FieldShape.Kind] =
      switch type {
      case .double: [.large, .huge, .long]
      case .float: [.large, .huge, .long, .medium]
      default: []
      }
    guard let kind = lost.filter({ shape[$0] != nil }).min(by: { shape.line($0) < shape.line($1) }) else { return nil }
    return
      "'\(property)' is \(TypeName.name(of: type)), which keeps \(type == .double ? 15 : 6) digits, and line \(shape.line(kind)) has a "
      + "whole number of more; the others are lost"
  }

  private func large(_ size: String, _ kind: FieldShape.Kind) -> String {
    "'\(property)' holds whole numbers of \(size) (line \(shape.line(kind))), so it "
  }

  /// Texts among other values are reported where they are few: a field that is text by nature holds what looks like a number, too.
  private var textNotice: String? {
    let kinds = shape.kinds
    guard kinds.count > 1 else { return nil }
    if let texts = shape[.string], texts.count > max(1, shape.valueCount / 10) { return nil }
    let odd = kinds.min { count($0) < count($1) } ?? .string
    guard let example = shape.example(odd) else { return nil }
    let others = kinds.filter { $0 != odd }.map { "\(name($0)) as in line \(shape.line($0))" }
    return "'\(property)' is string because of \(example) in line \(shape.line(odd)); other values are "
      + "\(others.joined(separator: ", "))"
  }

  private func count(_ kind: FieldShape.Kind) -> Int {
    kind == .string ? 0 : shape.count(kind)
  }

  private func sightings(_ kinds: [FieldShape.Kind]) -> String {
    kinds.map { "\(name($0)) in line \(shape.line($0))" }.joined(separator: ", ")
  }

  private func name(_ kind: FieldShape.Kind) -> String {
    switch kind {
    case .bool: "bool"
    case .integer, .long, .medium: "int"
    case .double, .wide, .special: "double"
    case .large, .huge: "a large number"
    case .string: "string"
    case .date: "date"
    case .object: "an object"
    case .array: "an array"
    }
  }
}
