import LarderStorage

/// A class that a table's rows become objects of, in a transaction.
struct SQLiteClass {
  let plan: SQLiteTablePlan
  let descriptor: ClassDescriptor
  var keys = RowKeys()
  private let rows: RowWriter
  private let columns: [ColumnID]
  private let keyIndex: Int?
  private let places: ContiguousArray<Place>

  /// Of a property: which cells need no look.
  private struct Place: BitwiseCopyable {
    /// The kind that becomes the property's type without a change; nil where each value is looked at.
    var kind: SQLiteStatement.Kind?
    var takesNull: Bool
  }

  /// A fault of a row.
  struct Fault: Error {
    var column: String?
    var message: String
  }

  init(_ plan: SQLiteTablePlan, _ writer: StoreWriter) throws {
    guard let descriptor = writer.schema[plan.className] else {
      throw ImportError("the class '\(plan.className)' is missing in the store")
    }
    self.plan = plan
    self.descriptor = descriptor
    rows = try writer.rowWriter(descriptor.id)
    columns = try plan.properties.map { try Self.column($0.name, descriptor) }
    keyIndex = plan.keyIndex
    places = ContiguousArray(
      plan.properties.map { property in
        let kind: SQLiteStatement.Kind? =
          switch property.cell.form {
          case .plain(.int): .integer
          case .plain(.double): .real
          case .plain(.string): property.cell.values.forms.nullMarkers.isEmpty ? .text : nil
          default: nil
          }
        return Place(kind: kind, takesNull: property.cell.isOptional && property.cell.form.type != .mixed)
      })
  }

  func column(_ name: String) throws -> ColumnID { try Self.column(name, descriptor) }

  private static func column(_ name: String, _ descriptor: ClassDescriptor) throws -> ColumnID {
    guard let column = descriptor.column(named: name) else {
      throw ImportError("the property '\(descriptor.name).\(name)' is missing in the store")
    }
    return column.id
  }

  /// Makes an object of a row.
  ///
  /// - Throws: `Fault` for what is wrong with the row; then there is no object.
  func make(_ row: SQLiteStatement, _ writer: StoreWriter) throws -> ObjectKey {
    var boxed: [Int: StoredValue] = [:]
    for place in places.indices where !isUsual(row, place) {
      do {
        boxed[place] = try plan.properties[place].cell.value(row, place)
      } catch { throw Fault(column: plan.properties[place].column, message: error.message) }
    }
    let key = try makeRow(row, boxed, writer)
    do {
      for place in places.indices where place != keyIndex {
        let isSet =
          if let value = boxed[place] { set(value, columns[place], key) } else { set(row, place, key) }
        if !isSet {
          let value = try boxed[place] ?? plan.properties[place].cell.value(row, place)
          try writer.set(descriptor.id, columns[place], key, value)
        }
      }
    } catch let error as StorageError where error.code == .valueTooLarge {
      try writer.delete(descriptor.id, key)
      throw Fault(column: error.property, message: error.message)
    }
    return key
  }

  private func makeRow(_ row: SQLiteStatement, _ boxed: [Int: StoredValue], _ writer: StoreWriter) throws -> ObjectKey {
    guard let keyIndex else { return try rows.create() }
    let property = plan.properties[keyIndex]
    do {
      if boxed[keyIndex] == nil, case .plain(.int) = property.cell.form {
        return try rows.create(primaryKey: row.integer(keyIndex))
      }
      let value = try boxed[keyIndex] ?? property.cell.value(row, keyIndex)
      return try rows.create(primaryKey: value, intent: .create)
    } catch let error as StorageError where [.duplicatePrimaryKey, .typeMismatch, .valueTooLarge].contains(error.code) {
      throw Fault(column: property.column, message: error.message)
    }
  }

  /// True if a cell is of the kind that its property is made of, and needs no look.
  @inline(__always)
  private func isUsual(_ row: SQLiteStatement, _ place: Int) -> Bool {
    let kind = row.kind(place)
    if kind == .null { return places[place].takesNull }
    guard kind == places[place].kind else { return false }
    return kind != .text || row.text(place).map { $0.isUTF8(0..<$0.count) } ?? true
  }

  /// Fills a usual cell; false where the writer has to.
  @inline(__always)
  private func set(_ row: SQLiteStatement, _ place: Int, _ key: ObjectKey) -> Bool {
    switch row.kind(place) {
    case .null: return rows.setNull(columns[place], key)
    case .integer: return rows.setInt(columns[place], key, row.integer(place))
    case .real: return rows.setDouble(columns[place], key, row.real(place))
    case .text:
      guard let text = row.text(place) else { return rows.setString(columns[place], key, "") }
      return rows.setText(columns[place], key, text.buffer(0..<text.count))
    case .blob: return false
    }
  }

  private func set(_ value: StoredValue, _ column: ColumnID, _ key: ObjectKey) -> Bool {
    switch value {
    case .bool(let bool): rows.setBool(column, key, bool)
    case .date(let date): rows.setDate(column, key, date)
    case .double(let double): descriptor.column(column)?.type == .double && rows.setDouble(column, key, double)
    default: false
    }
  }
}

/// The objects that rows became: mostly a single run of keys.
struct RowKeys {
  private(set) var count = 0
  private var runs: [(row: Int, key: UInt64, count: Int)] = []

  /// Notes the object of a row; rows come in order.
  mutating func add(_ row: Int, _ key: ObjectKey) {
    count += 1
    if let last = runs.last, last.row + last.count == row, last.key + UInt64(last.count) == key.rawValue {
      runs[runs.count - 1].count += 1
    } else {
      runs.append((row, key.rawValue, 1))
    }
  }

  /// Asks for the objects of rows in their order.
  struct Iterator {
    fileprivate let runs: [(row: Int, key: UInt64, count: Int)]
    fileprivate var place = 0

    /// Nil for a row that became none.
    mutating func key(ofRow row: Int) -> ObjectKey? {
      while place < runs.count, runs[place].row + runs[place].count <= row { place += 1 }
      guard place < runs.count, runs[place].row <= row else { return nil }
      return ObjectKey(rawValue: runs[place].key + UInt64(row - runs[place].row))
    }
  }

  func makeIterator() -> Iterator { Iterator(runs: runs) }
}

/// Finds the objects that a column of a table names.
struct SQLiteLinkEnd {
  let column: String
  private let finder: LinkFinder
  private let cell: SQLiteCell
  private let target: String
  private let by: String

  init(_ column: String, to target: String, by: String, _ writer: StoreWriter) throws {
    guard let entry = writer.schema[target], let property = entry.column(named: by) else {
      throw ImportError("the property '\(target).\(by)' is missing in the store")
    }
    self.column = column
    self.target = target
    self.by = by
    finder = LinkFinder(entry, by: property)
    cell = SQLiteCell(form: .plain(property.type), isOptional: true, values: ValueConverter(nullMarkers: []))
  }

  /// The object; nil for null.
  ///
  /// - Throws: `SQLiteClass.Fault` where there is none, or are several.
  func find(_ row: SQLiteStatement, _ place: Int, _ writer: StoreWriter) throws -> ObjectKey? {
    let value: StoredValue
    do {
      value = try cell.value(row, place)
    } catch { throw SQLiteClass.Fault(column: column, message: error.message) }
    if value.isNull { return nil }
    switch try finder.find(value, in: writer) {
    case .one(let key): return key
    case .none:
      throw SQLiteClass.Fault(column: column, message: "no object of '\(target)' has \(by) \(ValueText.short(value))")
    case .several:
      throw SQLiteClass.Fault(
        column: column, message: "several objects of '\(target)' have \(by) \(ValueText.short(value))")
    }
  }
}
