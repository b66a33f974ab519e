/// Checksum of a log value with its version mixed in, so that a record found under another key is noticed.
enum LogChecksum {
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

  static func of(_ bytes: UnsafeRawBufferPointer, version: UInt64) -> UInt64 {
    var state = version &* multiplier ^ UInt64(bytes.count)
    var position = 0
    while position + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      state = mix(state ^ word)
      position += 8
    }
    var tail: UInt64 = 0
    while position < bytes.count {
      tail = tail << 8 | UInt64(bytes[position])
      position += 1
    }
    return mix(state ^ tail)
  }

  @inline(__always)
  private static func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: multiplier)
    // Adding a rotation keeps the step one-to-one enough that a zero state cannot absorb later words.
    return (product.high ^ product.low) &+ (value << 31 | value >> 33)
  }
}
