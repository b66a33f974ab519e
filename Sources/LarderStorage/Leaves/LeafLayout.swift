import LarderLMDB

/// The places of the pieces of a leaf, computed from its header and checked against its length.
struct LeafLayout {
  let codec: LeafCodec
  let width: UInt8
  let type: UInt8
  var nulls: Int?
  var large: Int?
  var payload: Int
  var extra: Int?
  /// Of a dictionary: where the codes are, and how many values it has.
  var codes: Int?
  var entries = 0

  /// Bytes of the whole leaf.
  private(set) var size = 0

  /// Throws `corrupted` when the header contradicts itself or the length.
  init(_ bytes: ByteView, count: Int, flags: UInt8, base: Int64) throws(StorageError) {
    try self.init(within: bytes, count: count, flags: flags, base: base)
    guard size == bytes.count else { throw LeafView.damaged("has the wrong length") }
  }

  /// The layout of a leaf that other bytes may follow. Throws `corrupted` when the header contradicts itself.
  init(within bytes: ByteView, count: Int, flags: UInt8, base: Int64) throws(StorageError) {
    try self.init(header: bytes, width: bytes.load(9), count: count, flags: flags, base: base)
    guard size <= bytes.count else { throw LeafView.damaged("has the wrong length") }
  }

  /// Computes the places of the pieces of a leaf with the header's codec and type; its bytes may be elsewhere.
  ///
  /// - Parameter start: The offset of its first piece.
  init(
    header: ByteView, width: UInt8, count: Int, flags: UInt8, base: Int64, start: Int = LeafFormat.headerSize
  ) throws(StorageError) {
    type = header.load(11)
    self.width = width
    guard let codec = LeafCodec(rawValue: header.load(8)), LeafLayout.isAllowed(codec, ofType: type),
      LeafLayout.isAllowed(width, codec, type: type)
    else { throw LeafView.damaged("has an unknown encoding") }
    self.codec = codec
    payload = start
    if flags & LeafFlag.nulls != 0 {
      nulls = payload
      payload += LeafFormat.bitmapSize(count)
    }
    if flags & LeafFlag.large != 0 {
      guard codec == .bytes else { throw LeafView.damaged("marks values as large that cannot be") }
      large = payload
      payload += LeafFormat.bitmapSize(count)
    }
    let rest = try payloadSize(header, count: count, flags: flags, base: base)
    size = payload + LeafFormat.padded(rest)
  }

  private mutating func payloadSize(
    _ bytes: ByteView, count: Int, flags: UInt8, base: Int64
  ) throws(StorageError) -> Int {
    let width = Int(self.width)
    if flags & LeafFlag.linear != 0 {
      guard codec == .integers, width == 0 else {
        throw LeafView.damaged("is a sequence of something else than integers")
      }
      return 16
    }
    switch codec {
    case .bits: return LeafFormat.bitmapSize(count)
    case .integers, .fixed: return width * count
    case .bytes:
      guard base >= 0, base <= Int64(UInt32.max) else { throw LeafView.damaged("has the wrong length") }
      let table = LeafFormat.offsetTableSize(count, width: width)
      extra = payload + table
      return table + Int(base)
    case .dictionary: return try dictionarySize(bytes, count: count, base: base)
    case .dates:
      let seconds = LeafFormat.padded(width * count)
      guard flags & LeafFlag.nanoseconds != 0 else { return seconds }
      extra = payload + seconds
      return seconds + 4 * count
    }
  }

  /// Bytes from the codes on; sets where the values are.
  private mutating func dictionarySize(_ bytes: ByteView, count: Int, base: Int64) throws(StorageError) -> Int {
    let entries = bytes.load(24, as: Int64.self)
    guard entries >= 1, entries <= 1 << Int64(width), base >= 0, base <= Int64(UInt16.max) else {
      throw LeafView.damaged("has a dictionary of the wrong size")
    }
    let size = LeafFormat.padded((count * Int(width) + 7) >> 3)
    let table = 2 * (Int(entries) + 1)
    codes = payload
    self.entries = Int(entries)
    payload += size
    extra = payload + table
    return table + Int(base)
  }

  @inline(__always)
  private static func isAllowed(_ codec: LeafCodec, ofType type: UInt8) -> Bool {
    guard type != 0 else { return codec == .bits }
    guard let known = ColumnType(rawValue: type) else { return false }
    return known.codec == codec || codec == .dictionary && (known == .string || known == .data)
  }

  @inline(__always)
  private static func isAllowed(_ width: UInt8, _ codec: LeafCodec, type: UInt8) -> Bool {
    switch codec {
    case .bits: width == 0
    case .integers, .dates: width <= 2 || width == 4 || width == 8
    case .fixed: Int(width) == ColumnType(rawValue: type)?.stride
    case .bytes: width == 1 || width == 2 || width == 4
    case .dictionary: width == 1 || width == 2 || width == 4 || width == 8
    }
  }
}
