import Foundation

/// Looks for some bytes in many: sixteen places at a time are looked at, and compared where the first and the last byte fit.
struct ByteSearch: Hashable, Sendable {
  /// The bytes to look for.
  let needle: [UInt8]

  /// - Returns: Nil for no bytes, which would be everywhere.
  init?(_ needle: [UInt8]) {
    if needle.isEmpty { return nil }
    self.needle = needle
  }

  /// The first place from `start` on at which the bytes are; nil when there is none. Linear but for places that nearly fit.
  func first(in text: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
    find(in: text, from: start, { $0 }, { $0 })
  }

  /// The same for bytes that were folded, in ASCII text of any case.
  func firstIgnoringCase(in text: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
    find(in: text, from: start, Self.folded, Self.folded)
  }

  /// A byte of ASCII in lower case.
  @inline(__always)
  static func folded(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  @inline(__always)
  private static func folded(_ bytes: SIMD16<UInt8>) -> SIMD16<UInt8> {
    bytes.replacing(with: bytes | 0x20, where: (bytes &- 0x41) .< 26)
  }

  @inline(__always)
  private func find(
    in text: UnsafeRawBufferPointer, from start: Int, _ fold: (UInt8) -> UInt8,
    _ foldAll: (SIMD16<UInt8>) -> SIMD16<UInt8>
  ) -> Int? {
    needle.withUnsafeBufferPointer { needle in
      let gap = needle.count &- 1
      let last = text.count &- needle.count
      guard let base = text.baseAddress, start <= last else { return nil }
      let (head, tail) = (SIMD16<UInt8>(repeating: needle[0]), SIMD16<UInt8>(repeating: needle[gap]))
      var place = start
      while place &+ 15 <= last {
        let heads = foldAll(base.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)) .== head
        let tails = foldAll(base.loadUnaligned(fromByteOffset: place &+ gap, as: SIMD16<UInt8>.self)) .== tail
        let words = unsafeBitCast(heads .& tails, to: SIMD2<UInt64>.self)
        if words[0] | words[1] != 0 {
          for half in 0..<2 {
            // Eight bits for each place.
            var marks = words[half]
            while marks != 0 {
              let lane = marks.trailingZeroBitCount &>> 3
              let found = place &+ half &* 8 &+ lane
              if Self.isInside(needle, base + found, fold) { return found }
              marks &= ~(0xFF &<< UInt64(lane &* 8))
            }
          }
        }
        place &+= 16
      }
      while place <= last {
        if fold(text[place]) == needle[0], fold(text[place &+ gap]) == needle[gap],
          Self.isInside(needle, base + place, fold)
        {
          return place
        }
        place &+= 1
      }
      return nil
    }
  }

  /// Returns true if what is between the first and the last byte is there.
  @inline(__always)
  private static func isInside(
    _ needle: UnsafeBufferPointer<UInt8>, _ text: UnsafeRawPointer, _ fold: (UInt8) -> UInt8
  ) -> Bool {
    var index = 1
    while index < needle.count &- 1 {
      if fold(text.load(fromByteOffset: index, as: UInt8.self)) != needle[index] { return false }
      index &+= 1
    }
    return true
  }
}
