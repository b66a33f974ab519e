import LarderStorage

/// The objects that scans of one cursor found by the values of their conditions, for joins that a `JoinTable` does not serve: the store is asked once
/// for each of the values that the other side has. Everything is of one version and one plan, and deleted with the statement.
struct FoundKeys {
  private var entries: [[SQLValue]: [ObjectKey]] = [:]
  private var count = 0
  private let memory: SQLMemory

  init(_ memory: SQLMemory) { self.memory = memory }

  /// The objects that were found with these values, if they are known.
  func keys(_ values: [SQLValue]) -> [ObjectKey]? { entries.isEmpty ? nil : entries[values] }

  /// Remembers what was found, which is not cut by a limit.
  mutating func keep(_ keys: [ObjectKey], _ values: [SQLValue]) {
    // An entry of no object takes memory, too.
    guard !values.isEmpty, keys.count <= memory.foundKeysOfScan, count + keys.count + 8 <= memory.foundKeys
    else { return }
    count += keys.count + 8
    entries[values] = keys
  }
}

extension CachePolicy {
  /// Most objects that a cursor remembers (`FoundKeys`), 8 bytes each; an entry counts as eight more.
  static let foundKeys = 262_144
  /// Most objects of one scan that it remembers.
  static let foundKeysOfScan = 256
}
