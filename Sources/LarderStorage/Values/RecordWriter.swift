/// Builds a little record of little-endian integers, varints and strings, for the catalog.
struct RecordWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// So many numbers, in one go.
  mutating func append(words count: Int, _ word: (Int) -> UInt64) {
    let start = bytes.count
    bytes += [UInt8](repeating: 0, count: 8 * count)
    bytes.withUnsafeMutableBytes { target in
      for place in 0..<count {
        target.storeBytes(of: word(place).littleEndian, toByteOffset: start &+ 8 &* place, as: UInt64.self)
      }
    }
  }

  /// LEB128: seven bits a byte, low bits first.
  mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// A varint length and the UTF-8 bytes.
  mutating func append(string: String) {
    append(varint: UInt64(string.utf8.count))
    bytes.append(contentsOf: string.utf8)
  }

  /// The record padded with zeros to a multiple of eight, as every value of the tables is.
  func padded() -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
  }
}
