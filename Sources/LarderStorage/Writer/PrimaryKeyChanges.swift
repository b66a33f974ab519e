/// Primary keys given and taken in a transaction, not yet merged into the index.
///
/// Keys that only rise, the common bulk case, need no hashing: they are compared with the last one.
struct PrimaryKeyChanges {
  /// Integers given in this transaction, by value.
  private var integers: [Int64: ObjectKey] = [:]
  /// Values that are bytes, with what the index has to learn of them.
  private var texts = AddedPairs()
  /// Nil, and values that the index holds only the head of.
  private var others: [StoredValue: ObjectKey] = [:]
  /// Integers given in ascending order, above every other key of the class. What waits for the index is made of them in the end.
  private var run = AscendingKeys()
  /// Highest integer key in the index, once it was asked for.
  var highestStored: Int64??
  /// The other changes that the index still needs.
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
  @inline(__always)
  var count: Int { changes.count + run.count + texts.count }
  var isEmpty: Bool { changes.isEmpty && run.isEmpty && texts.count == 0 }

  /// True if more changes wait than may before they are merged into the index.
  @inline(__always)
  var isFull: Bool { count >= 1 << 20 }

  // MARK: - Asking

  /// The object that was given the value in this transaction. It may be deleted again: ask for its presence. Nil: ask the
  /// index, and then too for the presence of what it names.
  ///
  /// Changes nothing: it is mutating because nothing of a value in an object is copied then, reference by reference.
  mutating func given(_ value: StoredValue) -> ObjectKey? {
    if case .int(let number) = value { return given(number) }
    if let key = texts.key(of: value, type) { return key }
    return others.isEmpty ? nil : others[value]
  }

  /// Returns the object as above for an integer, without boxing it.
  mutating func given(_ number: Int64) -> ObjectKey? {
    if !integers.isEmpty, let key = integers[number] { return key }
    return run.key(of: number)
  }

  /// Returns true if an integer is above everything known, so that it cannot be taken.
  @inline(__always)
  func isAboveAll(_ number: Int64) -> Bool {
    if let last = run.last { return number > last }
    guard case .some(let highest) = highestStored else { return false }
    return highest.map { number > $0 } ?? true
  }

  // MARK: - Noting

  /// Notes an integer that is above everything.
  @inline(__always)
  mutating func append(_ number: Int64, _ key: ObjectKey) { run.append(number, key) }

  mutating func insert(_ value: StoredValue, _ key: ObjectKey) {
    if case .int(let number) = value {
      integers[number] = key
      changes.add(IndexValue.word(number), key, 1)
      if case .some(let highest) = highestStored { highestStored = .some(max(number, highest ?? number)) }
      return
    }
    if texts.add(value, type, key) { return }
    others[value] = key
    if let indexed = IndexValue(value, type: type) { changes.add(indexed, key, 1) }
  }

  /// Notes that an object with the value goes; what looks the value up asks for the object's presence.
  mutating func remove(_ value: StoredValue, _ key: ObjectKey) {
    if let indexed = IndexValue(value, type: type) { changes.add(indexed, key, -1) }
  }

  @inline(__always)
  mutating func remove(_ number: Int64, _ key: ObjectKey) { changes.add(IndexValue.word(number), key, -1) }

  /// Hands out what the index has to learn and forgets it, since the index knows then.
  mutating func take() -> PairChanges {
    var result = texts.count > 0 ? texts.changes : changes
    if !run.isEmpty {
      result = PairChanges(codec: changes.codec)
      result.reserve(run.count + changes.count)
      run.forEach { result.add(IndexValue.word($0), $1, 1) }
    }
    if !run.isEmpty || texts.count > 0 { result.append(changes) }
    changes = PairChanges(codec: changes.codec)
    if let last = run.last { highestStored = .some(last) }
    run = AscendingKeys()
    integers = [:]
    texts = AddedPairs()
    others = [:]
    return result
  }
}
