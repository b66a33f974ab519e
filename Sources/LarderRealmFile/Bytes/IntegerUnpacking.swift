/// Packed integers as arrays.
enum IntegerUnpacking {
  /// Bytes that so many integers take.
  static func size(width: Int, count: Int) -> Int { (count * width + 7) / 8 }

  static func signed(_ bytes: [UInt8], width: Int, count: Int) -> [Int64] {
    guard bytes.count >= size(width: width, count: count) else { return [] }
    switch width {
    case 0: return [Int64](repeating: 0, count: count)
    case 8: return bytes.prefix(count).map { Int64(Int8(bitPattern: $0)) }
    case 16: return whole(bytes, count) { (word: Int16) in Int64(Int16(littleEndian: word)) }
    case 32: return whole(bytes, count) { (word: Int32) in Int64(Int32(littleEndian: word)) }
    case 64: return whole(bytes, count) { (word: Int64) in Int64(littleEndian: word) }
    default: return parts(bytes, width, count) { Int64($0) }
    }
  }

  static func unsigned(_ bytes: [UInt8], width: Int, count: Int) -> [UInt64] {
    guard bytes.count >= size(width: width, count: count) else { return [] }
    switch width {
    case 0: return [UInt64](repeating: 0, count: count)
    case 8: return bytes.prefix(count).map { UInt64($0) }
    case 16: return whole(bytes, count) { (word: UInt16) in UInt64(UInt16(littleEndian: word)) }
    case 32: return whole(bytes, count) { (word: UInt32) in UInt64(UInt32(littleEndian: word)) }
    case 64: return whole(bytes, count) { (word: UInt64) in UInt64(littleEndian: word) }
    default: return parts(bytes, width, count) { UInt64($0) }
    }
  }

  /// Integers of whole bytes. There must be as many bytes as they take.
  private static func whole<Word: FixedWidthInteger & BitwiseCopyable, Result>(
    _ bytes: [UInt8], _ count: Int, _ convert: (Word) -> Result
  ) -> [Result] {
    bytes.withUnsafeBytes { raw in
      [Result](unsafeUninitializedCapacity: count) { buffer, done in
        while done < count {
          buffer.initializeElement(
            at: done, to: convert(raw.loadUnaligned(fromByteOffset: done * MemoryLayout<Word>.size, as: Word.self)))
          done += 1
        }
      }
    }
  }

  /// Integers of 1, 2 or 4 bits, of which those in the low bits of a byte come first.
  private static func parts<Result>(_ bytes: [UInt8], _ width: Int, _ count: Int, _ convert: (UInt8) -> Result)
    -> [Result]
  {
    let mask = UInt8(1) << UInt8(width) &- 1
    return (0..<count).map { index in
      let bit = index * width
      return convert(bytes[bit >> 3] >> UInt8(bit & 7) & mask)
    }
  }
}
