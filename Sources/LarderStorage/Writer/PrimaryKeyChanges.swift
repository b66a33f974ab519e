/// Primary keys given and taken in a transaction, not yet merged into the index.
///
/// Keys that only rise, the common bulk case, need no hashing: they are compared with the last one.
struct PrimaryKeyChanges {
  /// Value by value: the object that has it now, or nil when it was taken away.
  private var changed: [StoredValue: ObjectKey?] = [:]
  /// Integers given in rising order, above every other key of the class.
  private var run: [(value: Int64, key: ObjectKey)] = []
  /// Integers taken away in rising order.
  private var removedRun: [Int64] = []
  /// Highest integer key in the index, once it was asked for.
  var highestStored: Int64??
  /// What the index still has to learn.
  private var changes: PairChanges
  private let type: ColumnType

  init(type: ColumnType, codec: PairCodec) {
    self.type = type
    changes = PairChanges(codec: codec)
  }

  /// Number of changes that wait in memory.
  var count: Int { changes.count }
  var isEmpty: Bool { changes.isEmpty }

  /// What the transaction knows of a value: `.some(.some(key))` has it, `.some(nil)` nobody has it any more,
  /// nil: only the index knows.
  func lookUp(_ value: StoredValue) -> ObjectKey?? {
    if let known = changed[value] { return .some(known) }
    guard case .int(let number) = value else { return nil }
    if let found = Self.find(number, in: run, { $0.value }) { return .some(run[found].key) }
    return Self.find(number, in: removedRun, { $0 }) == nil ? nil : .some(nil)
  }

  /// Binary search in a rising run.
  private static func find<Element>(_ number: Int64, in run: [Element], _ value: (Element) -> Int64) -> Int? {
    guard let first = run.first, let last = run.last, number >= value(first), number <= value(last) else { return nil }
    var low = 0
    var high = run.count - 1
    while low <= high {
      let middle = (low + high) / 2
      let there = value(run[middle])
      if there == number { return middle }
      if there < number { low = middle + 1 } else { high = middle - 1 }
    }
    return nil
  }

  /// Whether an integer is above everything known, so that it cannot be taken.
  @inline(__always)
  func isAboveAll(_ number: Int64) -> Bool {
    if let last = run.last { return number > last.value }
    guard case .some(let highest) = highestStored else { return false }
    return highest.map { number > $0 } ?? true
  }

  /// Notes an integer that is above everything.
  @inline(__always)
  mutating func append(_ number: Int64, _ key: ObjectKey) {
    run.append((number, key))
    changes.add(IndexValue.word(number), key, 1)
  }

  mutating func insert(_ value: StoredValue, _ key: ObjectKey) {
    changed[value] = .some(key)
    note(value, key, 1)
    guard case .int(let number) = value, case .some(let highest) = highestStored else { return }
    highestStored = .some(max(number, highest ?? number))
  }

  mutating func remove(_ value: StoredValue, _ key: ObjectKey) {
    if case .int(let number) = value, changed.isEmpty, run.isEmpty, removedRun.last.map({ number > $0 }) ?? true {
      removedRun.append(number)
    } else {
      changed[value] = .some(nil)
    }
    note(value, key, -1)
  }

  private mutating func note(_ value: StoredValue, _ key: ObjectKey, _ delta: Int) {
    if let indexed = IndexValue(value, type: type) { changes.add(indexed, key, delta) }
  }

  /// Hands out what the index has to learn and forgets it, since the index knows then.
  mutating func take() -> PairChanges {
    let result = changes
    changes = PairChanges(codec: changes.codec)
    if let last = run.last { highestStored = .some(last.value) }
    run = []
    removedRun = []
    changed = [:]
    return result
  }
}
