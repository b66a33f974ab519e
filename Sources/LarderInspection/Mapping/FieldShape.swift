import LarderStorage

/// What the values of one field were seen to be: the base for guessing a property's type.
struct FieldShape {
  /// Records (or elements) that had a value that is not null.
  private(set) var valueCount = 0
  private var nullCount = 0
  private var kinds: Set<Kind> = []
  /// Shapes of the fields of nested objects, in order of first sight.
  private(set) var fields = FieldShapes()
  /// Shape of the elements of arrays.
  private var elements: [FieldShape] = []

  /// Whether values came without a type of their own, as in CSV.
  private var isText = false

  private enum Kind: Hashable {
    case bool, integer, double, string, date, object, array
    /// A whole number of more than 64 bits.
    case large
  }

  /// Whether all values are whole numbers of a file whose values have no types.
  var isNumberedText: Bool { isText && kinds == [.integer] }

  /// Whether whole numbers were seen that no integer property holds.
  var hasLargeIntegers: Bool { kinds.contains(.large) }

  var isObject: Bool { kinds == [.object] }
  var isArray: Bool { kinds == [.array] }
  var element: FieldShape { elements.first ?? FieldShape() }

  /// Whether some of `total` places had no value.
  func isOptional(of total: Int) -> Bool { valueCount < total }

  /// The narrowest column type that holds every value seen; a mixture becomes string, or of any type where the values have types.
  var columnType: ColumnType {
    switch kinds {
    case []: .string
    case [.bool]: .bool
    case [.integer]: .int
    case [.date]: .date
    case _ where kinds.isSubset(of: [.integer, .double, .large]): .double
    case _ where !isText && kinds.count > 1 && kinds.isSubset(of: [.bool, .integer, .double, .large, .string]): .mixed
    default: .string
    }
  }

  mutating func note(_ node: InputNode, nullMarkers: Set<String>) {
    switch node.value {
    case .null: nullCount += 1
    case .bool: see(.bool)
    case .integer: see(.integer)
    case .number(_, let text): see(Self.isWhole(text) ? .large : .double)
    case .string(let text):
      if nullMarkers.contains(text) { nullCount += 1 } else { see(.string) }
    case .text(let text):
      isText = true
      if text.isEmpty || nullMarkers.contains(text) { nullCount += 1 } else { see(Self.kind(ofText: text)) }
    case .array(let nodes):
      see(.array)
      if elements.isEmpty { elements.append(FieldShape()) }
      for node in nodes { elements[0].note(node, nullMarkers: nullMarkers) }
    case .object(let inner):
      see(.object)
      fields.note(inner, nullMarkers: nullMarkers)
    }
  }

  /// Counts of the elements of all arrays together.
  var elementCount: Int { element.valueCount + element.nullCount }

  private mutating func see(_ kind: Kind) {
    valueCount += 1
    // A set insert for each of a million rows is dear; most rows bring nothing new.
    if !kinds.contains(kind) { kinds.insert(kind) }
  }

  private static func isWhole(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- UInt8(ascii: "0") < 10 }
  }

  private static func kind(ofText text: String) -> Kind {
    if text == "true" || text == "false" { return .bool }
    guard let first = text.utf8.first else { return .string }
    guard first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") < 10 || first == UInt8(ascii: ".") else {
      return .string
    }
    // "007" is a code, not a number: its zeros must not be lost.
    let digits = text.drop { $0 == "-" }
    let isCode = digits.count > 1 && digits.first == "0" && digits.dropFirst().first != "."
    if !isCode {
      if Int64(text) != nil { return .integer }
      if let value = Double(text), value.isFinite { return isWhole(text) ? .large : .double }
    }
    return DateText.parse(text) == nil ? .string : .date
  }
}

/// Shapes of several fields by name, in order of first sight.
struct FieldShapes {
  private(set) var names: [String] = []
  private var shapes: [FieldShape] = []
  private var places: [String: Int] = [:]
  /// Objects noted.
  private(set) var recordCount = 0

  mutating func note(_ fields: [InputField], nullMarkers: Set<String>) {
    recordCount += 1
    for (index, field) in fields.enumerated() {
      // Records mostly have the same fields in the same order.
      let place = index < names.count && names[index] == field.name ? index : self.place(of: field.name)
      shapes[place].note(field.node, nullMarkers: nullMarkers)
    }
  }

  private mutating func place(of name: String) -> Int {
    if let place = places[name] { return place }
    places[name] = names.count
    names.append(name)
    shapes.append(FieldShape())
    return names.count - 1
  }

  /// The shape of a field; a name with dots reaches into nested objects.
  func shape(_ name: String) -> (shape: FieldShape, total: Int)? {
    if let place = places[name] { return (shapes[place], recordCount) }
    guard let dot = name.firstIndex(of: "."), let place = places[String(name[..<dot])] else { return nil }
    return shapes[place].fields.shape(String(name[name.index(after: dot)...]))
  }
}
