import LarderStorage

/// The kinds of values that were seen in one field: the base for guessing a property's type.
struct FieldShape {
  /// The values of one kind that were seen.
  struct Sighting {
    var count: Int
    /// The line of the first one.
    var line: Int
    /// The first one, for messages.
    var example: String
  }

  enum Kind: Int, CaseIterable {
    case bool, integer, double, string, date, object, array
    /// A whole number of more than 64 bits.
    case large
    /// A whole number of more than 53 bits, which a double does not keep.
    case long
    /// A whole number that a double keeps and a float does not.
    case medium
    /// A whole number that no decimal128 keeps.
    case huge
    /// A number with so many decimals that a decimal128 may not keep it.
    case wide
    /// `nan` or `inf`, as text.
    case special

    /// The kind in messages and for types: the others only say what keeps its digits.
    var base: Kind {
      switch self {
      case .long, .medium: .integer
      case .huge: .large
      case .wide, .special: .double
      default: self
      }
    }
  }

  /// A number of so many characters has no more digits than a decimal128 keeps.
  static let decimalLength = 34

  private var nullCount = 0
  private var sightings = [Sighting?](repeating: nil, count: Kind.allCases.count)
  /// Shapes of the fields of nested objects, in order of first sight.
  private(set) var fields = FieldShapes()
  /// Shape of the elements of arrays.
  private var elements: [FieldShape] = []

  /// True if values came without a type of their own, as in CSV.
  private(set) var isText = false

  subscript(_ kind: Kind) -> Sighting? { sightings[kind.rawValue] }

  /// Records (or elements) that had a value that is not null.
  var valueCount: Int { sightings.reduce(0) { $0 + ($1?.count ?? 0) } }

  /// The kinds that were seen, in the order of their first lines, each by its base.
  var kinds: [Kind] {
    Set(Kind.allCases.filter { self[$0] != nil }.map(\.base))
      .sorted { (line($0), $0.rawValue) < (line($1), $1.rawValue) }
  }

  /// Counts the values of a kind, and of the kinds that have it as their base.
  func count(_ kind: Kind) -> Int { sightings(kind).reduce(0) { $0 + $1.count } }

  private func sightings(_ base: Kind) -> [Sighting] {
    Kind.allCases.filter { $0 == base || $0.base == base }.compactMap { self[$0] }
  }

  /// True if all values are whole numbers of a file whose values have no types.
  var isNumberedText: Bool { isText && kinds == [.integer] }

  /// The first line with a kind.
  func line(_ kind: Kind) -> Int { sightings(kind).map(\.line).min() ?? 0 }

  /// The first value of a kind, for messages.
  func example(_ kind: Kind) -> String? { sightings(kind).min { $0.line < $1.line }?.example }

  var isObject: Bool { kinds == [.object] }
  var hasNulls: Bool { nullCount > 0 }
  /// True if any value was an array; the others are then lists of one.
  var isArray: Bool { self[.array] != nil }
  /// The shape of the elements of arrays, and of the values that are lists of one.
  var element: FieldShape {
    var single = self
    single.sightings[Kind.array.rawValue] = nil
    // Null is an empty list.
    single.nullCount = 0
    single.elements = []
    guard isArray, let inside = elements.first else { return single }
    return inside.merged(with: single)
  }

  /// True if some of `total` places had no value.
  func isOptional(of total: Int) -> Bool { valueCount < total }

  /// The narrowest column type that holds every value seen. A mixture becomes text where the values have no types, and else of any
  /// type, which also holds what a value beside lists and objects is.
  var columnType: ColumnType {
    let kinds = kinds
    switch kinds {
    case []: return .string
    case [.bool]: return .bool
    case [.integer]: return .int
    case [.date]: return .date
    case [.string]: return .string
    case _ where kinds.allSatisfy { [.integer, .double, .large].contains($0) }:
      guard kinds.contains(.large) else { return .double }
      if self[.huge] == nil, self[.wide] == nil, self[.special] == nil { return .decimal128 }
      return isText ? .string : .mixed
    default: return isText ? .string : .mixed
    }
  }

  mutating func note(_ node: InputNode, forms: TextForms, line: Int) throws {
    switch node.value {
    case .null: nullCount += 1
    case .bool(let value): see(.bool, line) { "\(value)" }
    case .integer(let value): see(Self.kind(of: value), line) { "\(value)" }
    case .number(_, let text): see(Self.kind(ofNumber: text), line) { text }
    case .string(let text):
      if forms.nullMarkers.contains(text) {
        nullCount += 1
      } else {
        see(.string, line) { ValueText.short(.string(text)) }
      }
    case .text(let text):
      isText = true
      if text.isEmpty || forms.nullMarkers.contains(text) {
        nullCount += 1
      } else {
        see(Self.kind(ofText: text, forms), line) { ValueText.short(.string(text)) }
      }
    case .array(let nodes):
      see(.array, line) { "an array" }
      if elements.isEmpty { elements.append(FieldShape()) }
      for node in nodes { try elements[0].note(node, forms: forms, line: line) }
    case .object(let inner):
      see(.object, line) { "an object" }
      try fields.note(inner, forms: forms, line: line)
    }
  }

  /// True if a kind was seen, or null.
  func hasSeen(_ kind: Kind?) -> Bool { kind.map { self[$0] != nil } ?? (nullCount > 0) }

  /// Counts more of what was seen.
  mutating func add(_ count: Int, of kind: Kind?) {
    if let kind { sightings[kind.rawValue]?.count += count } else { nullCount += count }
  }

  /// Counts of the elements of all arrays together, and of the lists of one.
  var elementCount: Int {
    let element = element
    return element.valueCount + element.nullCount
  }

  private mutating func see(_ kind: Kind, _ line: Int, _ example: () -> String) {
    // Most rows bring nothing new.
    if sightings[kind.rawValue] != nil {
      sightings[kind.rawValue]?.count += 1
    } else {
      sightings[kind.rawValue] = Sighting(count: 1, line: line, example: example())
    }
  }

  /// The shape of the values of both.
  func merged(with other: FieldShape) -> FieldShape {
    var result = self
    result.nullCount += other.nullCount
    result.isText = isText || other.isText
    for kind in Kind.allCases {
      guard let more = other[kind] else { continue }
      guard var known = self[kind] else {
        result.sightings[kind.rawValue] = more
        continue
      }
      if more.line < known.line { (known.line, known.example) = (more.line, more.example) }
      known.count += more.count
      result.sightings[kind.rawValue] = known
    }
    result.fields = fields.merged(with: other.fields)
    if let more = other.elements.first {
      result.elements = [elements.first?.merged(with: more) ?? more]
    }
    return result
  }

  /// The kind of an integer of 64 bits, by the floating-point types that keep it.
  @inline(__always)
  static func kind(of integer: Int64) -> Kind {
    guard integer.magnitude > 1 << 24 else { return .integer }
    if integer.magnitude > 1 << 53 { return .long }
    return Int64(Float(integer)) == integer ? .integer : .medium
  }

  /// The kind of a number that is no integer of 64 bits, by its text with a point before its decimals.
  private static func kind(ofNumber text: String) -> Kind {
    guard isWhole(text) else { return text.utf8.count > decimalLength ? .wide : .double }
    return DecimalNumber(exactly: text) == nil ? .huge : .large
  }

  private static func isWhole(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- UInt8(ascii: "0") < 10 }
  }

  private static func kind(ofText all: String, _ forms: TextForms) -> Kind {
    let text = BareText.of(all)
    if TruthText.inferred(text) != nil { return .bool }
    if SpecialNumberText.isOne(text) { return .special }
    guard let first = text.utf8.first else { return .string }
    guard first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") < 10 || first == UInt8(ascii: ".") else {
      return forms.datePattern?.parse(text) == nil ? .string : .date
    }
    // "007" is a code, not a number: its zeros must not be lost.
    let digits = text.drop { $0 == "-" }
    let isCode =
      digits.count > 1 && digits.first == "0" && digits.dropFirst().first != (forms.hasDecimalComma ? "," : ".")
    if !isCode {
      if let value = Int64(text) { return kind(of: value) }
      if let number = forms.number(text), let value = Double(number), value.isFinite { return kind(ofNumber: number) }
    }
    return forms.date(text) == nil ? .string : .date
  }
}
