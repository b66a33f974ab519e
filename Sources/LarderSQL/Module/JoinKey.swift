import CSQLite
import LarderStorage

/// The values of several columns as bytes: those that are equal to SQLite have the same, as long as the columns are the same.
struct JoinKey {
  private(set) var bytes: [UInt8] = []

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  @inline(__always)
  mutating func append(_ number: Int64) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  /// - Returns: false for a value that is NULL to SQLite.
  @inline(__always)
  mutating func append(_ number: Double) -> Bool {
    append(Int64(bitPattern: (number == 0 ? 0 : number).bitPattern))
    return !number.isNaN
  }

  @inline(__always)
  mutating func append(_ text: UnsafeRawBufferPointer) {
    append(Int64(text.count))
    bytes.append(contentsOf: text)
  }

  enum Found {
    case bytes
    /// NULL, or a number that no value of the column is.
    case nothing
    /// SQLite would convert it first.
    case otherType
  }

  /// Appends a value that SQLite gives to compare a column with.
  mutating func append(_ value: OpaquePointer?, _ type: ColumnType) -> Found {
    let given = sqlite3_value_type(value)
    if given == SQLITE_NULL { return .nothing }
    switch type {
    case .int, .bool, .link:
      if given == SQLITE_INTEGER {
        append(sqlite3_value_int64(value))
      } else {
        guard given == SQLITE_FLOAT else { return .otherType }
        guard let number = Int64(exactly: sqlite3_value_double(value)) else { return .nothing }
        append(number)
      }
    case .double, .float:
      if given == SQLITE_FLOAT { return append(sqlite3_value_double(value)) ? .bytes : .nothing }
      guard given == SQLITE_INTEGER, let number = Double(exactly: sqlite3_value_int64(value)) else { return .otherType }
      _ = append(number)
    case .string, .date, .uuid, .objectId:
      guard given == SQLITE_TEXT else { return .otherType }
      let text = sqlite3_value_text(value)
      append(UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))))
    case .data, .decimal128, .mixed: return .otherType
    }
    return .bytes
  }

  /// Mixes eight bytes at a time.
  var hash: UInt64 {
    bytes.withUnsafeBytes { bytes in
      var result = UInt64(truncatingIfNeeded: bytes.count) &* 0x9E37_79B9_7F4A_7C15
      var place = 0
      while place + 8 <= bytes.count {
        result = Self.mix(result ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        place += 8
      }
      var rest: UInt64 = 0
      while place < bytes.count {
        rest = rest << 8 | UInt64(bytes[place])
        place += 1
      }
      return Self.mix(result ^ rest)
    }
  }

  @inline(__always)
  private static func mix(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low ^ (word >> 32)
  }
}
