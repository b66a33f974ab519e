import LarderRealmFile
import LarderStorage

/// The first pass: makes the objects of a top-level class with their single values, all but links and mixed values.
struct ObjectMaking {
  let state: ImportState
  let transactions: ImportTransactions
  let index: Int
  let entry: ImportedClass

  func run() throws {
    try state.file.forEachCluster(of: entry.source) { cluster in
      try make(cluster)
      state.show(.makingObjects, entry.name, done: cluster.keys.count)
      try transactions.splitIfFull()
    }
  }

  private func make(_ cluster: RealmFileCluster) throws {
    let columns = try entry.scalars.map { (property: $0, values: try cluster.values(of: $0.index)) }
    let primaryKeys = try entry.primaryKey.map { try cluster.values(of: $0.index) }
    let rows = try transactions.writer.rowWriter(entry.id)
    var carried = 0
    for (row, key) in cluster.keys.enumerated() {
      guard let made = try create(rows, primaryKeys, row, key) else { continue }
      guard state.keys[index].append(key, as: made) else { throw state.unordered(index, key) }
      carried += 1
      for column in columns { try set(column.values, row, column.property, rows, made, key) }
    }
    state.countCarried(index, carried)
    transactions.count(objects: cluster.keys.count, bytes: columns.reduce(0) { $0 + Self.bytes($1.values) })
  }

  /// Counts the bytes of the texts and data of neighbouring objects, which may be far more than their other values.
  private static func bytes(_ values: RealmFileColumn) -> Int {
    switch values {
    case .strings(let values): values.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    case .datas(let values): values.reduce(0) { $0 + ($1?.count ?? 0) }
    default: 0
    }
  }

  /// Makes an object; nil, noted as left out, when another has its primary key.
  private func create(
    _ rows: RowWriter, _ primaryKeys: RealmFileColumn?, _ row: Int, _ key: Int64
  ) throws -> ObjectKey? {
    guard let primaryKeys else { return try rows.create(primaryKey: nil, intent: .create) }
    do {
      if case .ints(let values) = primaryKeys, let value = values[row] { return try rows.create(primaryKey: value) }
      return try rows.create(primaryKey: try ValueConversion.scalar(primaryKeys[row]) { _ in }, intent: .create)
    } catch let error as StorageError {
      let reason: RealmOmission.Reason? =
        switch error.code {
        case .duplicatePrimaryKey: .duplicatePrimaryKey
        case .nullForRequired, .typeMismatch, .valueTooLarge: .objectWithoutKey
        default: nil
        }
      guard let reason else { throw error }
      state.omit(index, key, nil, reason, error.message)
      return nil
    }
  }

  /// Sets one value, on the way that costs least for its type.
  private func set(
    _ values: RealmFileColumn, _ row: Int, _ property: ImportedClass.Property, _ rows: RowWriter, _ made: ObjectKey,
    _ key: Int64
  ) throws {
    let column = property.column.id
    let isSet: Bool
    switch values {
    case .ints(let values): isSet = values[row].map { rows.setInt(column, made, $0) } ?? rows.setNull(column, made)
    case .bools(let values): isSet = values[row].map { rows.setBool(column, made, $0) } ?? rows.setNull(column, made)
    case .floats(let values): isSet = values[row].map { rows.setFloat(column, made, $0) } ?? rows.setNull(column, made)
    case .doubles(let values):
      isSet = values[row].map { rows.setDouble(column, made, $0) } ?? rows.setNull(column, made)
    case .strings(let values):
      isSet = values[row].map { rows.setString(column, made, $0) } ?? rows.setNull(column, made)
    case .dates(let values):
      isSet =
        if let date = values[row] {
          ValueConversion.timestamp(date).map { rows.setDate(column, made, $0) } ?? false
        } else { rows.setNull(column, made) }
    case .uuids(let values): isSet = values[row].map { rows.setUUID(column, made, $0) } ?? rows.setNull(column, made)
    case .objectIds(let values):
      isSet =
        values[row].map { rows.setObjectId(column, made, ValueConversion.objectId($0)) } ?? rows.setNull(column, made)
    case .decimals(let values):
      isSet =
        values[row].map { rows.setDecimal128(column, made, ValueConversion.decimal($0)) }
        ?? rows.setNull(column, made)
    case .datas, .links, .values: isSet = false
    }
    if isSet { return }
    try ObjectFilling(state: state, transactions: transactions).set(
      values[row], property, ObjectFilling.Place(index: index, entry: entry, key: key, stored: made))
  }
}
