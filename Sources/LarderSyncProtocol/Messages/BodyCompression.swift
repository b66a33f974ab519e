/// The compression of the bodies of frames. This target has none of its own; both sides of the product use zlib's deflate.
public struct BodyCompression: Sendable {
  /// Bodies of fewer bytes are sent as they are.
  public let minimumBytes: Int
  /// Makes bytes shorter; nil when it cannot.
  public let compress: @Sendable (_ body: [UInt8]) -> [UInt8]?
  /// Makes so many bytes of what `compress` made; nil when it is nothing of the kind, or of another number of bytes. The number is within the limits
  /// of the session, and no more memory than that may be taken.
  public let expand: @Sendable (_ compressed: [UInt8], _ count: Int) -> [UInt8]?

  /// A compression.
  public init(
    minimumBytes: Int = 512, compress: @escaping @Sendable (_ body: [UInt8]) -> [UInt8]?,
    expand: @escaping @Sendable (_ compressed: [UInt8], _ count: Int) -> [UInt8]?
  ) {
    self.minimumBytes = minimumBytes
    self.compress = compress
    self.expand = expand
  }
}
