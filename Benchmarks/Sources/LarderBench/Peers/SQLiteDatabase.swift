import BenchSQLite
import Foundation

/// An open database, every statement prepared once. WAL with `synchronous = FULL`, so a commit is durable.
final class SQLiteDatabase {
  /// The settings that both SQLite peers share: durable commits, and caches that hold the whole store.
  static let pragmas = [
    "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA cache_size = -262144",
    "PRAGMA mmap_size = 1073741824", "PRAGMA temp_store = MEMORY",
  ]

  let path: String
  private(set) var handle: OpaquePointer?
  private var statements: [String: Statement] = [:]

  init(_ path: String) throws {
    self.path = path
    guard sqlite3_open(path, &handle) == SQLITE_OK else { throw BenchmarkError("sqlite3_open failed for \(path)") }
    for pragma in Self.pragmas { try execute(pragma) }
  }

  /// The integer in the first column of the first row; 0 when there is none.
  func integer(_ sql: String) throws -> Int {
    let statement = try prepare(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.int(0) : 0
  }

  func transaction(_ opening: String = "BEGIN IMMEDIATE", _ body: () throws -> Void) throws {
    let begin = try prepare(opening)
    let commit = try prepare("COMMIT")
    _ = try begin.step()
    begin.reset()
    try body()
    _ = try commit.step()
    commit.reset()
  }

  func prepare(_ sql: String) throws -> Statement {
    if let known = statements[sql] { return known }
    var pointer: OpaquePointer?
    guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil) == SQLITE_OK,
      let pointer
    else { throw failure(sql) }
    let statement = Statement(pointer)
    statements[sql] = statement
    return statement
  }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  /// Size of the file when everything is in it.
  func fileBytes() throws -> Int {
    try execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return try fileSize(path)
  }

  func close() throws {
    for statement in statements.values { statement.finalize() }
    statements = [:]
    guard sqlite3_close(handle) == SQLITE_OK else { throw failure("close") }
    handle = nil
  }

  private func failure(_ what: String) -> BenchmarkError {
    BenchmarkError("sqlite: \(what): \(String(cString: sqlite3_errmsg(handle)))")
  }
}

/// A prepared statement. `step` resets it by itself at the end of its rows.
final class Statement {
  private let pointer: OpaquePointer
  private var isFinalized = false

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { finalize() }

  /// Ends it; it is not used afterwards.
  func finalize() {
    if !isFinalized { sqlite3_finalize(pointer) }
    isFinalized = true
  }

  /// True when there is a row.
  @inline(__always)
  func step() throws -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      sqlite3_reset(pointer)
      return false
    default: throw BenchmarkError("sqlite: \(String(cString: sqlite3_errmsg(sqlite3_db_handle(pointer))))")
    }
  }

  @inline(__always) func reset() { sqlite3_reset(pointer) }
  @inline(__always) func bind(_ index: Int32, _ value: Int) { sqlite3_bind_int64(pointer, index, Int64(value)) }
  @inline(__always) func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(pointer, index, value) }
  @inline(__always) func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(pointer, column)) }
  @inline(__always) func double(_ column: Int32) -> Double { sqlite3_column_double(pointer, column) }

  /// Fetches the text, and says its length without making a Swift string: the least a program can do.
  @inline(__always)
  func textLength(_ column: Int32) -> Int {
    _ = sqlite3_column_text(pointer, column)
    return Int(sqlite3_column_bytes(pointer, column))
  }

  /// Binds the bytes of a UUID in place for the time of `body`.
  @inline(__always)
  func withBytes(_ index: Int32, of uuid: UUID, _ body: () throws -> Void) rethrows {
    try withUnsafeBytes(of: uuid.uuid) { bytes in
      sqlite3_bind_blob(pointer, index, bytes.baseAddress, Int32(bytes.count), nil)
      try body()
    }
  }

  /// Binds strings in place, at indexes in a row, for the time of `body`.
  func withTexts(from index: Int32, _ texts: ArraySlice<String>, _ body: () throws -> Void) throws {
    guard let first = texts.first else { return try body() }
    try withText(index, first) { try withTexts(from: index + 1, texts.dropFirst(), body) }
  }

  /// Binds a string in place for the time of `body`.
  @inline(__always)
  func withText(_ index: Int32, _ text: String, _ body: () throws -> Void) throws {
    let done: Void? = try text.utf8.withContiguousStorageIfAvailable { bytes in
      try bytes.withMemoryRebound(to: CChar.self) { characters in
        _ = sqlite3_bind_text(pointer, index, characters.baseAddress, Int32(characters.count), nil)
        try body()
      }
    }
    if done == nil { throw BenchmarkError("sqlite: a string is not contiguous UTF-8") }
  }
}
