/// Primary keys given and taken in a transaction, not yet merged into the index.
///
/// Keys that only rise, the common bulk case, need no hashing: they are compared with the last one.
struct PrimaryKeyChanges {
  /// What became of a key's value in this transaction.
  enum Fate: Equatable {
    /// Only the index knows.
    case unchanged
    /// Nobody has it any more.
    case removed
    case given(ObjectKey)
  }

  private static let removedMark = UInt64.max

  /// Integers by value: the object key that has it now, or the mark of a removed one.
  private var integers: [Int64: UInt64] = [:]
  /// Values of other types, likewise.
  private var others: [StoredValue: UInt64] = [:]
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

  // MARK: - Asking

  func fate(of value: StoredValue) -> Fate {
    if case .int(let number) = value { return fate(of: number) }
    return others.isEmpty ? .unchanged : Self.fate(others[value])
  }

  func fate(of number: Int64) -> Fate {
    if !integers.isEmpty, let mark = integers[number] { return Self.fate(mark) }
    if let found = Self.find(number, in: run, { $0.value }) { return .given(run[found].key) }
    return Self.find(number, in: removedRun, { $0 }) == nil ? .unchanged : .removed
  }

  private static func fate(_ mark: UInt64?) -> Fate {
    guard let mark else { return .unchanged }
    return mark == removedMark ? .removed : .given(ObjectKey(rawValue: mark))
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

  // MARK: - Noting

  /// Notes an integer that is above everything.
  @inline(__always)
  mutating func append(_ number: Int64, _ key: ObjectKey) {
    run.append((number, key))
    changes.add(IndexValue.word(number), key, 1)
  }

  mutating func insert(_ value: StoredValue, _ key: ObjectKey) {
    if case .int(let number) = value {
      integers[number] = key.rawValue
      changes.add(IndexValue.word(number), key, 1)
      if case .some(let highest) = highestStored { highestStored = .some(max(number, highest ?? number)) }
    } else {
      others[value] = key.rawValue
      if let indexed = IndexValue(value, type: type) { changes.add(indexed, key, 1) }
    }
  }

  mutating func remove(_ value: StoredValue, _ key: ObjectKey) {
    if case .int(let number) = value { return remove(number, key) }
    others[value] = Self.removedMark
    if let indexed = IndexValue(value, type: type) { changes.add(indexed, key, -1) }
  }

  mutating func remove(_ number: Int64, _ key: ObjectKey) {
    if integers.isEmpty, run.isEmpty, removedRun.last.map({ number > $0 }) ?? true {
      removedRun.append(number)
    } else {
      integers[number] = Self.removedMark
    }
    changes.add(IndexValue.word(number), key, -1)
  }

  /// Hands out what the index has to learn and forgets it, since the index knows then.
  mutating func take() -> PairChanges {
    let result = changes
    changes = PairChanges(codec: changes.codec)
    if let last = run.last { highestStored = .some(last.value) }
    run = []
    removedRun = []
    integers = [:]
    others = [:]
    return result
  }
}
