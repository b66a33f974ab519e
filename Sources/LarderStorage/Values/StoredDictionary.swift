/// Values by key, in bytewise order of the keys. Keys are equal when their bytes are, unlike those of a `Dictionary`.
public struct StoredDictionary: Hashable, Sendable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
  /// One entry.
  public struct Entry: Hashable, Sendable {
    public let key: String
    public var value: StoredValue

    public init(_ key: String, _ value: StoredValue) {
      self.key = key
      self.value = value
    }

    public static func == (lhs: Entry, rhs: Entry) -> Bool {
      StoredOrder.compare(lhs.key, rhs.key) == 0 && lhs.value == rhs.value
    }

    public func hash(into hasher: inout Hasher) {
      StoredValue.string(key).hash(into: &hasher)
      hasher.combine(value)
    }
  }

  /// Tells this dictionary from every other that the cell held or will hold; 0 for one that was never stored. Does not
  /// count for equality.
  public internal(set) var id: UInt64 = 0
  private var entries: [Entry] = []

  public init() {}

  /// Takes the entries over; of several with one key the last. O(n log n).
  public init(_ entries: some Sequence<(key: String, value: StoredValue)>) {
    let sorted = entries.enumerated().sorted { left, right in
      let order = StoredOrder.compare(left.element.key, right.element.key)
      return order == 0 ? left.offset < right.offset : order < 0
    }
    for (_, entry) in sorted {
      if let last = self.entries.last, StoredOrder.compare(last.key, entry.key) == 0 { self.entries.removeLast() }
      self.entries.append(Entry(entry.key, entry.value))
    }
  }

  public init(dictionaryLiteral elements: (String, StoredValue)...) {
    self.init(elements.map { (key: $0.0, value: $0.1) })
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { entries.count }
  public subscript(position: Int) -> Entry { entries[position] }

  public static func == (lhs: StoredDictionary, rhs: StoredDictionary) -> Bool { lhs.entries == rhs.entries }
  public func hash(into hasher: inout Hasher) { hasher.combine(entries) }

  /// Adds an entry after all others; false when its key belongs elsewhere.
  mutating func append(_ key: String, _ value: StoredValue) -> Bool {
    if let last = entries.last, StoredOrder.compare(last.key, key) >= 0 { return false }
    entries.append(Entry(key, value))
    return true
  }

  /// The same entries and id with other values.
  func mapValues(_ body: (StoredValue) throws -> StoredValue) rethrows -> StoredDictionary {
    var result = self
    for index in entries.indices { result.entries[index].value = try body(entries[index].value) }
    return result
  }

  /// Removes every entry; the id stays.
  mutating func removeAll() { entries = [] }

  public var keys: [String] { entries.map(\.key) }
  public var values: [StoredValue] { entries.map(\.value) }

  /// Returns the position of the key, or the one that it would have. O(log n).
  public func position(of key: String) -> (position: Int, isThere: Bool) {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      let order = StoredOrder.compare(entries[middle].key, key)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  /// The value of a key; assigning nil removes it, assigning `.null` stores null.
  public subscript(key: String) -> StoredValue? {
    get {
      let found = position(of: key)
      return found.isThere ? entries[found.position].value : nil
    }
    set {
      let found = position(of: key)
      switch (newValue, found.isThere) {
      case (let value?, true): entries[found.position].value = value
      case (let value?, false): entries.insert(Entry(key, value), at: found.position)
      case (nil, true): entries.remove(at: found.position)
      case (nil, false): break
      }
    }
  }
}
