/// Puts messages together from the frames of a WebSocket. A value without sockets.
public struct MessageAssembly: Sendable {
  /// A frame, as far as it matters here.
  public enum Frame: Sendable {
    /// The first frame of a message, or the only one.
    case binary([UInt8], isLast: Bool)
    /// A later frame of a message.
    case continuation([UInt8], isLast: Bool)
    /// A frame of text.
    case text
  }

  /// The reason why a frame is not taken.
  public enum Failure: Error, Equatable {
    /// A message that is not binary.
    case text
    /// A frame at the wrong time.
    case order
    /// More bytes than allowed.
    case tooLarge(Int)
  }

  private let limit: Int
  private var parts: [UInt8]?

  /// An assembly that has nothing yet.
  ///
  /// - Parameter limit: The bytes of a message.
  public init(limit: Int) { self.limit = limit }

  /// Takes a frame; the message that it ends, if it does.
  ///
  /// - Throws: `Failure`, after which the connection should end.
  public mutating func take(_ frame: Frame) throws(Failure) -> [UInt8]? {
    switch frame {
    case .text: throw .text
    case .binary(let bytes, let isLast):
      guard parts == nil else { throw .order }
      guard bytes.count <= limit else { throw .tooLarge(bytes.count) }
      if isLast { return bytes }
      parts = bytes
    case .continuation(let bytes, let isLast):
      guard var message = parts else { throw .order }
      guard message.count + bytes.count <= limit else { throw .tooLarge(message.count + bytes.count) }
      parts = nil
      message += bytes
      if isLast { return message }
      parts = message
    }
    return nil
  }
}
