/// The slots that hold a value: present and not null.
struct ValidSlots {
  let words: UnsafeMutablePointer<UInt64>
  let count: Int
  let isAll: Bool

  @inline(__always) func contains(_ slot: Int) -> Bool { isAll || ColumnBuffer.test(words, slot) }

  /// Calls `body` with runs of valid slots.
  @inline(__always) func forEachRun(_ body: (Range<Int>) -> Void) {
    if isAll { return body(0..<count) }
    for index in 0..<Bitmap.wordCount(count) {
      var word = words[index]
      while word != 0 {
        let start = word.trailingZeroBitCount
        let length = (~(word >> UInt64(start))).trailingZeroBitCount
        body(index << 6 + start..<index << 6 + start + length)
        if start + length >= 64 { break }
        word &= ~0 << UInt64(start + length)
      }
    }
  }

  /// Calls `body` with each slot that holds no value.
  @inline(__always) func forEachInvalid(_ body: (Int) -> Void) {
    if isAll { return }
    for slot in 0..<count where !ColumnBuffer.test(words, slot) { body(slot) }
  }
}
