/// A fixed number of bits in 64-bit words: the slots of a cluster, a selection of rows.
///
/// Bits at and beyond `count` are always zero. Binary operations trap on bitmaps of different sizes.
package struct Bitmap: Hashable, Sendable {
  package private(set) var words: [UInt64]
  package let count: Int

  /// All bits clear, or all set.
  package init(count: Int, repeating bit: Bool = false) {
    precondition(count >= 0, "negative bit count")
    self.count = count
    self.words = Array(repeating: bit ? .max : 0, count: Bitmap.wordCount(count))
    if bit { clearTail() }
  }

  /// Bits from words; missing words count as zero, surplus bits are dropped.
  package init(words: some Sequence<UInt64>, count: Int) {
    self.init(count: count)
    for (index, word) in words.enumerated() where index < self.words.count { self.words[index] = word }
    clearTail()
  }

  /// Words needed for a number of bits.
  @inline(__always)
  package static func wordCount(_ count: Int) -> Int { (count + 63) >> 6 }

  @inline(__always)
  package func test(_ index: Int) -> Bool {
    precondition(index >= 0 && index < count, "bit outside of the bitmap")
    return words[index >> 6] >> UInt64(index & 63) & 1 != 0
  }

  @inline(__always)
  package mutating func set(_ index: Int) {
    precondition(index >= 0 && index < count, "bit outside of the bitmap")
    words[index >> 6] |= 1 << UInt64(index & 63)
  }

  @inline(__always)
  package mutating func clear(_ index: Int) {
    precondition(index >= 0 && index < count, "bit outside of the bitmap")
    words[index >> 6] &= ~(1 << UInt64(index & 63))
  }

  package subscript(_ index: Int) -> Bool {
    @inline(__always) get { test(index) }
    @inline(__always) set { if newValue { set(index) } else { clear(index) } }
  }

  /// Number of set bits. O(words).
  package var popcount: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }
  package var isEmpty: Bool { !words.contains { $0 != 0 } }
  package var isFull: Bool { popcount == count }

  /// The lowest set bit, if any.
  package var first: Int? {
    guard let index = words.firstIndex(where: { $0 != 0 }) else { return nil }
    return index << 6 + words[index].trailingZeroBitCount
  }

  /// The highest set bit, if any.
  package var last: Int? {
    guard let index = words.lastIndex(where: { $0 != 0 }) else { return nil }
    return index << 6 + 63 - words[index].leadingZeroBitCount
  }

  /// Number of set bits below `index`.
  package func rank(_ index: Int) -> Int {
    precondition(index >= 0 && index <= count, "bit outside of the bitmap")
    var sum = 0
    for word in words[..<(index >> 6)] { sum += word.nonzeroBitCount }
    let rest = UInt64(index & 63)
    return rest == 0 ? sum : sum + (words[index >> 6] & (1 << rest - 1)).nonzeroBitCount
  }

  /// Position of the set bit with that rank (0 = the lowest), if there are so many.
  package func select(_ rank: Int) -> Int? {
    var left = rank
    for (index, word) in words.enumerated() {
      let population = word.nonzeroBitCount
      if left >= population {
        left -= population
        continue
      }
      var rest = word
      for _ in 0..<left { rest &= rest &- 1 }
      return index << 6 + rest.trailingZeroBitCount
    }
    return nil
  }

  /// Calls `body` with each set bit, ascending.
  @inline(__always)
  package func forEachSet(_ body: (Int) throws -> Void) rethrows {
    for index in words.indices {
      var word = words[index]
      while word != 0 {
        try body(index << 6 + word.trailingZeroBitCount)
        word &= word &- 1
      }
    }
  }

  private mutating func clearTail() {
    let rest = UInt64(count & 63)
    if rest != 0 { words[words.count - 1] &= 1 << rest - 1 }
  }
}
