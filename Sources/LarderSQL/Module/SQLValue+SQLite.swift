import CSQLite
import Foundation

extension SQLValue {
  /// Says that SQLite is to copy what it is given.
  static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  /// A value that SQLite gives to a function.
  init(_ value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      guard let bytes = sqlite3_value_text(value) else {
        self = .text("")
        return
      }
      let count = Int(sqlite3_value_bytes(value))
      self = .text(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      guard let bytes = sqlite3_value_blob(value) else {
        self = .blob(Data())
        return
      }
      self = .blob(Data(bytes: bytes, count: Int(sqlite3_value_bytes(value))))
    default: self = .null
    }
  }

  /// Makes it the result of a function that SQLite has called.
  func give(to context: OpaquePointer?) {
    switch self {
    case .null: sqlite3_result_null(context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .real(let value): sqlite3_result_double(context, value)
    case .text(var value):
      value.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_result_text64(context, $0.baseAddress, UInt64($0.count), Self.copied, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let value):
      guard !value.isEmpty else { return sqlite3_result_zeroblob(context, 0) }
      value.withUnsafeBytes { sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), Self.copied) }
    }
  }

  /// Gives it to a statement in place of a parameter.
  func bind(to statement: OpaquePointer, _ number: Int32) -> Int32 {
    switch self {
    case .null: return sqlite3_bind_null(statement, number)
    case .integer(let value): return sqlite3_bind_int64(statement, number, value)
    case .real(let value): return sqlite3_bind_double(statement, number, value)
    case .text(var value):
      return value.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text64(statement, number, $0.baseAddress, UInt64($0.count), Self.copied, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let value):
      guard !value.isEmpty else { return sqlite3_bind_zeroblob(statement, number, 0) }
      return value.withUnsafeBytes {
        sqlite3_bind_blob64(statement, number, $0.baseAddress, UInt64($0.count), Self.copied)
      }
    }
  }
}
