import CSQLite
import LarderStorage

/// The functions that SQLite calls for a table, and what it keeps of one.
///
/// SQLite gives back the pointers that it was given, on the thread that runs the statement: each is made here, and released here when SQLite
/// says that it needs it no longer.
enum TableModule {
  static let name = "larder"

  /// SQLite's part of a table, and ours after it.
  struct Table {
    var base = sqlite3_vtab()
    let number: Int
    let store: Unmanaged<TableStore>
  }

  /// SQLite's part of a scan, and ours after it.
  struct Cursor {
    var base = sqlite3_vtab_cursor()
    let rows: Unmanaged<TableRows>
    /// Its rows' own.
    let state: UnsafeMutablePointer<RowState>
  }

  /// Kept as long as the process: connections point to it.
  nonisolated(unsafe) static let module: UnsafePointer<sqlite3_module> = {
    let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    module.initialize(to: functions)
    return UnsafePointer(module)
  }()

  private static var functions: sqlite3_module {
    var module = sqlite3_module()
    module.iVersion = 1
    module.xCreate = connect
    module.xConnect = connect
    module.xBestIndex = bestIndex
    module.xDisconnect = disconnect
    module.xDestroy = disconnect
    module.xOpen = open
    module.xClose = close
    module.xFilter = filter
    module.xNext = next
    module.xEof = isAtEnd
    module.xColumn = column
    module.xRowid = rowNumber
    return module
  }

  private typealias Connect =
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, Int32, UnsafePointer<UnsafePointer<CChar>?>?,
      UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Int32

  /// The fourth argument of a table's declaration is its number.
  private static let connect: Connect = { connection, data, count, arguments, made, _ in
    guard let data, let made, count > 3, let argument = arguments?[3], let number = Int(String(cString: argument))
    else { return SQLITE_ERROR }
    let store = Unmanaged<TableStore>.fromOpaque(data)
    let table = store.takeUnretainedValue().tables[number]
    let code = sqlite3_declare_vtab(connection, table.declaration)
    guard code == SQLITE_OK else { return code }
    let memory = UnsafeMutablePointer<Table>.allocate(capacity: 1)
    memory.initialize(to: Table(number: number, store: store))
    made.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
  }

  private static let disconnect: @convention(c) (UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 = { base in
    guard let base else { return SQLITE_OK }
    let memory = UnsafeMutableRawPointer(base).assumingMemoryBound(to: Table.self)
    memory.deinitialize(count: 1)
    memory.deallocate()
    return SQLITE_OK
  }

  private static let bestIndex:
    @convention(c) (UnsafeMutablePointer<sqlite3_vtab>?, UnsafeMutablePointer<sqlite3_index_info>?) -> Int32 = {
      base, info in
      guard let base, let info else { return SQLITE_ERROR }
      let (table, store) = table(base)
      return attempt(store) {
        let request = IndexInfo(info)
        request.take(try request.scan(store.mayCollate).answer(table, store.reader), table, store)
      }
    }

  private typealias Open =
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vtab>?, UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
    ) -> Int32

  private static let open: Open = { base, made in
    guard let base, let made else { return SQLITE_ERROR }
    let (table, store) = table(base)
    let memory = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
    let rows = TableRows(table, store)
    memory.initialize(to: Cursor(rows: .passRetained(rows), state: rows.state))
    made.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
  }

  private static let close: @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 = { base in
    guard let base else { return SQLITE_OK }
    let memory = cursor(base)
    memory.pointee.rows.release()
    memory.deinitialize(count: 1)
    memory.deallocate()
    return SQLITE_OK
  }

  private typealias Filter =
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vtab_cursor>?, Int32, UnsafePointer<CChar>?, Int32,
      UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32

  private static let filter: Filter = { base, number, _, count, arguments in
    guard let base else { return SQLITE_ERROR }
    let cursor = cursor(base)
    do {
      if number == cursor.pointee.state.pointee.keyPlan, let value = arguments?[0],
        sqlite3_value_type(value) == SQLITE_INTEGER
      {
        try cursor.pointee.rows._withUnsafeGuaranteedRef { try $0.start(key: sqlite3_value_int64(value)) }
      } else {
        let values = UnsafeBufferPointer(start: arguments.map { UnsafePointer($0) }, count: Int(count))
        try cursor.pointee.rows._withUnsafeGuaranteedRef { try $0.start(number, values) }
      }
      return SQLITE_OK
    } catch {
      return failed(base, error)
    }
  }

  private static let next: @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 = { base in
    guard let base else { return SQLITE_ERROR }
    let cursor = cursor(base)
    if !cursor.pointee.state.pointee.isElements {
      cursor.pointee.state.pointee.go(to: cursor.pointee.state.pointee.place + 1)
      if !cursor.pointee.state.pointee.isAtEnd { return SQLITE_OK }
      cursor.pointee.state.pointee.go(to: cursor.pointee.state.pointee.place - 1)
    }
    do {
      try cursor.pointee.rows._withUnsafeGuaranteedRef { try $0.next() }
      return SQLITE_OK
    } catch {
      return failed(base, error)
    }
  }

  private static let isAtEnd: @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 = { base in
    guard let base else { return 1 }
    return cursor(base).pointee.state.pointee.isAtEnd ? 1 : 0
  }

  private static let column:
    @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?, OpaquePointer?, Int32) -> Int32 = {
      base, context, index in
      guard let base else { return SQLITE_ERROR }
      let cursor = cursor(base)
      do {
        if let cell = cursor.pointee.state.pointee.cells[Int(index)] {
          try cell.give(cursor.pointee.state.pointee.key, to: context)
        } else {
          try cursor.pointee.rows._withUnsafeGuaranteedRef { try $0.give(Int(index), to: context) }
        }
        return SQLITE_OK
      } catch {
        return failed(base, error)
      }
    }

  private static let rowNumber:
    @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?, UnsafeMutablePointer<sqlite3_int64>?) -> Int32 = {
      base, number in
      guard let base else { return SQLITE_ERROR }
      number?.pointee = cursor(base).pointee.state.pointee.number
      return SQLITE_OK
    }

  // MARK: - What pointers lead to

  private static func table(_ base: UnsafeMutablePointer<sqlite3_vtab>) -> (table: SQLTable, store: TableStore) {
    let table = UnsafeMutableRawPointer(base).assumingMemoryBound(to: Table.self)
    let store = table.pointee.store.takeUnretainedValue()
    return (store.tables[table.pointee.number], store)
  }

  @inline(__always)
  private static func cursor(_ base: UnsafeMutablePointer<sqlite3_vtab_cursor>) -> UnsafeMutablePointer<Cursor> {
    UnsafeMutableRawPointer(base).assumingMemoryBound(to: Cursor.self)
  }

  /// The same for an error of a scan.
  private static func failed(_ base: UnsafeMutablePointer<sqlite3_vtab_cursor>, _ error: any Error) -> Int32 {
    guard let owner = base.pointee.pVtab else { return SQLITE_ERROR }
    table(owner).store.failure = error
    return SQLITE_ERROR
  }

  /// Keeps an error for the statement, which ends with it.
  private static func attempt(_ store: TableStore, _ body: () throws -> Void) -> Int32 {
    do {
      try body()
      return SQLITE_OK
    } catch {
      store.failure = error
      return SQLITE_ERROR
    }
  }
}
