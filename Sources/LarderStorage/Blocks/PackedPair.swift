import Foundation

/// The way in which the values of a pair tree are compared and packed.
package enum PairCodec: Hashable, Sendable {
  /// 64-bit words whose unsigned order is the value order.
  case integer
  /// Byte strings of at most `PairLimits.valueBytes` bytes, in byte order.
  case bytes
}

/// One (value, object key) pair while it is sorted and merged.
///
/// An integer value is `word`. Of a byte string, `word` holds the first eight bytes, big-endian and zero padded, so
/// that most comparisons end there; the whole string is at `offset` in the arena that goes with the pairs.
struct PackedPair {
  var word: UInt64
  var key: UInt64
  var offset: UInt32 = 0
  var length: UInt16 = 0
  /// The number of copies of the pair that are added (above 0) or removed (below 0); unused in decoded blocks.
  var delta: Int16 = 1

  /// The first eight bytes of a byte string as a word that compares like them.
  @inline(__always)
  static func word(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
    var word: UInt64 = 0
    for (position, byte) in bytes.enumerated() { word |= UInt64(byte) << UInt64(56 - 8 * position) }
    return word
  }
}

/// Compares two byte strings by their bytes: below 0, 0 or above 0.
@inline(__always)
func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  let shared = min(left.count, right.count)
  if shared > 0, let first = left.baseAddress, let second = right.baseAddress {
    let order = memcmp(first, second, shared)
    if order != 0 { return Int(order) }
  }
  return left.count - right.count
}

/// The order of pairs: by value, then by object key.
struct PairOrder {
  /// The byte strings of all compared pairs; unused by integers.
  let arena: UnsafeRawBufferPointer

  @inline(__always)
  func bytes(_ pair: PackedPair) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: arena[Int(pair.offset)..<(Int(pair.offset) + Int(pair.length))])
  }

  @inline(__always)
  func compareValues(_ left: PackedPair, _ right: PackedPair) -> Int {
    if left.word != right.word { return left.word < right.word ? -1 : 1 }
    if left.length <= 8 && right.length <= 8 { return Int(left.length) - Int(right.length) }
    return compareBytes(bytes(left), bytes(right))
  }

  @inline(__always)
  func compare(_ left: PackedPair, _ right: PackedPair) -> Int {
    let order = compareValues(left, right)
    if order != 0 { return order }
    return left.key == right.key ? 0 : (left.key < right.key ? -1 : 1)
  }
}
