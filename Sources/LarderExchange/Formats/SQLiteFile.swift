import CSQLite
import Foundation

/// An SQLite file, opened to be made or to be read. Belongs to one thread.
final class SQLiteFile {
  private let path: String
  private let handle: OpaquePointer

  static func isSQLite(_ path: String) -> Bool {
    // What a pipe gives can be read once only.
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular, let file = FileHandle(forReadingAtPath: path) else {
      return false
    }
    return (try? file.read(upToCount: 16)) == Data("SQLite format 3\u{0}".utf8)
  }

  /// True if there is a file of some bytes.
  static func isFile(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
    return attributes?[.type] as? FileAttributeType == .typeRegular
      && (attributes?[.size] as? NSNumber)?.intValue ?? 0 > 0
  }

  /// - Throws: `InputFileError` with what SQLite says.
  init(_ path: String, isNew: Bool) throws {
    self.path = path
    var opened: OpaquePointer?
    let flags = isNew ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    let result = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let opened else {
      sqlite3_close(opened)
      throw InputFileError(path: path, message: "SQLite cannot open it: \(String(cString: sqlite3_errstr(result)))")
    }
    handle = opened
  }

  deinit { sqlite3_close_v2(handle) }

  fileprivate func failure() -> InputFileError {
    let text = String(cString: sqlite3_errmsg(handle))
    let hint =
      switch sqlite3_errcode(handle) & 0xFF {
      case SQLITE_NOTADB: "; it is encrypted, or damaged"
      case SQLITE_CORRUPT: "; 'sqlite3 FILE .recover' may save what is left"
      case SQLITE_CANTOPEN, SQLITE_READONLY: "; files with a write-ahead log need write access to their folder"
      default: ""
      }
    return InputFileError(path: path, message: "SQLite: \(text)\(hint)")
  }

  /// The number that a query gives.
  func count(_ sql: String) throws -> Int {
    guard case .integer(let count)? = try statement(sql).next()?.first else { return 0 }
    return Int(count)
  }

  func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  func statement(_ sql: String) throws -> SQLiteStatement {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let prepared else { throw failure() }
    return SQLiteStatement(self, prepared)
  }
}

/// A prepared statement.
final class SQLiteStatement {
  /// The value of a cell of SQLite.
  enum Value {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
  }

  private let file: SQLiteFile
  private let handle: OpaquePointer
  /// Says that SQLite is to copy what it is given.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  fileprivate init(_ file: SQLiteFile, _ handle: OpaquePointer) {
    self.file = file
    self.handle = handle
  }

  deinit { sqlite3_finalize(handle) }

  /// Runs the statement, which gives no rows, with values.
  func run(_ values: [Value]) throws {
    for (index, value) in values.enumerated() {
      guard bind(Int32(index + 1), value) == SQLITE_OK else { throw file.failure() }
    }
    guard sqlite3_step(handle) == SQLITE_DONE, sqlite3_reset(handle) == SQLITE_OK else { throw file.failure() }
  }

  /// Starts over with one value.
  func start(_ value: Int64) throws {
    sqlite3_reset(handle)
    guard sqlite3_bind_int64(handle, 1, value) == SQLITE_OK else { throw file.failure() }
  }

  /// Starts over with one text.
  func start(_ text: String) throws {
    sqlite3_reset(handle)
    guard bind(1, .text(text)) == SQLITE_OK else { throw file.failure() }
  }

  /// The next row; nil at the end.
  func next() throws -> [Value]? {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return (0..<sqlite3_column_count(handle)).map(value)
    case SQLITE_DONE: return nil
    default: throw file.failure()
    }
  }

  private func bind(_ index: Int32, _ value: Value) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, index)
    case .integer(let integer): return sqlite3_bind_int64(handle, index, integer)
    case .real(let real): return sqlite3_bind_double(handle, index, real)
    case .text(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text64(handle, index, $0.baseAddress, UInt64($0.count), Self.copied, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let data):
      guard !data.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
      return data.withUnsafeBytes { sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), Self.copied) }
    }
  }

  // MARK: - Cells in place

  /// The kind of a value in a cell of SQLite.
  enum Kind: Int, BitwiseCopyable { case null, integer, real, text, blob }

  /// Goes to the next row; false at the end.
  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw file.failure()
    }
  }

  @inline(__always)
  func kind(_ column: Int) -> Kind {
    switch sqlite3_column_type(handle, Int32(column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

  func real(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

  /// The bytes of a text, until the next step; nil for an empty one.
  func text(_ column: Int) -> TextBytes? {
    guard let start = sqlite3_column_text(handle, Int32(column)) else { return nil }
    return TextBytes(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
  }

  func blob(_ column: Int) -> Data {
    guard let start = sqlite3_column_blob(handle, Int32(column)) else { return Data() }
    return Data(bytes: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
  }

  private func value(_ column: Int32) -> Value {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      guard let bytes = sqlite3_column_text(handle, column) else { return .text("") }
      let count = Int(sqlite3_column_bytes(handle, column))
      return .text(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      guard let bytes = sqlite3_column_blob(handle, column) else { return .blob(Data()) }
      return .blob(Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    default: return .null
    }
  }
}
