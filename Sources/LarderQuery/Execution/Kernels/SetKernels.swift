import Foundation
import LarderStorage

/// Integers that are in a set.
final class IntegerSetKernel: ColumnKernel {
  private let values: IntegerSet

  init(
    _ context: ExecutionContext, _ classID: ClassID, _ column: ColumnDescriptor, _ test: ValueTest, values: [Int64]
  ) {
    self.values = IntegerSet(values)
    super.init(context, classID, column, test)
  }

  override func scan(
    _ leaf: LeafView, _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws -> Outcome {
    guard let span = values.span else { return .none }
    if let known = leaf.integerRange, !known.overlaps(span) { return .none }
    let pointers = leaf.pointers
    values.withLookup { lookup in
      visit(leaf, candidates, result) { lookup.contains(pointers.int($0)) }
    }
    return .mixed
  }

  override var cost: Double { 4 }
}

/// Strings or data that are in a set, without making strings of them.
final class TextSetKernel: ColumnKernel {
  private let texts: ByteSet

  override init(_ context: ExecutionContext, _ classID: ClassID, _ column: ColumnDescriptor, _ test: ValueTest) {
    texts = ByteSet(test.values.compactMap(\.textBytes))
    super.init(context, classID, column, test)
  }

  override func scan(
    _ leaf: LeafView, _ cluster: Int, _ candidates: UnsafePointer<UInt64>, _ result: UnsafeMutablePointer<UInt64>
  ) throws -> Outcome {
    let (pointers, texts) = (leaf.pointers, texts)
    if pointers.isDictionary { return scanDictionary(leaf, candidates, result) { texts.contains($0) } }
    guard leaf.hasLarge else {
      texts.withSketch { sketch in
        visit(leaf, candidates, result) { slot in
          let bytes = pointers.bytes(slot)
          return sketch.mayContain(bytes) && texts.contains(bytes)
        }
      }
      return .mixed
    }
    try visit(leaf, candidates, result) { slot in
      guard pointers.isLarge(slot) else { return texts.contains(pointers.bytes(slot)) }
      let key = ObjectKey(rawValue: UInt64(cluster * context.clusterSize + slot))
      return try context.reader.largeValue(classID, column.id, key).withUnsafeBytes { texts.contains($0) }
    }
    return .mixed
  }

  override var cost: Double { 12 }
}

/// A set of integers that is asked millions of times: bits where they are close together, else a table without chains.
struct IntegerSet {
  let span: ClosedRange<Int64>?
  /// Bits from the lower end of the span on, or a table of values.
  private let words: [UInt64]
  private let isBitmap: Bool
  /// The content of the empty places of the table: no value of the set.
  private let empty: Int64

  init(_ values: [Int64]) {
    guard let low = values.min(), let high = values.max() else {
      (span, words, isBitmap, empty) = (nil, [], true, 0)
      return
    }
    span = low...high
    let width = UInt64(bitPattern: high &- low)
    isBitmap = width < UInt64(max(1 << 16, values.count * 64))
    if isBitmap {
      empty = 0
      var words = [UInt64](repeating: 0, count: Int(width >> 6) + 1)
      for value in values {
        let bit = UInt64(bitPattern: value &- low)
        words[Int(bit >> 6)] |= 1 << (bit & 63)
      }
      self.words = words
      return
    }
    let known = Set(values)
    var unused = Int64.min
    while known.contains(unused) { unused += 1 }
    empty = unused
    let size = Self.size(values.count)
    var words = [UInt64](repeating: UInt64(bitPattern: unused), count: size)
    for value in known {
      var place = Self.place(value, size)
      while words[place] != UInt64(bitPattern: unused) { place = (place + 1) & (size - 1) }
      words[place] = UInt64(bitPattern: value)
    }
    self.words = words
  }

  private static func size(_ count: Int) -> Int { 1 << (Int.bitWidth - max(15, count * 4 - 1).leadingZeroBitCount) }

  @inline(__always)
  fileprivate static func place(_ value: Int64, _ size: Int) -> Int {
    let hash = UInt64(bitPattern: value) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash >> 32) & (size &- 1)
  }

  /// The set with its memory at hand.
  struct Lookup {
    let words: UnsafeBufferPointer<UInt64>
    let low: Int64
    let width: UInt64
    let isBitmap: Bool
    let empty: UInt64

    @inline(__always)
    func contains(_ value: Int64) -> Bool {
      let offset = UInt64(bitPattern: value &- low)
      guard offset <= width else { return false }
      if isBitmap { return words[Int(offset &>> 6)] &>> (offset & 63) & 1 != 0 }
      var place = IntegerSet.place(value, words.count)
      while words[place] != empty {
        if words[place] == UInt64(bitPattern: value) { return true }
        place = (place &+ 1) & (words.count &- 1)
      }
      return false
    }
  }

  @inline(__always)
  func withLookup(_ body: (Lookup) -> Void) {
    guard let span else { return }
    words.withUnsafeBufferPointer { words in
      body(
        Lookup(
          words: words, low: span.lowerBound, width: UInt64(bitPattern: span.upperBound &- span.lowerBound),
          isBitmap: isBitmap, empty: UInt64(bitPattern: empty)))
    }
  }
}

/// A set of byte strings that is asked millions of times.
struct ByteSet {
  private let bytes: [UInt8]
  /// The end of each string in `bytes`.
  private let ends: [Int]
  /// One more than the number of a string, 0 for an empty place.
  private let table: [UInt32]
  /// Bits that are set for the ends and lengths of the strings; at most one in 16 is.
  private let sketch: [UInt64]

  init(_ strings: [[UInt8]]) {
    var (bytes, ends) = ([UInt8](), [Int]())
    var sketch = [UInt64](repeating: 0, count: 1 << max(4, Int.bitWidth - (strings.count / 4).leadingZeroBitCount))
    let size = 1 << (Int.bitWidth - max(7, strings.count * 2 - 1).leadingZeroBitCount)
    var table = [UInt32](repeating: 0, count: size)
    for string in strings {
      bytes += string
      ends.append(bytes.count)
      string.withUnsafeBytes { text in
        let bit = Sketch.hash(text) & (UInt64(sketch.count) << 6 - 1)
        sketch[Int(bit >> 6)] |= 1 << (bit & 63)
      }
      var place = string.withUnsafeBytes { Self.hash($0) } & (size - 1)
      while table[place] != 0 { place = (place + 1) & (size - 1) }
      table[place] = UInt32(ends.count)
    }
    (self.bytes, self.ends, self.table, self.sketch) = (bytes, ends, table, sketch)
  }

  /// A sketch that tells most other strings from those of the set by three words of memory, with the set's memory at hand.
  struct Sketch {
    fileprivate let bits: UnsafeBufferPointer<UInt64>

    /// False only for strings that are not in the set.
    @inline(__always)
    func mayContain(_ text: UnsafeRawBufferPointer) -> Bool {
      let bit = Self.hash(text) & (UInt64(bits.count) &<< 6 &- 1)
      return bits[Int(truncatingIfNeeded: bit &>> 6)] &>> (bit & 63) & 1 != 0
    }

    /// Of the first and the last eight bytes and the length.
    @inline(__always)
    fileprivate static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
      let count = text.count
      var (first, last) = (UInt64(0), UInt64(0))
      if count >= 8 {
        first = text.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        last = text.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      } else if count >= 4 {
        first = UInt64(text.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
        last = UInt64(text.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
      } else if count > 0 {
        first = UInt64(text[0]) | UInt64(text[count &>> 1]) &<< 8
        last = UInt64(text[count &- 1])
      }
      let word = (first ^ (last &<< 29 | last &>> 35)) &+ UInt64(truncatingIfNeeded: count)
      return (word &* 0x9E37_79B9_7F4A_7C15) &>> 32
    }
  }

  @inline(__always)
  func withSketch(_ body: (Sketch) -> Void) { sketch.withUnsafeBufferPointer { body(Sketch(bits: $0)) } }

  func contains(_ text: UnsafeRawBufferPointer) -> Bool {
    var place = Self.hash(text) & (table.count &- 1)
    while table[place] != 0 {
      let number = Int(table[place]) &- 1
      let start = number == 0 ? 0 : ends[number - 1]
      if ends[number] &- start == text.count, isEqual(text, at: start) { return true }
      place = (place &+ 1) & (table.count &- 1)
    }
    return false
  }

  private func isEqual(_ text: UnsafeRawBufferPointer, at start: Int) -> Bool {
    guard let other = text.baseAddress, !text.isEmpty else { return true }
    return bytes.withUnsafeBytes { known in
      guard let base = known.baseAddress else { return false }
      return memcmp(base + start, other, text.count) == 0
    }
  }

  @inline(__always)
  private static func hash(_ text: UnsafeRawBufferPointer) -> Int {
    var hash = UInt64(truncatingIfNeeded: text.count) &* 0x9E37_79B9_7F4A_7C15
    var position = 0
    while position &+ 8 <= text.count {
      hash = mix(hash ^ text.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      position &+= 8
    }
    var rest: UInt64 = 0
    while position < text.count {
      rest = rest &<< 8 | UInt64(text[position])
      position &+= 1
    }
    return Int(truncatingIfNeeded: mix(hash ^ rest) &>> 32)
  }

  @inline(__always)
  private static func mix(_ word: UInt64) -> UInt64 {
    let product = word &* 0xD6E8_FEB8_6659_FD93
    return product ^ (product &>> 32)
  }
}
