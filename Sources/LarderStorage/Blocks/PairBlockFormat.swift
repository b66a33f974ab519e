/// Layout of an encoded block of pairs; `docs/file-format.md` has it as a table.
///
/// A header of six little-endian words, then the distinct values (integers relative to the first, or the ends of byte
/// strings), the ends of their runs, the object keys relative to the smallest, and the bytes of strings, each part
/// padded to 8.
enum PairBlockFormat {
  static let headerSize = 48
  /// Most pairs of a block in which they differ: the ends of runs have sixteen bits.
  static let mostPairs = Int(UInt16.max)

  // Offsets in the header.
  static let checksum = 0
  static let count = 8
  static let runs = 12
  static let kind = 14
  static let flags = 15
  static let first = 16
  static let last = 24
  static let keyBase = 32
  /// Signed difference of successive keys of a linear block; shares its bytes with the next four fields.
  static let keyStep = 40
  static let valueWidth = 40
  static let keyWidth = 41
  static let fixedLength = 42
  static let totalBytes = 44

  /// Kinds of block.
  static let packed: UInt8 = 1
  static let linear: UInt8 = 2
  static let strings: UInt8 = 3

  /// Flag: keys go up exactly as values do, and are not stored.
  static let keysFollowValues: UInt8 = 1
  /// Flag: some strings are cut.
  static let holdsCutValues: UInt8 = 2

  static let variableLength: UInt16 = .max

  @inline(__always)
  static func padded(_ size: Int) -> Int { (size + 7) & ~7 }

  /// Bytes that hold a difference: 0, 1, 2, 4 or 8.
  @inline(__always)
  static func width(_ range: UInt64) -> Int {
    switch range {
    case 0: 0
    case ...0xFF: 1
    case ...0xFFFF: 2
    case ...0xFFFF_FFFF: 4
    default: 8
    }
  }

  /// Damage shows in the checksum even when a block is found under another tree's prefix.
  static func checksum(_ block: UnsafeRawBufferPointer, prefix: UInt64) -> UInt64 {
    Checksum64.hash(UnsafeRawBufferPointer(rebasing: block[8...]), seed: prefix)
  }
}
