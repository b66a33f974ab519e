import LarderStorage

/// Finds the objects that links point to by the value of one of their properties.
///
/// Every value is looked up once: an index or primary key is asked when it is needed, other properties are read whole.
final class LinkFinder {
  private let target: ClassDescriptor
  private let column: ColumnDescriptor
  private var found: [StoredValue: Found] = [:]
  private var isComplete = false
  /// The cache is dropped when it grows beyond this, so that memory stays bounded.
  private static let cacheLimit = 1_000_000

  enum Found {
    case none
    case one(ObjectKey)
    case several
  }

  init(_ target: ClassDescriptor, by column: ColumnDescriptor) {
    self.target = target
    self.column = column
  }

  /// Finds the objects with a value in the reader's version.
  func find(_ value: StoredValue, in reader: some StoreReader) throws -> Found {
    if let known = found[value] { return known }
    if isComplete { return .none }
    if column.isPrimaryKey {
      return remember(value, try reader.object(target.id, primaryKey: value).map { .one($0) } ?? .none)
    }
    if let index = try reader.index(target.id, column.id) {
      let keys = try index.keys(equalTo: value)
      return remember(value, keys.count > 1 ? .several : keys.first.map { .one($0) } ?? .none)
    }
    try readAll(reader)
    return found[value] ?? .none
  }

  private func remember(_ value: StoredValue, _ result: Found) -> Found {
    if found.count >= Self.cacheLimit { found.removeAll() }
    found[value] = result
    return result
  }

  private func readAll(_ reader: some StoreReader) throws {
    try reader.forEachKey(of: target.id) { key in
      let value = try reader.value(target.id, column.id, key)
      if case .some = found[value] { found[value] = .several } else { found[value] = .one(key) }
      return true
    }
    isComplete = true
  }
}
