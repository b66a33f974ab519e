import LarderLMDB

/// The index of one column as queries see it: values of the column's type in, object keys out.
///
/// Strings and data beyond `PairLimits.valueBytes` are indexed by their head only. Entries that share a cut head are
/// checked and ordered by the objects' whole values, which `value` reads.
struct IndexView: IndexReading {
  let reader: PairReader
  private let type: ColumnType
  private let value: (ObjectKey) throws -> StoredValue

  /// - Parameter value: the whole value of an object in the indexed column.
  package init(_ reader: PairReader, type: ColumnType, value: @escaping (ObjectKey) throws -> StoredValue) {
    self.reader = reader
    self.type = type
    self.value = value
  }

  package var isOrdered: Bool { reader.tree.isOrdered }

  package func count(equalTo value: StoredValue) throws -> Int {
    let wanted = try encode(value)
    return wanted.isCut ? try keys(equalTo: value).count : try reader.count(equalTo: wanted)
  }

  package func keys(equalTo value: StoredValue) throws -> [ObjectKey] {
    let wanted = try encode(value)
    let keys = try reader.keys(equalTo: wanted)
    return wanted.isCut ? try keys.filter { try self.value($0) == value } : keys
  }

  /// The smallest key with the value, or nil: the lookup of a primary key.
  package func firstKey(equalTo value: StoredValue) throws -> ObjectKey? {
    if case .int(let number) = value, type == .int { return try reader.firstKey(equalTo: IndexValue.word(number)) }
    let wanted = try encode(value)
    return wanted.isCut ? try keys(equalTo: value).first : try reader.firstKey(equalTo: wanted)
  }

  package func keys(from lower: IndexBound, to upper: IndexBound) throws -> [ObjectKey] {
    precondition(isOrdered, "an index of hashes knows no ranges")
    var result: [ObjectKey] = []
    try forEachRun(from: lower, to: upper) { keys in
      result.append(contentsOf: keys)
      return true
    } whole: { block, pairs in
      block.appendKeys(pairs, to: &result)
    }
    return result
  }

  package func count(from lower: IndexBound, to upper: IndexBound) throws -> Int {
    precondition(isOrdered, "an index of hashes knows no ranges")
    // Whether a cut value is within whole bounds shows in its head.
    if try !isCut(lower), try !isCut(upper) {
      return try reader.count(from: bound(lower, isLower: true), to: bound(upper, isLower: false))
    }
    var total = 0
    try forEachRun(from: lower, to: upper) { keys in
      total += keys.count
      return true
    } whole: { _, pairs in
      total += pairs.count
    }
    return total
  }

  package func forEach(descending: Bool, _ body: (ObjectKey) throws -> Bool) throws {
    guard type == .string || type == .data else { return try reader.forEach(descending: descending, body) }
    try forEachOrdered(descending: descending, body)
  }

  package func entryCount() throws -> Int { try reader.entryCount() }

  private func isCut(_ bound: IndexBound) throws -> Bool {
    switch bound {
    case .unbounded: false
    case .inclusive(let value), .exclusive(let value): try encode(value).isCut
    }
  }

  // MARK: Cut values

  private func encode(_ value: StoredValue) throws -> IndexValue {
    if let encoded = IndexValue(value, type: type) { return encoded }
    throw StorageError(.typeMismatch, "The index holds values of type \(type), not \(value).")
  }

  /// Visits the pairs in the bounds: runs of cut values as keys in order of their whole values, all else as spans.
  private func forEachRun(
    from lower: IndexBound, to upper: IndexBound, cut: ([ObjectKey]) throws -> Bool,
    whole: (PairBlock, Range<Int>) throws -> Void
  ) throws {
    var pending = CutRun()
    func flush() throws {
      guard !pending.keys.isEmpty else { return }
      let keys = try ordered(pending.keys).filter { try contains($0.value, lower, upper) }
      pending.keys.removeAll()
      _ = try cut(keys.map(\.key))
    }
    try reader.forEachSpan(from: bound(lower, isLower: true), to: bound(upper, isLower: false)) { block, pairs in
      guard block.holdsCutValues else {
        try flush()
        try whole(block, pairs)
        return true
      }
      for run in 0..<block.runs {
        let part = block.pairs(run: run).clamped(to: pairs)
        if part.isEmpty { continue }
        let string = block.string(run: run)
        if string.count <= PairLimits.valueBytes {
          try flush()
          try whole(block, part)
        } else {
          if !pending.head.elementsEqual(string) { try flush() }
          pending.head = Array(string)
          block.appendKeys(part, to: &pending.keys)
        }
      }
      return true
    }
    try flush()
  }

  /// Keys that share a cut head, collected over the blocks it spans.
  struct CutRun {
    var head: [UInt8] = []
    var keys: [ObjectKey] = []
  }

  func ordered(_ keys: [ObjectKey]) throws -> [(key: ObjectKey, value: [UInt8])] {
    let pairs = try keys.map { key -> (key: ObjectKey, value: [UInt8]) in
      guard case .bytes(let bytes) = try encode(value(key)) else { return (key, []) }
      return (key, bytes)
    }
    return pairs.sorted { left, right in
      let order = left.value.withUnsafeBytes { first in right.value.withUnsafeBytes { compareBytes(first, $0) } }
      return order == 0 ? left.key < right.key : order < 0
    }
  }

  /// The bound for the tree: a cut value is always a candidate, whether or not the bound includes it.
  func bound(_ bound: IndexBound, isLower: Bool) throws -> PairBound {
    switch bound {
    case .unbounded: return .unbounded
    case .inclusive(let value):
      // Nulls are in no range, but a null bound must not become an equality with null.
      if value.isNull { return .exclusive(.null) }
      return .inclusive(try encode(value))
    case .exclusive(let value):
      let encoded = try encode(value)
      return encoded.isCut ? .inclusive(encoded) : .exclusive(encoded)
    }
  }

  func contains(_ bytes: [UInt8], _ lower: IndexBound, _ upper: IndexBound) throws -> Bool {
    func order(_ value: StoredValue) throws -> Int {
      guard case .bytes(let limit) = try encode(value) else { return 0 }
      return bytes.withUnsafeBytes { first in limit.withUnsafeBytes { compareBytes(first, $0) } }
    }
    switch lower {
    case .unbounded: break
    case .inclusive(let value): if try order(value) < 0 { return false }
    case .exclusive(let value): if try order(value) <= 0 { return false }
    }
    switch upper {
    case .unbounded: return true
    case .inclusive(let value): return try order(value) <= 0
    case .exclusive(let value): return try order(value) < 0
    }
  }

  private func forEachOrdered(descending: Bool, _ body: (ObjectKey) throws -> Bool) throws {
    var pending = CutRun()
    func flush() throws -> Bool {
      let keys = try ordered(pending.keys).map(\.key)
      pending.keys.removeAll()
      for key in descending ? keys.reversed() : keys { if try !body(key) { return false } }
      return true
    }
    var goesOn = true
    try reader.forEachBlock(descending: descending) { block in
      for step in 0..<block.runs {
        let run = descending ? block.runs - 1 - step : step
        let string = block.string(run: run)
        let pairs = block.pairs(run: run)
        if string.count > PairLimits.valueBytes {
          if !pending.keys.isEmpty, !pending.head.elementsEqual(string) { goesOn = try flush() }
          pending.head = Array(string)
          block.appendKeys(pairs, to: &pending.keys)
        } else {
          if !pending.keys.isEmpty { goesOn = try flush() }
          for index in pairs where goesOn {
            let position = descending ? pairs.upperBound - 1 - (index - pairs.lowerBound) : index
            goesOn = try body(ObjectKey(rawValue: block.key(position)))
          }
        }
        if !goesOn { return false }
      }
      return true
    }
    if goesOn { _ = try flush() }
  }
}
