/// The values of several columns as one byte string whose order is the order of the values, the first column's first.
///
/// Each value is a byte 0 for nil, or a byte 1 and: integers, floating-point numbers and bools as eight bytes, the most significant
/// first; strings and data with each 0 byte followed by `FF`, and `00 00` after; other types as their bytes.
enum IndexTuple {
  /// The bytes of the values of the first columns; throws `.typeMismatch` for a value of another type.
  static func bytes(_ values: [StoredValue], _ columns: [ColumnDescriptor]) throws -> [UInt8] {
    var result: [UInt8] = []
    for (value, column) in zip(values, columns) { try append(value, column, &result) }
    return result
  }

  static func append(_ value: StoredValue, _ column: ColumnDescriptor, _ result: inout [UInt8]) throws {
    guard let indexed = IndexValue(value, type: column.type) else {
      throw StorageError(
        .typeMismatch, "The index holds \(column.type) values in '\(column.name)', not \(value.shortDescription).",
        property: column.name)
    }
    switch indexed {
    case .null: result.append(0)
    case .integer(let word):
      result.append(1)
      for shift in stride(from: 56, through: 0, by: -8) {
        result.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    case .bytes(let bytes):
      result.append(1)
      guard column.type == .string || column.type == .data else {
        result.append(contentsOf: bytes)
        return
      }
      for byte in bytes {
        result.append(byte)
        if byte == 0 { result.append(0xFF) }
      }
      result.append(contentsOf: [0, 0])
    }
  }

  /// Sorts after all tuples that begin with the bytes, and before all others that sort after these.
  static func end(of prefix: [UInt8]) -> [UInt8] { prefix + [2] }
}
