import DequeModule

/// Messages between a connection and the one task that receives them. A value without sockets.
struct MessageQueue<Waiter> {
  private var messages: Deque<[UInt8]> = []
  private var bytes = 0
  private var waiter: Waiter?
  private var isEnded = false
  /// Reading goes on while fewer bytes wait.
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  /// True if more should be read from the network.
  var wantsMore: Bool { !isEnded && bytes < capacity }

  /// The answer to a task that asks for a message.
  enum Answer {
    case message([UInt8])
    case ended
    case waits
    /// Another one waits already.
    case busy
  }

  /// Takes a message from the network. Returns the waiter that is to have it.
  mutating func append(_ message: [UInt8]) -> Waiter? {
    guard !isEnded else { return nil }
    if let waiter {
      self.waiter = nil
      return waiter
    }
    messages.append(message)
    bytes += message.count
    return nil
  }

  /// The next message for someone who waits otherwise.
  mutating func next(_ waiter: Waiter) -> Answer {
    if let message = messages.popFirst() {
      bytes -= message.count
      return .message(message)
    }
    if isEnded { return .ended }
    guard self.waiter == nil else { return .busy }
    self.waiter = waiter
    return .waits
  }

  /// Notes that nothing more comes. Returns the waiter, if there is one.
  mutating func end() -> Waiter? {
    isEnded = true
    defer { waiter = nil }
    return waiter
  }
}
