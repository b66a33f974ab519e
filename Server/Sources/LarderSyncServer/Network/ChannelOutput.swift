import NIOCore
import NIOWebSocket
import Synchronization

/// Writes the frames of a session to its connection.
///
/// Frames gather until the event loop gets to them and are flushed together, so that many small ones cost one call of the system.
final class ChannelOutput: SessionOutput {
  private struct State {
    var frames: [[UInt8]] = []
    var isClosed = false
    /// True if the event loop has yet to look.
    var isScheduled = false

    /// Notes that the event loop is to look, and returns true if it has to be asked to.
    mutating func schedule() -> Bool {
      defer { isScheduled = true }
      return !isScheduled
    }

    mutating func take() -> (frames: [[UInt8]], closes: Bool) {
      defer { frames = [] }
      isScheduled = false
      return (frames, isClosed)
    }
  }

  private let channel: any Channel
  private let metrics: ConnectionMetrics
  private let state = Mutex(State())
  private let unwritten = Atomic(0)

  init(_ channel: any Channel, metrics: ConnectionMetrics) {
    self.channel = channel
    self.metrics = metrics
  }

  var unwrittenBytes: Int { unwritten.load(ordering: .relaxed) }

  func send(_ frame: [UInt8]) {
    let schedules = state.withLock { state in
      guard !state.isClosed else { return false }
      unwritten.add(frame.count, ordering: .relaxed)
      state.frames.append(frame)
      return state.schedule()
    }
    if schedules { drain() }
  }

  func close() {
    let schedules = state.withLock { state in
      guard !state.isClosed else { return false }
      state.isClosed = true
      return state.schedule()
    }
    if schedules { drain() }
  }

  private func drain() {
    channel.eventLoop.execute {
      let (frames, closes) = self.state.withLock { $0.take() }
      for frame in frames { self.write(frame) }
      self.channel.flush()
      if closes { self.channel.triggerUserOutboundEvent(CloseRequest(code: .normalClosure), promise: nil) }
    }
  }

  private func write(_ bytes: [UInt8]) {
    let written = channel.eventLoop.makePromise(of: Void.self)
    written.futureResult.whenComplete { result in
      self.unwritten.subtract(bytes.count, ordering: .relaxed)
      if case .success = result { self.metrics.sentBytes.increment(by: bytes.count) }
    }
    channel.write(WebSocketFrame(fin: true, opcode: .binary, data: ByteBuffer(bytes: bytes)), promise: written)
  }
}

/// Asks a connection to end after what was written before.
struct CloseRequest: Sendable {
  let code: WebSocketErrorCode
}
