/// The packing of a leaf's payload. Raw values are part of the file format.
enum LeafCodec: UInt8, Sendable {
  /// One bit per slot: booleans and the presence bitmap of a cluster.
  case bits = 1
  /// `int` and `link`: a base and unsigned differences of 1, 2 or 4 bytes, whole values of 8, or none at all.
  case integers = 2
  /// Float, Double, ObjectId, UUID, Decimal128.
  case fixed = 3
  /// String, data and mixed values: a table of offsets and the bytes.
  case bytes = 4
  /// Seconds packed like integers and, where needed, nanoseconds.
  case dates = 5
  /// String and data of few different values: a code per slot and the values once.
  case dictionary = 6
}

/// Bits of a leaf's flag byte.
enum LeafFlag {
  package static let nulls: UInt8 = 1
  package static let range: UInt8 = 2
  package static let linear: UInt8 = 4
  package static let large: UInt8 = 8
  package static let nanoseconds: UInt8 = 16
  /// Some value is not a number: the header's range says nothing about it.
  package static let notANumber: UInt8 = 32
  /// The leaf is a `SparseLeaf`; never in one that is read.
  static let sparse: UInt8 = 64
  static let all: UInt8 = 63
}

/// Byte positions and sizes of the leaf format. All numbers are little-endian.
///
/// Header:
/// - 0 checksum u64 over the bytes from 8 to the end, with the leaf's key mixed in
/// - 8 codec u8, 9 width u8, 10 flags u8, 11 column type u8 (0 = presence bits)
/// - 12 number of slots u16, 14 number of null slots u16
/// - 16 base i64: the smallest integer or second; the bits of the smallest double or float as a double; for bytes, how many
/// - 24 maximum i64: the largest, in the same form
///
/// Then, each padded with zeros to a multiple of 8:
/// - if flagged, the null bitmap; if flagged, the bitmap of large slots: one bit a slot, slot 0 lowest
/// - the payload:
///   - bits: one bit a slot
///   - integers: a difference from the base each, unsigned, of 1, 2 or 4 bytes; of width 8 the value itself; of width 0
///     nothing (all are the base) or, if flagged as linear, first i64 and step i64 (value = first + step * slot)
///   - fixed: float and double as IEEE bits; UUID and ObjectId in the order they are written; decimal128 low word, high word
///   - dates: the seconds like integers (never linear), padded; if flagged, then nanoseconds u32 each
///   - bytes: a table of one offset more than slots, counted from its own end, of width 2 or 4, or of width 1 in groups of
///     eight: the first as u16 and the distance from it of each of the eight as u8; then the bytes
///   - dictionary: a code of `width` bits (1, 2, 4 or 8) per slot, slot 0 lowest, padded; then offsets u16 of the different values
///     and their end, counted from the end of the table; then their bytes. The maximum says how many there are
///
/// A value too long for a leaf lives elsewhere: its slot is marked in the bitmap of large slots and its bytes are a stub of
/// length u32 and low half of the value's `Checksum64` u32. Slots without an object hold whatever is cheapest, and are null
/// where a null bitmap is stored.
enum LeafFormat {
  static let headerSize = 32
  /// Bytes of strings or data beyond which a leaf lets its longest values go: sixteen pages. Much lower, and columns of
  /// a hundred bytes a value would live outside of their leaves; much higher, and changing one value writes too much.
  package static let softLimit = 16 * 4_096 - 16 - 512

  static let maximumCount = 65_535
  static let stubSize = 8
  /// Strings and data longer than this never stay in a leaf.
  static let maximumInlineLength = 1_024
  /// Values up to this length are never moved out of a leaf.
  static let minimumEvictedLength = 64

  @inline(__always) static func padded(_ size: Int) -> Int { (size + 7) & ~7 }
  @inline(__always) static func bitmapSize(_ count: Int) -> Int { Bitmap.wordCount(count) << 3 }

  /// Size of the table of `count + 1` offsets. Width 1 packs eight of them into ten bytes: the first as u16, then all eight
  /// as one-byte distances from it.
  @inline(__always)
  static func offsetTableSize(_ count: Int, width: Int) -> Int {
    width == 1 ? ((count + 8) >> 3) * 10 : (count + 1) * width
  }
}

extension ColumnType {
  /// Codec of a scalar or collection leaf of this type.
  var codec: LeafCodec {
    switch self {
    case .bool: .bits
    case .int, .link: .integers
    case .float, .double, .uuid, .objectId, .decimal128: .fixed
    case .string, .data, .mixed: .bytes
    case .date: .dates
    }
  }

  /// Bytes per slot of a decoded column; zero for bits.
  var stride: Int {
    switch self {
    case .bool: 0
    case .float: 4
    case .objectId: 12
    case .uuid, .decimal128: 16
    case .int, .link, .double, .string, .data, .mixed, .date: 8
    }
  }
}
