import LarderCrypto

/// The changes a transaction makes to one pair tree, collected in any order and applied at once.
///
/// A value type for one thread. Adding costs a few nanoseconds when pairs come in ascending order, as those of a dense
/// primary key do; otherwise they are sorted when applied, integers and string heads by radix.
package struct PairChanges {
  package let codec: PairCodec
  var values: [PackedPair] = []
  var nulls: [PackedPair] = []
  var arena: [UInt8] = []
  private var valuesAscend = true
  private var keysAscend = true
  private var nullsAscend = true

  package init(codec: PairCodec) { self.codec = codec }

  package var isEmpty: Bool { values.isEmpty && nulls.isEmpty }
  /// Number of additions and removals collected.
  package var count: Int { values.count + nulls.count }
  /// Bytes that they take.
  package var bytes: Int { count * MemoryLayout<PackedPair>.stride + arena.count }

  /// Adds (`delta` 1) or removes (`delta` -1) a copy of the pair of an integer word and a key.
  @inline(__always)
  package mutating func add(_ word: UInt64, _ key: ObjectKey, _ delta: Int) {
    if let last = values.last {
      if word < last.word || (word == last.word && key.rawValue < last.key) { valuesAscend = false }
      if key.rawValue < last.key { keysAscend = false }
    }
    values.append(PackedPair(word: word, key: key.rawValue, delta: Int16(truncatingIfNeeded: delta)))
  }

  /// Adds or removes a copy of the pair of a byte string and a key; the string is cut to its indexed length.
  package mutating func add(_ bytes: UnsafeRawBufferPointer, _ key: ObjectKey, _ delta: Int) {
    let offset = arena.count
    let cut = bytes.count > PairLimits.valueBytes
    arena.append(contentsOf: cut ? UnsafeRawBufferPointer(rebasing: bytes[..<PairLimits.valueBytes]) : bytes)
    if cut { arena.append(0) }
    let pair = PackedPair(
      word: PackedPair.word(of: bytes), key: key.rawValue, offset: UInt32(offset), length: UInt16(arena.count - offset),
      delta: Int16(truncatingIfNeeded: delta))
    if valuesAscend, let last = values.last {
      valuesAscend = arena.withUnsafeBytes { PairOrder(arena: $0).compare(last, pair) <= 0 }
    }
    if let last = values.last, key.rawValue < last.key { keysAscend = false }
    values.append(pair)
  }

  /// Adds or removes a copy of the pair of null and a key.
  package mutating func addNull(_ key: ObjectKey, _ delta: Int) {
    if let last = nulls.last, key.rawValue < last.key { nullsAscend = false }
    nulls.append(PackedPair(word: 0, key: key.rawValue, delta: Int16(truncatingIfNeeded: delta)))
  }

  /// Adds or removes the pair of a value that the tree's column can hold, and a key.
  package mutating func add(_ value: IndexValue, _ key: ObjectKey, _ delta: Int) {
    switch value {
    case .null: addNull(key, delta)
    case .integer(let word): add(word, key, delta)
    case .bytes(let bytes): bytes.withUnsafeBytes { add($0, key, delta) }
    }
  }

  /// Adds the changes of another collection of the same codec, after these.
  mutating func append(_ other: PairChanges) {
    other.arena.withUnsafeBytes { arena in
      for pair in other.values {
        let (key, delta) = (ObjectKey(rawValue: pair.key), Int(pair.delta))
        if codec == .integer {
          add(pair.word, key, delta)
        } else {
          add(PairOrder(arena: arena).bytes(pair), key, delta)
        }
      }
    }
    for pair in other.nulls { addNull(ObjectKey(rawValue: pair.key), Int(pair.delta)) }
  }

  /// Makes room for so many values.
  mutating func reserve(_ count: Int) { values.reserveCapacity(count) }

  /// Returns true if the value with that number is these bytes, in changes of byte strings that are not sorted yet.
  @inline(__always)
  func has(_ bytes: UnsafeRawBufferPointer, at number: Int) -> Bool {
    guard Int(values[number].length) == bytes.count else { return false }
    return arena.withUnsafeBytes { compareBytes(PairOrder(arena: $0).bytes(values[number]), bytes) == 0 }
  }

  /// The same changes with hashes in the place of values.
  func hashed(by hash: KeyedHash, in place: UInt64) throws -> PairChanges {
    var result = PairChanges(codec: .bytes)
    result.nulls = nulls
    result.nullsAscend = nullsAscend
    result.values.reserveCapacity(values.count)
    result.arena.reserveCapacity(values.count * KeyedHash.length)
    try arena.withUnsafeBytes { arena in
      for pair in values {
        let hashed =
          codec == .integer
          ? try hash.value(of: pair.word, in: place)
          : try hash.value(of: PairOrder(arena: arena).bytes(pair), in: place)
        hashed.withBytes { result.add($0, ObjectKey(rawValue: pair.key), Int(pair.delta)) }
      }
    }
    return result
  }

  /// Forgets all changes but keeps their storage.
  mutating func removeAll() {
    values.removeAll(keepingCapacity: values.count < 1 << 16)
    nulls.removeAll(keepingCapacity: nulls.count < 1 << 16)
    arena.removeAll(keepingCapacity: arena.count < 1 << 20)
    (valuesAscend, keysAscend, nullsAscend) = (true, true, true)
  }

  /// Sorts the changes and nets out pairs that were both added and removed.
  mutating func normalize() {
    if !nullsAscend { sortPairs(&nulls, arena: [], keysAscend: false) }
    if !valuesAscend { sortPairs(&values, arena: arena, keysAscend: keysAscend) }
    arena.withUnsafeBytes { bytes in
      Self.net(&values, PairOrder(arena: bytes))
      Self.net(&nulls, PairOrder(arena: bytes))
    }
    valuesAscend = true
    nullsAscend = true
    keysAscend = false
  }

  private static func net(_ pairs: inout [PackedPair], _ order: PairOrder) {
    var kept = 0
    var start = 0
    while start < pairs.count {
      let pair = pairs[start]
      var total = Int(pair.delta)
      var end = start + 1
      while end < pairs.count, order.compare(pair, pairs[end]) == 0 {
        total += Int(pairs[end].delta)
        end += 1
      }
      start = end
      // More copies of one pair than a delta holds take several entries; there are never more than came in.
      while total != 0 {
        let part = max(-32_767, min(32_767, total))
        pairs[kept] = pair
        pairs[kept].delta = Int16(part)
        kept += 1
        total -= part
      }
    }
    pairs.removeLast(pairs.count - kept)
  }
}
