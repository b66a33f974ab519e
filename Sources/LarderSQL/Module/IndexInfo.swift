import CSQLite

/// The question of SQLite when it plans a scan, and the place of the answer. Valid during the call only.
struct IndexInfo {
  private let info: UnsafeMutablePointer<sqlite3_index_info>

  init(_ info: UnsafeMutablePointer<sqlite3_index_info>) { self.info = info }

  private var constraintCount: Int { Int(info.pointee.nConstraint) }

  /// The question.
  ///
  /// - Parameter mayCollate: Whether the statement names an order of texts.
  func scan(_ mayCollate: Bool) -> ScanRequest {
    let constraints = (0..<constraintCount).map { place in
      let given = info.pointee.aConstraint[place]
      return ScanRequest.Constraint(
        column: given.iColumn < 0 ? nil : Int(given.iColumn), operation: operation(Int32(given.op), place, mayCollate),
        isUsable: given.usable != 0, value: value(place))
    }
    let order = (0..<Int(info.pointee.nOrderBy)).map { place in
      let given = info.pointee.aOrderBy[place]
      return (column: given.iColumn < 0 ? nil : Int(given.iColumn), isAscending: given.desc == 0)
    }
    return ScanRequest(constraints: constraints, order: order)
  }

  private func operation(_ code: Int32, _ place: Int, _ mayCollate: Bool) -> ScanRequest.Operation {
    if code == SQLITE_INDEX_CONSTRAINT_LIMIT { return .limit }
    if code == SQLITE_INDEX_CONSTRAINT_OFFSET { return .offset }
    // Another order of texts than that of bytes is SQLite's alone.
    if let collation = sqlite3_vtab_collation(info, Int32(place)), String(cString: collation) != "BINARY" {
      return .other
    }
    // SQLite makes one IN of equalities joined by OR, and forgets the orders that these name.
    if mayCollate, sqlite3_vtab_in(info, Int32(place), -1) != 0 { return .other }
    return switch code {
    case SQLITE_INDEX_CONSTRAINT_EQ: .term(.equal)
    case SQLITE_INDEX_CONSTRAINT_NE: .term(.notEqual)
    case SQLITE_INDEX_CONSTRAINT_GT: .term(.greater)
    case SQLITE_INDEX_CONSTRAINT_GE: .term(.greaterOrEqual)
    case SQLITE_INDEX_CONSTRAINT_LT: .term(.less)
    case SQLITE_INDEX_CONSTRAINT_LE: .term(.lessOrEqual)
    case SQLITE_INDEX_CONSTRAINT_ISNULL: .term(.isNull)
    case SQLITE_INDEX_CONSTRAINT_ISNOTNULL: .term(.isNotNull)
    case SQLITE_INDEX_CONSTRAINT_GLOB: .term(.glob)
    case SQLITE_INDEX_CONSTRAINT_LIKE: .term(.like)
    default: .other
    }
  }

  private func value(_ place: Int) -> SQLValue? {
    var value: OpaquePointer?
    guard sqlite3_vtab_rhs_value(info, Int32(place), &value) == SQLITE_OK, value != nil else { return nil }
    return SQLValue(value)
  }

  /// Gives the answer.
  func take(_ answer: ScanRequest.Answer, _ table: SQLTable, _ store: TableStore) {
    describe(answer.plan.description(of: table))
    for place in 0..<constraintCount {
      guard let argument = answer.arguments[place] else { continue }
      info.pointee.aConstraintUsage[place].argvIndex = Int32(argument + 1)
      info.pointee.aConstraintUsage[place].omit = answer.isExact[place] ? 1 : 0
    }
    info.pointee.idxNum = store.keep(answer.plan)
    info.pointee.orderByConsumed = answer.orderIsConsumed && info.pointee.nOrderBy > 0 ? 1 : 0
    info.pointee.estimatedCost = answer.cost
    info.pointee.estimatedRows = sqlite3_int64(answer.plan.estimate)
    if answer.isUnique { info.pointee.idxFlags = Int32(SQLITE_INDEX_SCAN_UNIQUE) }
  }

  /// The text that `EXPLAIN QUERY PLAN` prints of the scan. SQLite frees it.
  private func describe(_ text: String) {
    let bytes = Array(text.utf8) + [0]
    guard let memory = sqlite3_malloc64(sqlite3_uint64(bytes.count)) else { return }
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    info.pointee.idxStr = memory.assumingMemoryBound(to: CChar.self)
    info.pointee.needToFreeIdxStr = 1
  }
}
