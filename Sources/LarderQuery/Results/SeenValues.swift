import LarderStorage

/// The values of one column that were seen so far, read from its leaves without making values of them.
struct SeenValues {
  /// The way in which values of a type are compared.
  private enum Form {
    case bools, integers, dates, texts, doubles, floats
  }

  private let form: Form
  private var words = WordSet()
  private var texts = TextSet()
  /// Dates with a part of a second; others are in `words`.
  private var dates: Set<Timestamp> = []
  private(set) var hasNull = false
  /// The largest range all of which is known to have been seen.
  private var whole: ClosedRange<Int64>?

  /// - Returns: Nil for types whose values are compared by meaning, and those that need no form of their own.
  init?(_ type: ColumnType) {
    switch type {
    case .bool: form = .bools
    case .int: form = .integers
    case .date: form = .dates
    case .string, .data: form = .texts
    case .double: form = .doubles
    case .float: form = .floats
    default: return nil
    }
  }

  /// Returns true if a leaf can hold nothing new but null and what is beyond its end.
  mutating func hasAllValues(of leaf: LeafView) -> Bool {
    switch form {
    case .bools: return words.count == 2
    case .integers:
      guard let range = leaf.integerRange else { return false }
      if let whole, whole.contains(range.lowerBound), whole.contains(range.upperBound) { return true }
      guard words.contains(range) else { return false }
      if whole.map({ $0.count < range.count }) ?? true { whole = range }
      return true
    case .dates, .texts, .doubles, .floats: return false
    }
  }

  /// Notes null; false when it was seen before.
  mutating func insertNull() -> Bool {
    defer { hasNull = true }
    return !hasNull
  }

  /// Notes the value of a slot that has one in the leaf; false when it was seen before.
  @inline(__always)
  mutating func insert(_ leaf: LeafPointers, _ slot: Int) -> Bool {
    switch form {
    case .bools: words.insert(leaf.bool(slot) ? 1 : 0)
    case .integers: words.insert(leaf.int(slot))
    case .dates: insert(leaf.timestamp(slot))
    case .texts: texts.insert(leaf.bytes(slot))
    case .doubles: insert(leaf.double(slot))
    case .floats: insert(Double(leaf.float(slot)))
    }
  }

  /// Notes a value that is in no leaf; false when it was seen before.
  mutating func insert(_ value: StoredValue) -> Bool {
    switch value {
    case .bool(let value): words.insert(value ? 1 : 0)
    case .int(let number): words.insert(number)
    case .date(let time): insert(time)
    case .string(let text): insert(Array(text.utf8))
    case .data(let bytes): insert(Array(bytes))
    case .double(let number): insert(number)
    case .float(let number): insert(Double(number))
    default: insertNull()
    }
  }

  /// Notes the bytes of a text; false when they were seen before.
  mutating func insert(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { texts.insert($0) } }

  private mutating func insert(_ time: Timestamp) -> Bool {
    time.nanoseconds == 0 ? words.insert(time.seconds) : dates.insert(time).inserted
  }

  /// Both zeros are one value, and every NaN is like any other.
  private mutating func insert(_ number: Double) -> Bool {
    let one = number.isNaN ? .nan : number == 0 ? 0 : number
    return words.insert(Int64(bitPattern: one.bitPattern))
  }
}
