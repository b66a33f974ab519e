import LarderLMDB

/// A leaf of a cluster in which few slots hold objects, as it is stored: the numbers of these slots, and their values without gaps.
///
/// Who reads it gets the leaf that it was made of, byte for byte (`expanded`); so nothing else knows of it. Its header is that leaf's,
/// with the flag `sparse`. Then:
/// - 32 number of values n u16, 34 form of the slots u8 (0 a list, 1 a bitmap), 35 width of the values u8, 36 zero u32
/// - the slots: n numbers u16, ascending, or a bitmap of all slots; padded
/// - the pieces of a leaf of n slots: null bitmap, bitmap of large slots, payload
struct SparseLeaf {
  /// Bytes before the slots.
  static let start = LeafFormat.headerSize + 8
  /// A cluster is stored so while at most one slot in so many holds an object.
  static let share = 8

  enum Form: UInt8 {
    case list = 0
    case bitmap = 1
  }

  let bytes: ByteView
  /// The slots that have a value, ascending.
  let slots: [UInt16]
  /// The places of the pieces of the values.
  let pieces: LeafLayout

  @inline(__always) var count: Int { Int(bytes.load(12, as: UInt16.self)) }
  @inline(__always) var flags: UInt8 { bytes.load(10) & ~LeafFlag.sparse }
  @inline(__always) var base: Int64 { bytes.load(16) }

  /// Returns true if bytes that begin with the header of a leaf say that they are a sparse one.
  @inline(__always)
  static func isSparse(_ bytes: ByteView) -> Bool {
    bytes.count >= start && bytes.load(10, as: UInt8.self) & LeafFlag.sparse != 0
  }

  /// Reads what is before the values. Throws `corrupted` when it contradicts itself or the length. O(values).
  init(_ bytes: ByteView) throws(StorageError) {
    try self.init(within: bytes)
    guard pieces.size == bytes.count else { throw LeafView.damaged("has the wrong length") }
  }

  /// The same of a leaf that other bytes may follow.
  init(within bytes: ByteView) throws(StorageError) {
    guard Self.isSparse(bytes) else { throw LeafView.damaged("is not a sparse one") }
    self.bytes = bytes
    let flags = bytes.load(10, as: UInt8.self) & ~LeafFlag.sparse
    guard flags & ~LeafFlag.all == 0, flags & LeafFlag.linear == 0 else { throw LeafView.damaged("has unknown flags") }
    let (values, count) = (Int(bytes.load(32, as: UInt16.self)), Int(bytes.load(12, as: UInt16.self)))
    guard let form = Form(rawValue: bytes.load(34)), values <= count else { throw LeafView.damaged("names no slots") }
    let size = Self.size(of: form, values: values, count: count)
    guard Self.start + size <= bytes.count else { throw LeafView.damaged("has the wrong length") }
    slots = try Self.slots(bytes.slice(Self.start, size), form, values: values, count: count)
    pieces = try LeafLayout(
      header: bytes, width: bytes.load(35), count: values, flags: flags, base: bytes.load(16),
      start: Self.start + size)
    guard pieces.codec != .dictionary, pieces.size <= bytes.count else {
      throw LeafView.damaged("has the wrong length")
    }
    if pieces.codec != .bytes, pieces.width != bytes.load(9, as: UInt8.self) {
      throw LeafView.damaged("has an unknown encoding")
    }
  }

  /// Bytes of the slots' numbers.
  static func size(of form: Form, values: Int, count: Int) -> Int {
    form == .list ? LeafFormat.padded(2 * values) : LeafFormat.bitmapSize(count)
  }

  private static func slots(
    _ bytes: ByteView, _ form: Form, values: Int, count: Int
  ) throws(StorageError) -> [UInt16] {
    var result: [UInt16] = []
    result.reserveCapacity(values)
    switch form {
    case .list:
      for index in 0..<values {
        let slot = bytes.load(2 * index, as: UInt16.self)
        guard slot < count, result.last.map({ $0 < slot }) ?? true else { throw LeafView.damaged("names wrong slots") }
        result.append(slot)
      }
    case .bitmap:
      for index in 0..<Bitmap.wordCount(count) {
        var word = bytes.load(index << 3, as: UInt64.self)
        while word != 0 {
          let slot = index << 6 + word.trailingZeroBitCount
          guard slot < count, result.count < values else { throw LeafView.damaged("names wrong slots") }
          result.append(UInt16(truncatingIfNeeded: slot))
          word &= word &- 1
        }
      }
    }
    guard result.count == values else { throw LeafView.damaged("names wrong slots") }
    return result
  }

  /// Bytes of a leaf that other bytes may follow; nil when they cannot begin one.
  static func size(within bytes: ByteView) -> Int? { try? SparseLeaf(within: bytes).pieces.size }
}
