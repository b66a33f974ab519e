/// Primary keys given and taken in a transaction, not yet merged into the index.
///
/// Keys that only rise, the common bulk case, need no hashing: they are compared with the last one.
struct PrimaryKeyChanges {
  /// Integers given in this transaction, by value.
  private var integers: [Int64: ObjectKey] = [:]
  /// Values of other types, likewise.
  private var others: [StoredValue: ObjectKey] = [:]
  /// Integers given in ascending order, above every other key of the class.
  private var run: [(value: Int64, key: ObjectKey)] = []
  /// Highest integer key in the index, once it was asked for.
  var highestStored: Int64??
  /// What the index still has to learn.
  private var changes: PairChanges
  private let type: ColumnType

  init(type: ColumnType, codec: PairCodec) {
    self.type = type
    changes = PairChanges(codec: codec)
  }

  /// Of the primary key of a class, or of none.
  init(of owner: ClassDescriptor) {
    let column = owner.primaryKey
    self.init(type: column?.type ?? .int, codec: column.flatMap { IndexValue.codec(for: $0.type) } ?? .integer)
  }

  /// Number of changes that wait in memory.
  var count: Int { changes.count }
  var isEmpty: Bool { changes.isEmpty }

  /// Whether more changes wait than may before they are merged into the index.
  @inline(__always)
  var isFull: Bool { count >= 1 << 20 }

  // MARK: - Asking

  /// The object that was given the value in this transaction. It may be deleted again: ask for its presence. Nil: ask the
  /// index, and then too for the presence of what it names.
  func given(_ value: StoredValue) -> ObjectKey? {
    if case .int(let number) = value { return given(number) }
    return others.isEmpty ? nil : others[value]
  }

  func given(_ number: Int64) -> ObjectKey? {
    if !integers.isEmpty, let key = integers[number] { return key }
    return find(number).map { run[$0].key }
  }

  /// Binary search in the ascending run.
  private func find(_ number: Int64) -> Int? {
    guard let first = run.first, let last = run.last, number >= first.value, number <= last.value else { return nil }
    var low = 0
    var high = run.count - 1
    while low <= high {
      let middle = (low + high) / 2
      if run[middle].value == number { return middle }
      if run[middle].value < number { low = middle + 1 } else { high = middle - 1 }
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
      integers[number] = key
      changes.add(IndexValue.word(number), key, 1)
      if case .some(let highest) = highestStored { highestStored = .some(max(number, highest ?? number)) }
    } else {
      others[value] = key
      if let indexed = IndexValue(value, type: type) { changes.add(indexed, key, 1) }
    }
  }

  /// Notes that an object with the value goes; what looks the value up asks for the object's presence.
  mutating func remove(_ value: StoredValue, _ key: ObjectKey) {
    if let indexed = IndexValue(value, type: type) { changes.add(indexed, key, -1) }
  }

  @inline(__always)
  mutating func remove(_ number: Int64, _ key: ObjectKey) { changes.add(IndexValue.word(number), key, -1) }

  /// Hands out what the index has to learn and forgets it, since the index knows then.
  mutating func take() -> PairChanges {
    let result = changes
    changes = PairChanges(codec: changes.codec)
    if let last = run.last { highestStored = .some(last.value) }
    run = []
    integers = [:]
    others = [:]
    return result
  }
}
