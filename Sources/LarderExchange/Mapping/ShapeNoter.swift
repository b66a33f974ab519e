import LarderStorage

/// Notes what records hold, in place where that is possible.
final class ShapeNoter {
  private let forms: TextForms
  private let flat: FlatShapes?
  @exclusivity(unchecked) private var shapes: FieldShapes

  /// - Parameter names: Fields that the file names before its records.
  init(_ mapping: ImportMapping, names: [String]) {
    forms = mapping.forms
    // A mapping leaves fields out.
    let takesAll = mapping.properties.isEmpty && mapping.only == nil
    shapes = takesAll ? FieldShapes() : FieldShapes(limit: nil)
    flat = takesAll ? FlatShapes(mapping.forms) : nil
    if names.count <= SchemaNumbers.countLimit || !takesAll { for name in names { shapes.add(name) } }
  }

  /// Number of the fields seen.
  var names: Int { shapes.names.count }

  /// Notes a record that is read in place; false, with nothing noted, where it brings something new.
  @inline(__always)
  func note(_ row: FlatRow) -> Bool { flat?.note(row) { shapes } ?? false }

  /// - Throws: `RecordFault` for more fields than a class can have properties.
  func note(_ record: InputRecord) throws {
    try shapes.note(record.fields, forms: forms, line: record.firstLine)
  }

  /// Returns the shapes of all records noted. To be called once, at the end.
  func finish() -> FieldShapes {
    flat?.add(to: &shapes)
    return shapes
  }
}
