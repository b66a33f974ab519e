/// Puts messages together from the frames of a WebSocket. A value without sockets.
struct MessageAssembly {
  /// What a frame is, as far as it matters here.
  enum Frame {
    case binary([UInt8], isLast: Bool)
    case continuation([UInt8], isLast: Bool)
    case text
  }

  enum Failure: Error, Equatable {
    /// A message that is not binary.
    case text
    /// A frame at the wrong time.
    case order
    /// More bytes than allowed.
    case tooLarge(Int)
  }

  private let limit: Int
  private var parts: [UInt8]?

  /// - Parameter limit: The bytes of a message.
  init(limit: Int) { self.limit = limit }

  /// Takes a frame; the message that it ends, if it does.
  mutating func take(_ frame: Frame) throws(Failure) -> [UInt8]? {
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
