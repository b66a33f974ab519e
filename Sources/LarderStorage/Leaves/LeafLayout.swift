import LarderLMDB

/// Where the pieces of a leaf are, worked out from its header and checked against its length.
struct LeafLayout {
  let codec: LeafCodec
  let width: UInt8
  let type: UInt8
  var nulls: Int?
  var large: Int?
  var payload: Int
  var extra: Int?

  /// Bytes of the whole leaf.
  private(set) var size = 0

  /// Throws `corrupted` when the header contradicts itself or the length.
  init(_ bytes: ByteView, count: Int, flags: UInt8, base: Int64) throws(StorageError) {
    try self.init(within: bytes, count: count, flags: flags, base: base)
    guard size == bytes.count else { throw LeafView.damaged("has the wrong length") }
  }

  /// The layout of a leaf that other bytes may follow. Throws `corrupted` when the header contradicts itself.
  init(within bytes: ByteView, count: Int, flags: UInt8, base: Int64) throws(StorageError) {
    let header = bytes.base
    type = header.load(fromByteOffset: 11, as: UInt8.self)
    width = header.load(fromByteOffset: 9, as: UInt8.self)
    guard let codec = LeafCodec(rawValue: header.load(fromByteOffset: 8, as: UInt8.self)),
      LeafLayout.codec(ofType: type) == codec, LeafLayout.isAllowed(width, codec, type: type)
    else { throw LeafView.damaged("has an unknown encoding") }
    self.codec = codec
    payload = LeafFormat.headerSize
    if flags & LeafFlag.nulls != 0 {
      nulls = payload
      payload += LeafFormat.bitmapSize(count)
    }
    if flags & LeafFlag.large != 0 {
      guard codec == .bytes else { throw LeafView.damaged("marks values as large that cannot be") }
      large = payload
      payload += LeafFormat.bitmapSize(count)
    }
    size = payload + LeafFormat.padded(try payloadSize(bytes, count: count, flags: flags, base: base))
    guard size <= bytes.count else { throw LeafView.damaged("has the wrong length") }
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
      guard base >= 0, base <= Int64(bytes.count) else { throw LeafView.damaged("has the wrong length") }
      let table = LeafFormat.offsetTableSize(count, width: width)
      extra = payload + table
      return table + Int(base)
    case .dates:
      let seconds = LeafFormat.padded(width * count)
      guard flags & LeafFlag.nanoseconds != 0 else { return seconds }
      extra = payload + seconds
      return seconds + 4 * count
    }
  }

  @inline(__always)
  private static func codec(ofType type: UInt8) -> LeafCodec? {
    type == 0 ? .bits : ColumnType(rawValue: type)?.codec
  }

  @inline(__always)
  private static func isAllowed(_ width: UInt8, _ codec: LeafCodec, type: UInt8) -> Bool {
    switch codec {
    case .bits: width == 0
    case .integers, .dates: width <= 2 || width == 4 || width == 8
    case .fixed: Int(width) == ColumnType(rawValue: type)?.stride
    case .bytes: width == 1 || width == 2 || width == 4
    }
  }
}
