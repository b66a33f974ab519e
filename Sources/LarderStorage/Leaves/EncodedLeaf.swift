/// A leaf ready to be stored.
struct EncodedLeaf: Sendable {
  /// The whole leaf with its checksum; the length is a multiple of eight.
  package var bytes: [UInt8]
  /// Values that did not fit and must be stored outside of the leaf under the same key and slot. Their slots are marked as
  /// large in the leaf and in the buffer.
  package var evicted: [(slot: Int, bytes: [UInt8])] = []

  /// The presence bitmap of a cluster as a leaf.
  package static func presence(_ bitmap: Bitmap, key: UInt64) -> [UInt8] {
    precondition(bitmap.count <= LeafFormat.maximumCount, "a leaf has at most 65,535 slots")
    var writer = LeafWriter(codec: .bits, type: 0, count: bitmap.count)
    return writer.write(payload: bitmap.words.count << 3, key: key) { target in
      bitmap.words.withUnsafeBytes { source in
        if let words = source.baseAddress { target.copyMemory(from: words, byteCount: source.count) }
      }
    }
  }
}

/// Header of a leaf under construction, and the one place that lays the pieces out.
struct LeafWriter {
  var codec: LeafCodec
  let type: UInt8
  let count: Int
  var width = 0
  var flags: UInt8 = 0
  var nullCount = 0
  var base: Int64 = 0
  var maximum: Int64 = 0
  /// Bitmaps of `Bitmap.wordCount(count)` words, if any.
  var nulls: UnsafePointer<UInt64>?
  var large: UnsafePointer<UInt64>?
  /// The sink that receives the leaf instead of an array of its own.
  var sink: LeafSink?

  init(codec: LeafCodec, type: UInt8, count: Int) {
    self.codec = codec
    self.type = type
    self.count = count
  }

  /// Makes the leaf; `body` gets the payload and fills it. What went to a sink is not returned.
  @inline(__always)
  mutating func write(payload size: Int, key: UInt64, _ body: (UnsafeMutableRawPointer) -> Void) -> [UInt8] {
    if nulls != nil { flags |= LeafFlag.nulls }
    if large != nil { flags |= LeafFlag.large }
    let bitmapSize = LeafFormat.bitmapSize(count)
    let start = LeafFormat.headerSize + (nulls == nil ? 0 : bitmapSize) + (large == nil ? 0 : bitmapSize)
    let length = start + LeafFormat.padded(size)
    if let sink {
      sink.add(length) { fill($0, payload: start, length: length, key: key, body) }
      return []
    }
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, initialized in
      initialized = length
      guard let leaf = buffer.baseAddress.map({ UnsafeMutableRawPointer($0) }) else { return }
      fill(leaf, payload: start, length: length, key: key, body)
    }
  }

  private func fill(
    _ leaf: UnsafeMutableRawPointer, payload start: Int, length: Int, key: UInt64,
    _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    writeHeader(leaf)
    let bitmapSize = LeafFormat.bitmapSize(count)
    var next = leaf + LeafFormat.headerSize
    if let nulls {
      next.copyMemory(from: nulls, byteCount: bitmapSize)
      next += bitmapSize
    }
    if let large {
      next.copyMemory(from: large, byteCount: bitmapSize)
      next += bitmapSize
    }
    // Only the padding need be zeroed: the body fills the rest.
    if length > start { (leaf + length - 8).storeBytes(of: 0, as: UInt64.self) }
    body(next)
    let rest = UnsafeRawBufferPointer(start: leaf + 8, count: length - 8)
    leaf.storeBytes(of: Checksum64.hash(rest, seed: key), as: UInt64.self)
  }

  private func writeHeader(_ leaf: UnsafeMutableRawPointer) {
    leaf.storeBytes(of: codec.rawValue, toByteOffset: 8, as: UInt8.self)
    leaf.storeBytes(of: UInt8(width), toByteOffset: 9, as: UInt8.self)
    leaf.storeBytes(of: flags, toByteOffset: 10, as: UInt8.self)
    leaf.storeBytes(of: type, toByteOffset: 11, as: UInt8.self)
    leaf.storeBytes(of: UInt16(count), toByteOffset: 12, as: UInt16.self)
    leaf.storeBytes(of: UInt16(nullCount), toByteOffset: 14, as: UInt16.self)
    leaf.storeBytes(of: base, toByteOffset: 16, as: Int64.self)
    leaf.storeBytes(of: maximum, toByteOffset: 24, as: Int64.self)
  }
}
