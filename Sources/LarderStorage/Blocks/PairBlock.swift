import LarderCrypto
import LarderLMDB

/// A read-only view of an encoded block; searched in place, without decoding or allocating.
///
/// The initializer checks that header and size agree, and reads of the variable parts are kept in bounds, so that a
/// damaged block gives wrong answers or an error but no stray access. `isIntact` finds the damage.
struct PairBlock {
  typealias Format = PairBlockFormat

  let bytes: ByteView
  let count: Int
  /// Number of distinct values.
  let runs: Int
  let kind: UInt8
  let flags: UInt8
  let first: UInt64
  let last: UInt64
  let keyBase: UInt64
  private let keyStep: UInt64
  private let valueStep: UInt64
  private let layout: PairBlockLayout

  init(_ bytes: ByteView) throws {
    guard bytes.count >= Format.headerSize, let block = PairBlock(checking: bytes) else {
      throw StorageError(
        .corrupted, "An index block has an impossible header (\(bytes.count) bytes). Run `larder check` on the store.")
    }
    self = block
  }

  private init?(checking bytes: ByteView) {
    self.bytes = bytes
    count = Int(bytes.load(Format.count, as: UInt32.self))
    runs = Int(bytes.load(Format.runs, as: UInt16.self))
    kind = bytes.load(Format.kind)
    flags = bytes.load(Format.flags)
    first = bytes.load(Format.first)
    last = bytes.load(Format.last)
    keyBase = bytes.load(Format.keyBase)
    guard count > 0, runs > 0, runs <= count else { return nil }
    guard let layout = PairBlockLayout(checking: bytes, kind: kind, flags: flags, count: count, runs: runs) else {
      return nil
    }
    self.layout = layout
    guard kind == Format.linear else {
      keyStep = 0
      valueStep = 0
      return
    }
    keyStep = bytes.load(Format.keyStep)
    guard first <= last, runs == 1 ? first == last : runs == count else { return nil }
    guard count <= Format.mostPairs || (runs == 1 && keyStep == 0) else { return nil }
    valueStep = runs > 1 ? (last - first) / UInt64(count - 1) : 0
  }

  /// The number of pairs of a block of integers when its header says that all have this value, else nil.
  @inline(__always)
  static func count(ifAllEqual word: UInt64, _ bytes: ByteView) -> Int? {
    guard bytes.count >= Format.headerSize, bytes.load(Format.last, as: UInt64.self) == word,
      bytes.load(Format.first, as: UInt64.self) == word
    else { return nil }
    return Int(bytes.load(Format.count, as: UInt32.self))
  }

  /// True if so many pairs share one value and key that the block holds only their number.
  var holdsManyCopies: Bool { count > Format.mostPairs }

  /// Returns true if the bytes are those that were written under this prefix.
  func isIntact(prefix: UInt64) -> Bool {
    bytes.load(Format.checksum, as: UInt64.self) == Format.checksum(bytes.buffer, prefix: prefix)
  }

  // MARK: Values

  /// The value of a run as a word; of strings, their first eight bytes.
  @inline(__always)
  func word(run: Int) -> UInt64 {
    if kind == Format.strings { return PackedPair.word(of: string(run: run)) }
    if kind == Format.linear { return first &+ valueStep &* UInt64(run) }
    return first &+ number(at: Format.headerSize, index: run, width: layout.valueWidth)
  }

  /// The byte string of a run.
  @inline(__always)
  func string(run: Int) -> UnsafeRawBufferPointer {
    guard kind == Format.strings else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    var start = run * layout.fixedLength
    var end = start + layout.fixedLength
    if layout.fixedLength == Int(Format.variableLength) {
      start = run == 0 ? 0 : min(layout.totalBytes, Int(bytes.load(Format.headerSize + 2 * (run - 1), as: UInt16.self)))
      end = max(start, min(layout.totalBytes, Int(bytes.load(Format.headerSize + 2 * run, as: UInt16.self))))
    }
    return bytes.slice(layout.strings + start, end - start).buffer
  }

  /// True if all values have as many bytes as hashes have.
  var holdsHashes: Bool { kind == Format.strings && layout.fixedLength == KeyedHash.length }

  /// The value of a run, in a block that holds hashes.
  @inline(__always)
  func hash(run: Int) -> HashedValue {
    let start = layout.strings + KeyedHash.length * run
    return HashedValue(
      high: UInt64(bigEndian: bytes.load(start)), low: UInt64(bigEndian: bytes.load(start + 8)))
  }

  /// Number of runs below a hash, in a block that holds hashes; as many as `guess` are expected.
  @inline(__always)
  func runs(below target: HashedValue, from guess: Int) -> Int {
    HashSearch.partition(runs, from: guess) { run in
      let word = UInt64(bigEndian: bytes.load(layout.strings + KeyedHash.length * run, as: UInt64.self))
      return word != target.high ? word < target.high : hash(run: run).low < target.low
    }
  }

  /// True if some string is only the head of an object's value.
  var holdsCutValues: Bool { flags & Format.holdsCutValues != 0 }

  /// The pairs that have the run's value.
  @inline(__always)
  func pairs(run: Int) -> Range<Int> {
    let start = run == 0 ? 0 : end(run: run - 1)
    return start..<max(start, end(run: run))
  }

  @inline(__always)
  private func end(run: Int) -> Int {
    if runs == count { return run + 1 }
    if run + 1 >= runs { return count }
    return min(count, Int(bytes.load(layout.runEnds + 2 * run, as: UInt16.self)))
  }

  /// Number of runs whose value is below the target.
  @inline(__always)
  func runs(below target: PairTarget) -> Int { partition { compare(run: $0, target) < 0 } }

  /// Number of runs whose value is not above the target.
  @inline(__always)
  func runs(upTo target: PairTarget) -> Int { partition { compare(run: $0, target) <= 0 } }

  /// Number of pairs in the first runs.
  @inline(__always)
  func pairs(inFirst runs: Int) -> Int { runs == 0 ? 0 : end(run: runs - 1) }

  @inline(__always)
  private func partition(_ isBefore: (Int) -> Bool) -> Int {
    var low = 0
    var high = runs
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Compares a run's value with a target: below 0, 0 or above 0.
  @inline(__always)
  func compare(run: Int, _ target: PairTarget) -> Int {
    if kind == Format.strings {
      let string = string(run: run)
      // Mostly the first bytes tell, without a call.
      let word = PackedPair.word(of: string)
      if word != target.word { return word < target.word ? -1 : 1 }
      return compareBytes(string, target.bytes)
    }
    let word = word(run: run)
    return word == target.word ? 0 : (word < target.word ? -1 : 1)
  }

  /// The pair that would go on a linear block whose values rise; nil for other blocks.
  var linearSuccessor: PackedPair? {
    guard kind == Format.linear, count > 1, runs == count else { return nil }
    return PackedPair(word: last &+ valueStep, key: keyBase &+ keyStep &* UInt64(count))
  }

  // MARK: Keys

  @inline(__always)
  func key(_ index: Int) -> UInt64 {
    if kind == Format.linear { return keyBase &+ keyStep &* UInt64(index) }
    if flags & Format.keysFollowValues != 0 { return keyBase &+ (word(run: index) &- first) }
    return keyBase &+ number(at: layout.keys, index: index, width: layout.keyWidth)
  }

  /// Appends the keys of some pairs.
  func appendKeys(_ range: Range<Int>, to result: inout [ObjectKey]) {
    result.reserveCapacity(result.count + range.count)
    if kind == Format.packed && flags & Format.keysFollowValues == 0 || kind == Format.strings {
      switch layout.keyWidth {
      case 1: appendKeys(range, to: &result, as: UInt8.self)
      case 2: appendKeys(range, to: &result, as: UInt16.self)
      case 4: appendKeys(range, to: &result, as: UInt32.self)
      default: for index in range { result.append(ObjectKey(rawValue: key(index))) }
      }
    } else {
      for index in range { result.append(ObjectKey(rawValue: key(index))) }
    }
  }

  @inline(__always)
  private func appendKeys<T: FixedWidthInteger>(_ range: Range<Int>, to result: inout [ObjectKey], as type: T.Type) {
    let size = MemoryLayout<T>.size
    let part = bytes.slice(layout.keys + range.lowerBound * size, range.count * size).base
    for index in 0..<range.count {
      let offset = part.loadUnaligned(fromByteOffset: index * size, as: T.self)
      result.append(ObjectKey(rawValue: keyBase &+ UInt64(T(littleEndian: offset))))
    }
  }

  @inline(__always)
  private func number(at offset: Int, index: Int, width: Int) -> UInt64 {
    switch width {
    case 0: 0
    case 1: UInt64(bytes.load(offset &+ index, as: UInt8.self))
    case 2: UInt64(bytes.load(offset &+ 2 &* index, as: UInt16.self))
    case 4: UInt64(bytes.load(offset &+ 4 &* index, as: UInt32.self))
    default: bytes.load(offset &+ 8 &* index, as: UInt64.self)
    }
  }

  /// The smallest key that has the integer, or nil.
  @inline(__always)
  func firstKey(equalTo word: UInt64) -> ObjectKey? {
    guard word >= first, word <= last else { return nil }
    if kind == Format.linear {
      // A step of zero: all pairs have the value.
      let (run, rest) = valueStep == 0 ? (0, 0) : (word &- first).quotientAndRemainder(dividingBy: valueStep)
      return rest == 0 ? ObjectKey(rawValue: key(Int(run))) : nil
    }
    let target = PairTarget(word: word)
    let run = runs(below: target)
    guard run < runs, compare(run: run, target) == 0 else { return nil }
    return ObjectKey(rawValue: key(pairs(inFirst: run)))
  }

  // MARK: Decoding

  /// Appends all pairs, and the bytes of their strings to the arena.
  func decode(into pairs: inout [PackedPair], arena: inout [UInt8]) {
    pairs.reserveCapacity(pairs.count + count)
    var next = 0
    for run in 0..<runs {
      var pair = PackedPair(word: word(run: run), key: 0)
      if kind == Format.strings {
        let string = string(run: run)
        pair.offset = UInt32(arena.count)
        pair.length = UInt16(clamping: string.count)
        arena.append(contentsOf: string)
      }
      // Runs that overlap, as damaged ones may, give no pair twice.
      let end = max(next, self.pairs(run: run).upperBound)
      for index in next..<end {
        pair.key = key(index)
        pairs.append(pair)
      }
      next = end
    }
  }
}

/// A value searched for in a block. The bytes must stay in place while it is used.
struct PairTarget {
  /// The integer; of bytes the first eight, as `PackedPair.word` gives them.
  var word: UInt64 = 0
  var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
}
