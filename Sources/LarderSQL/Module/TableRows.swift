import LarderQuery
import LarderStorage

/// The rows of one scan, one after the other. Belongs to one thread.
final class TableRows {
  private let table: SQLTable
  private let reader: any StoreReader
  private var keys: [ObjectKey] = []
  private var place = 0
  /// All of the rows, where `keys` are only the first.
  private var whole: ResultsQuery?
  /// Of a table of elements: those of the object at `place`.
  private var elements: Elements?
  private var position = 0
  /// What earlier scans found: a join starts one for each row of the other side, and values come again.
  private var found = FoundKeys()
  /// What has read each column, made when it is first asked for.
  private var columns: [SQLColumn.Step: ColumnValues] = [:]
  private var readers: [ColumnValues?]

  /// A collection of one object.
  private enum Elements {
    case list(any ListReading)
    case map(any MapReading)

    var count: Int {
      switch self {
      case .list(let list): list.count
      case .map(let map): map.count
      }
    }

    func value(at position: Int) throws -> StoredValue {
      switch self {
      case .list(let list): try list.value(at: position)
      case .map(let map): try map.value(at: position)
      }
    }
  }

  init(_ table: SQLTable, _ reader: any StoreReader) {
    (self.table, self.reader) = (table, reader)
    readers = Array(repeating: nil, count: table.columns.count)
  }

  /// Goes to the first row.
  func start(_ plan: ScanPlan, _ values: [SQLValue]) throws {
    (place, position, whole) = (0, 0, nil)
    if let key = plan.key(values) {
      keys.removeAll(keepingCapacity: true)
      if try reader.contains(table.classID, key) { keys.append(key) }
    } else if let known = found.keys(plan, values) {
      keys = known
    } else {
      try find(plan, values)
    }
    try settle()
  }

  private func find(_ plan: ScanPlan, _ values: [SQLValue]) throws {
    let query = try plan.query(values, table.classID, in: reader.schema)
    guard let limit = plan.limit(values) else {
      keys = try query.keys(in: reader)
      return found.keep(keys, plan, values)
    }
    keys = try query.limited(to: limit).keys(in: reader)
    whole = limit == keys.count ? query : nil
  }

  var isAtEnd: Bool { place >= keys.count }

  func next() throws {
    if let elements, position + 1 < elements.count {
      position += 1
      return
    }
    place += 1
    position = 0
    if place == keys.count { try goOn() }
    try settle()
  }

  /// Goes on after a limit: SQLite offers one although it leaves rows out by conditions that it does not tell of, such as
  /// those between two columns of a table, and comes back for more.
  private func goOn() throws {
    guard let whole else { return }
    self.whole = nil
    keys = try whole.keys(in: reader)
  }

  /// Goes on to an object that has elements.
  private func settle() throws {
    guard case .elements(let classID, let column) = table.rows else { return }
    elements = nil
    while place < keys.count {
      let found: Elements =
        switch column.collection {
        case .map: .map(try reader.map(classID, column.id, keys[place]))
        default: .list(try reader.list(classID, column.id, keys[place]))
        }
      if found.count > 0 {
        elements = found
        return
      }
      place += 1
    }
  }

  /// The row's number: the object's key; of elements their count so far, which no statement can rely on.
  var number: Int64 {
    table.isElements ? Int64(place) << 32 | Int64(position) : Int64(bitPattern: keys[place].rawValue)
  }

  /// The value of a column in the row.
  func value(_ index: Int) throws -> SQLValue {
    let column = table.columns[index]
    switch column.content {
    case .owner: return .integer(Int64(bitPattern: keys[place].rawValue))
    case .position: return .integer(Int64(position))
    case .key:
      guard case .map(let map)? = elements else { return .null }
      return .text(try map.key(at: position))
    case .element: return SQLValue(try element(), reader.schema)
    case .property(let links, let step):
      guard var key = try object() else { return .null }
      for link in links {
        guard case .link(let next) = try reader(link).value(key) else { return .null }
        key = next
      }
      let values = try readers[index] ?? reader(step)
      readers[index] = values
      return SQLValue(try values.value(key), reader.schema)
    }
  }

  /// The object that properties are read of.
  private func object() throws -> ObjectKey? {
    guard table.isElements else { return keys[place] }
    guard case .link(let key) = try element() else { return nil }
    return key
  }

  private func element() throws -> StoredValue {
    guard let elements else { return .null }
    let value = try elements.value(at: position)
    guard case .elements(_, let column) = table.rows, case .link(let key) = value, let target = column.target else {
      return value
    }
    return try reader.contains(target, key) ? value : .null
  }

  private func reader(_ step: SQLColumn.Step) throws -> ColumnValues {
    if let known = columns[step] { return known }
    let made = try ColumnValues(reader, step.classID, step.column.id)
    columns[step] = made
    return made
  }
}
