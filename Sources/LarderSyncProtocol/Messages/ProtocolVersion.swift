/// A version of the protocol. Both sides speak one major version; of a newer minor version they use what both know.
public struct ProtocolVersion: Hashable, Sendable, Comparable {
  /// Rises when an old program cannot understand a new one.
  public let major: UInt32
  /// Rises when messages or fields are added that an old program may skip.
  public let minor: UInt32

  /// A version.
  public init(major: UInt32, minor: UInt32) {
    self.major = major
    self.minor = minor
  }

  /// The version that this target speaks.
  public static let current = ProtocolVersion(major: 1, minor: 0)

  public static func < (left: ProtocolVersion, right: ProtocolVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}

extension ProtocolVersion: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(UInt64(major))
    encoder.writer.varint(UInt64(minor))
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    let major = try decoder.reader.varint32()
    self.init(major: major, minor: try decoder.reader.varint32())
  }
}
