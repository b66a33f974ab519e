import Foundation

/// Bytes of a text that are read in place; valid until what holds them changes. Every access is checked against the bounds.
struct TextBytes {
  private let base: UnsafeRawPointer
  let count: Int

  init?(_ buffer: UnsafeRawBufferPointer) {
    guard let base = buffer.baseAddress else { return nil }
    self.base = base
    count = buffer.count
  }

  /// Calls `body` with the bytes of a text; nil for an empty one.
  static func with<Result>(_ text: String, _ body: (TextBytes) throws -> Result?) rethrows -> Result? {
    var text = text
    return try text.withUTF8 { try TextBytes(UnsafeRawBufferPointer($0)).flatMap(body) }
  }

  @inline(__always)
  subscript(_ index: Int) -> UInt8 {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "a place outside of the bytes")
    return base.load(fromByteOffset: index, as: UInt8.self)
  }

  /// Eight bytes, the first one lowest.
  @inline(__always)
  func word(_ index: Int) -> UInt64 {
    precondition(index >= 0 && index <= count &- 8, "a word outside of the bytes")
    return UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// The bytes of a range as they are.
  @inline(__always)
  func buffer(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range outside of the bytes")
    return UnsafeBufferPointer(
      start: (base + range.lowerBound).assumingMemoryBound(to: UInt8.self), count: range.count)
  }

  /// Returns the next place of a byte, or nil.
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    guard start < count else { return nil }
    precondition(start >= 0, "a place outside of the bytes")
    return memchr(base + start, Int32(byte), count - start).map { UnsafeRawPointer($0) - base }
  }

  /// The text of a range, which must be valid UTF-8: what is not becomes U+FFFD.
  func string(_ range: Range<Int>) -> String { String(decoding: buffer(range), as: UTF8.self) }

  /// True if a range holds exactly these bytes.
  @inline(__always)
  func equals(_ bytes: ContiguousArray<UInt8>, _ range: Range<Int>) -> Bool {
    guard range.count == bytes.count else { return false }
    for offset in 0..<bytes.count where self[range.lowerBound &+ offset] != bytes[offset] { return false }
    return true
  }

  /// True if a range holds a word in any case; the word is written in small letters and digits.
  @inline(__always)
  func equalsLowercased(_ word: StaticString, _ range: Range<Int>) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    for offset in 0..<range.count {
      let byte = self[range.lowerBound &+ offset]
      let isCapital = byte &- UInt8(ascii: "A") < 26
      if (isCapital ? byte | 0x20 : byte) != word.utf8Start[offset] { return false }
    }
    return true
  }

  /// A range without the spaces and tabs at its ends.
  @inline(__always)
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isSpace(start) { start &+= 1 }
    while start < end, isSpace(end &- 1) { end &-= 1 }
    return start..<end
  }

  @inline(__always)
  private func isSpace(_ index: Int) -> Bool { self[index] == UInt8(ascii: " ") || self[index] == UInt8(ascii: "\t") }

  /// True if a part of other bytes is at a place; it must fit before the end.
  @inline(__always)
  func equals(_ other: ContiguousArray<UInt8>, _ part: Range<Int>, at place: Int) -> Bool {
    precondition(place >= 0 && part.count <= count &- place, "a range outside of the bytes")
    return other.withUnsafeBytes { other in
      precondition(part.upperBound <= other.count, "a part outside of the bytes")
      guard let first = other.baseAddress else { return true }
      var (own, offset) = (place, part.lowerBound)
      while offset &+ 8 <= part.upperBound {
        let word = base.loadUnaligned(fromByteOffset: own, as: UInt64.self)
        if word != first.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
        offset &+= 8
        own &+= 8
      }
      while offset < part.upperBound {
        if base.load(fromByteOffset: own, as: UInt8.self) != first.load(fromByteOffset: offset, as: UInt8.self) {
          return false
        }
        offset &+= 1
        own &+= 1
      }
      return true
    }
  }

  /// True if a range is valid UTF-8.
  func isUTF8(_ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    let end = range.upperBound
    while index < end {
      if index <= end &- 8, word(index) & 0x8080_8080_8080_8080 == 0 {
        index &+= 8
        continue
      }
      let first = self[index]
      if first < 0x80 {
        index &+= 1
        continue
      }
      let length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
      guard length > 0, index <= end &- length else { return false }
      let second = self[index &+ 1]
      // What a second byte may be depends on the first: no longer forms than needed, no surrogates, nothing above U+10FFFF.
      let low: UInt8 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
      let high: UInt8 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
      guard second >= low, second <= high else { return false }
      for offset in 2..<max(2, length) where self[index &+ offset] & 0xC0 != 0x80 { return false }
      index &+= length
    }
    return true
  }
}

extension TextBytes {
  private static let lowBits: UInt64 = 0x7F7F_7F7F_7F7F_7F7F

  /// The byte in all places of a word.
  static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// The highest bit of each byte that is the repeated one.
  @inline(__always)
  static func matches(_ word: UInt64, _ repeated: UInt64) -> UInt64 {
    let difference = word ^ repeated
    return ~((difference & lowBits &+ lowBits) | difference | lowBits)
  }

  /// True if any byte is one of the repeated ones.
  func hasAny(of repeated: [UInt64]) -> Bool { hasAny { word in repeated.contains { Self.matches(word, $0) != 0 } } }

  private static let quotes = repeated(UInt8(ascii: "\""))
  private static let backslashes = repeated(UInt8(ascii: "\\"))
  private static let deletes = repeated(0x7F)
  /// The first byte of the control characters after ASCII.
  private static let leads = repeated(0xC2)

  /// True if a string of JSON may need escapes for these bytes.
  var mayNeedEscapes: Bool {
    hasAny { word in
      let controls = (word &- Self.repeated(0x20)) & ~word & Self.repeated(0x80)
      return controls | Self.matches(word, Self.quotes) | Self.matches(word, Self.backslashes)
        | Self.matches(word, Self.deletes) | Self.matches(word, Self.leads) != 0
    }
  }

  /// True if a test holds for any word; the last one is filled with a letter.
  @inline(__always)
  private func hasAny(_ test: (UInt64) -> Bool) -> Bool {
    var index = 0
    while index &+ 8 <= count {
      if test(word(index)) { return true }
      index &+= 8
    }
    guard index < count else { return false }
    var last = Self.repeated(UInt8(ascii: "a"))
    while index < count {
      last = last << 8 | UInt64(self[index])
      index &+= 1
    }
    return test(last)
  }
}
