import CPQ

/// Values as PostgreSQL takes and gives them, in its binary format.
enum PostgresCells {
  /// `PG_DIAG_SQLSTATE` and `PG_DIAG_MESSAGE_PRIMARY`, which C has as characters.
  static let stateField = Int32(UInt8(ascii: "C"))
  static let messageField = Int32(UInt8(ascii: "M"))

  private enum TypeNumber {
    static let bytes: Oid = 17
    static let int8: Oid = 20
    static let int2: Oid = 21
    static let int4: Oid = 23
    static let text: Oid = 25
  }

  static func typeNumber(_ type: SQLType) -> Oid {
    switch type {
    case .int: TypeNumber.int8
    case .bytes: TypeNumber.bytes
    case .text, .json: TypeNumber.text
    }
  }

  /// Sends a prepared statement with values; false when the connection takes nothing.
  static func send(_ values: [SQLValue], to handle: OpaquePointer, _ name: String) -> Bool {
    var bytes: [UInt8] = []
    var places: [Int?] = []
    var lengths: [Int32] = []
    for value in values {
      let start = bytes.count
      switch value {
      case .null:
        places.append(nil)
        lengths.append(0)
        continue
      case .int(let number):
        for shift in stride(from: 56, through: 0, by: -8) {
          bytes.append(UInt8(truncatingIfNeeded: number >> Int64(shift)))
        }
      case .bytes(let content): bytes += content
      case .text(let text): bytes += text.utf8
      }
      places.append(start)
      lengths.append(Int32(bytes.count - start))
    }
    // So that the last of the values has an address even when it is empty.
    bytes.append(0)
    let formats = [Int32](repeating: 1, count: values.count)
    return bytes.withUnsafeBytes { bytes in
      let pointers = places.map { place in
        place.flatMap { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
      }
      return PQsendQueryPrepared(handle, name, Int32(values.count), pointers, lengths, formats, 1) == 1
    }
  }

  /// All rows of a result.
  static func rows(_ result: OpaquePointer) -> Result<[SQLRow], SyncStoreError> {
    let width = PQnfields(result)
    let types = (0..<width).map { PQftype(result, $0) }
    var rows: [SQLRow] = []
    rows.reserveCapacity(Int(PQntuples(result)))
    for row in 0..<PQntuples(result) {
      var cells: [SQLValue] = []
      cells.reserveCapacity(Int(width))
      for column in 0..<width {
        guard let cell = cell(result, row, column, types[Int(column)]) else {
          return .failure(
            SyncStoreError(
              .damaged,
              "column \(column + 1) of a result has type \(types[Int(column)]), which no table of the server has"))
        }
        cells.append(cell)
      }
      rows.append(SQLRow(cells: cells))
    }
    return .success(rows)
  }

  private static func cell(_ result: OpaquePointer, _ row: Int32, _ column: Int32, _ type: Oid) -> SQLValue? {
    guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column) else { return .null }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column)))
    switch type {
    case TypeNumber.int8, TypeNumber.int4, TypeNumber.int2:
      guard let first = bytes.first else { return nil }
      let sign: Int64 = first >= 0x80 ? -1 : 0
      return .int(bytes.reduce(sign) { $0 << 8 | Int64($1) })
    case TypeNumber.bytes: return .bytes(Array(bytes))
    case TypeNumber.text: return .text(String(decoding: bytes, as: UTF8.self))
    default: return nil
    }
  }
}
