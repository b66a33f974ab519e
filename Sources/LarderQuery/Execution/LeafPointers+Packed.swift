import LarderStorage

/// The layouts of a leaf whose whole payload kernels can read; any other leaf is read slot by slot.
extension LeafPointers {
  /// The bits of `flags` of leaves whose payload has a place for each slot, in order.
  private static let packedFlags: UInt8 = 63
  private static let integerCodec: UInt8 = 2
  private static let bytesCodec: UInt8 = 4

  /// The bytes of all strings or data of the leaf, one after the other; nil for leaves of another layout.
  var packedText: UnsafeRawBufferPointer? {
    guard codec == Self.bytesCodec, flags & ~Self.packedFlags == 0, width == 1 || width == 2 || width == 4 else {
      return nil
    }
    return extra.map { UnsafeRawBufferPointer(start: $0, count: Int(base)) }
  }

  /// True if the payload is an array of integers of `width` bytes: of differences from `base`, or of whole values at 8.
  var isPackedIntegers: Bool { codec == Self.integerCodec && flags & ~Self.packedFlags == 0 }

  /// The first eight bytes of a packed text, big-endian and filled up with zeros, between two entries of the offset table (`packedText`).
  @inline(__always)
  func textPrefix(from start: Int, to end: Int) -> UInt64 {
    let limit = Int(truncatingIfNeeded: base)
    let (start, end) = (min(start, limit), min(end, limit))
    guard end > start, let extra else { return 0 }
    let count = end &- start
    guard start &+ 8 <= limit else {
      return Self.textPrefix(UnsafeRawBufferPointer(start: extra + start, count: count))
    }
    let word = UInt64(bigEndian: (extra + start).loadUnaligned(as: UInt64.self))
    return count >= 8 ? word : word & ~(.max &>> UInt64(count &<< 3))
  }

  /// The first eight bytes of a text, big-endian and filled up with zeros.
  @inline(__always)
  static func textPrefix(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let base = bytes.baseAddress else { return 0 }
    if bytes.count >= 8 { return UInt64(bigEndian: base.loadUnaligned(as: UInt64.self)) }
    var word: UInt64 = 0
    for index in 0..<bytes.count { word = word &<< 8 | UInt64(base.load(fromByteOffset: index, as: UInt8.self)) }
    return bytes.count == 0 ? 0 : word &<< UInt64((8 &- bytes.count) &<< 3)
  }
}
