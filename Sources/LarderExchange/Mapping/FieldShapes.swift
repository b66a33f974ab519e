import LarderStorage

/// Shapes of several fields by name, in order of first sight.
struct FieldShapes {
  private(set) var names: [String] = []
  private var shapes: [FieldShape] = []
  private var places: [ByteName: Int] = [:]
  /// Objects noted.
  private(set) var recordCount = 0
  /// The most fields that may be noted; nil where not all of them become properties.
  private let limit: Int?

  init(limit: Int? = SchemaNumbers.countLimit) { self.limit = limit }

  /// - Throws: `RecordFault` for more fields than a class can have properties.
  mutating func note(_ fields: [InputField], forms: TextForms, line: Int) throws {
    recordCount += 1
    for (index, field) in fields.enumerated() {
      // Records mostly have the same fields in the same order.
      let place = index < names.count && ByteName.areSame(names[index], field.name) ? index : try self.place(of: field)
      try shapes[place].note(field.node, forms: forms, line: line)
    }
  }

  /// Makes a place for a field that no record need have.
  mutating func add(_ name: String) {
    if places[ByteName(name)] == nil { _ = add(name, FieldShape()) }
  }

  /// True if a kind, or null, was seen at a place, in text or not in text.
  func hasSeen(_ kind: FieldShape.Kind?, _ place: Int, _ isText: Bool) -> Bool {
    shapes[place].isText == isText && shapes[place].hasSeen(kind)
  }

  /// Counts values that are like others which were noted.
  mutating func add(_ count: Int, of kind: FieldShape.Kind?, _ place: Int) {
    if count > 0 { shapes[place].add(count, of: kind) }
  }

  mutating func add(records: Int) { recordCount += records }

  private mutating func place(of field: InputField) throws -> Int {
    if let place = places[ByteName(field.name)] { return place }
    if let limit, names.count >= limit {
      throw RecordFault(
        offset: field.node.offset,
        message:
          "the field \(ValueText.short(.string(field.name))) is one too many: a class has at most \(limit) properties")
    }
    return add(field.name, FieldShape())
  }

  private mutating func add(_ name: String, _ shape: FieldShape) -> Int {
    places[ByteName(name)] = names.count
    names.append(name)
    shapes.append(shape)
    return names.count - 1
  }

  /// The shapes of the objects of both.
  func merged(with other: FieldShapes) -> FieldShapes {
    var result = self
    result.recordCount += other.recordCount
    for (name, shape) in zip(other.names, other.shapes) {
      if let place = places[ByteName(name)] {
        result.shapes[place] = shapes[place].merged(with: shape)
      } else {
        _ = result.add(name, shape)
      }
    }
    return result
  }

  /// The shape of a field; a name with dots reaches into nested objects.
  func shape(_ name: String) -> (shape: FieldShape, total: Int)? {
    if let place = places[ByteName(name)] { return (shapes[place], recordCount) }
    guard let dot = name.firstIndex(of: "."), let place = places[ByteName(String(name[..<dot]))] else { return nil }
    guard let found = shapes[place].fields.shape(String(name[name.index(after: dot)...])) else { return nil }
    // An object without the nested one lacks the field as well.
    return (found.shape, recordCount)
  }
}
