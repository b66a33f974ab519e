import LarderStorage

/// What the scans of one cursor found by the values of their conditions, so that a join asks the store once for each of the values that the
/// other side has. Everything is of one version, and deleted with the statement.
struct FoundKeys {
  private var plan: ScanPlan?
  private var entries: [[SQLValue]: [ObjectKey]] = [:]
  private var count = 0

  /// What a plan found with these values, if that is known.
  func keys(_ plan: ScanPlan, _ values: [SQLValue]) -> [ObjectKey]? {
    entries.isEmpty || plan != self.plan ? nil : entries[values]
  }

  /// Remembers what a plan found, which is not cut by a limit.
  mutating func keep(_ keys: [ObjectKey], _ plan: ScanPlan, _ values: [SQLValue]) {
    if plan != self.plan { self = FoundKeys(plan: plan) }
    // An entry of no object takes memory, too.
    guard !values.isEmpty, keys.count <= CachePolicy.foundKeysOfScan, count + keys.count + 8 <= CachePolicy.foundKeys
    else { return }
    count += keys.count + 8
    entries[values] = keys
  }

  init() {}

  private init(plan: ScanPlan) { self.plan = plan }
}

extension CachePolicy {
  /// Most objects that a cursor remembers, 8 bytes each; an entry counts as eight more.
  static let foundKeys = 262_144
  /// Most objects of one scan that it remembers.
  static let foundKeysOfScan = 256
}
