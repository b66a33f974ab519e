#if _endian(big)
  #error("Leaves are little-endian and are read in place: big-endian machines need a converting reader.")
#endif

/// A fast 64-bit hash that finds damage: of leaves, blocks and large values. Not a defence against forgery.
///
/// Sixteen bytes at a time are folded by a 64 x 64 -> 128 bit multiplication, in four independent lanes so that the
/// multiplier stays busy. The result is part of the file format.
package enum Checksum64 {
  @usableFromInline static let multipliers: (UInt64, UInt64, UInt64, UInt64) = (
    0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB, 0xD6E8_FEB8_6659_FD93
  )

  /// Hash of the bytes, with `seed` (a key, so that bytes found under another key are noticed) mixed in.
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    let (m0, m1, m2, m3) = multipliers
    let start = mix(seed ^ m0, UInt64(truncatingIfNeeded: bytes.count) ^ m1)
    guard var next = bytes.baseAddress else { return mix(start ^ m3, start ^ m1) }
    var remaining = bytes.count
    var a = start
    if remaining >= 64 {
      var b = start ^ m1
      var c = start ^ m2
      var d = start ^ m3
      while remaining >= 64 {
        a = mix(word(next, 0) ^ m0, word(next, 8) ^ a)
        b = mix(word(next, 16) ^ m1, word(next, 24) ^ b)
        c = mix(word(next, 32) ^ m2, word(next, 40) ^ c)
        d = mix(word(next, 48) ^ m3, word(next, 56) ^ d)
        next += 64
        remaining -= 64
      }
      a = mix(a ^ m1, b) ^ mix(c ^ m2, d)
    }
    while remaining >= 16 {
      a = mix(word(next, 0) ^ m1, word(next, 8) ^ a)
      next += 16
      remaining -= 16
    }
    if remaining > 0 {
      let (first, second) = tail(next, remaining)
      a = mix(first ^ m2, second ^ a)
    }
    return mix(a ^ m3, start ^ m1)
  }

  @inline(__always)
  private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  @inline(__always)
  private static func word(_ pointer: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    pointer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  /// One to fifteen bytes as two words, filled with zeros.
  @inline(__always)
  private static func tail(_ pointer: UnsafeRawPointer, _ count: Int) -> (UInt64, UInt64) {
    var first: UInt64 = 0
    var second: UInt64 = 0
    if count == 8 { return (word(pointer, 0), 0) }
    for index in 0..<min(count, 8) {
      first |= UInt64(pointer.load(fromByteOffset: index, as: UInt8.self)) << (8 * index)
    }
    if count > 8 {
      for index in 8..<count {
        second |= UInt64(pointer.load(fromByteOffset: index, as: UInt8.self)) << (8 * (index - 8))
      }
    }
    return (first, second)
  }
}
