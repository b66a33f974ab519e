/// Collects bytes as they arrive, and gives out frames once they are whole.
public struct FrameBuffer: Sendable {
  private var bytes: [UInt8] = []
  private var start = 0
  private let limits: DecodingLimits

  /// A buffer for frames within limits. It holds at most one frame more than was appended last.
  public init(limits: DecodingLimits = .standard) {
    self.limits = limits
  }

  /// The number of bytes that wait for the rest of their frame.
  public var waiting: Int { bytes.count - start }

  /// Adds bytes that arrived.
  public mutating func append(_ arrived: some Collection<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes.append(contentsOf: arrived)
  }

  /// The next frame; nil until all of it has arrived. Throws as soon as a frame is known to be too large, or is not what it should be; nothing
  /// that follows can be understood then. Positions of errors count from the first byte that is not taken yet.
  public mutating func next(
    site: SiteID? = nil, compression: BodyCompression? = nil
  ) throws(SyncDecodingError) -> SyncFrame? {
    guard let length = try frameLength(), length <= waiting else { return nil }
    let end = start + length
    var reader = ByteReader(bytes, from: start, to: end, limits: limits)
    let frame: SyncFrame
    do { frame = try SyncFrame(from: &reader, site: site, compression: compression) } catch {
      throw SyncDecodingError(error.reason, at: error.position - start)
    }
    start = end
    return frame
  }

  /// The bytes of the next frame with its length; nil until that is known.
  private func frameLength() throws(SyncDecodingError) -> Int? {
    // The length of the largest number that is allowed is known after ten bytes.
    let head = bytes[start..<min(start + 10, bytes.count)]
    guard head.count == 10 || head.contains(where: { $0 < 0x80 }) else { return nil }
    var reader = ByteReader(Array(head), limits: limits)
    let length = try reader.varint()
    guard length <= UInt64(limits.frameBytes) else {
      throw SyncDecodingError(.overLimit("bytes of a frame", limits.frameBytes), at: 0)
    }
    return reader.position + Int(length)
  }
}
