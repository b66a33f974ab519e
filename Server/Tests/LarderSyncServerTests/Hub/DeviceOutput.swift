import Synchronization

@testable import LarderSyncServer

/// A connection in memory, as the server writes to it.
final class DeviceOutput: SessionOutput {
  private struct State {
    var frames: [[UInt8]] = []
    var isClosed = false
    var isSlow = false
    var most = 0
  }

  private let state = Mutex(State())

  func send(_ frame: [UInt8]) {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.frames.append(frame)
      state.most = max(state.most, state.frames.reduce(0) { $0 + $1.count })
    }
  }

  /// A connection that is slow has written nothing of what was not taken.
  var unwrittenBytes: Int { state.withLock { $0.isSlow ? $0.frames.reduce(0) { $0 + $1.count } : 0 } }

  func close() { state.withLock { $0.isClosed = true } }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// The most bytes that waited at once.
  var mostBytes: Int { state.withLock { $0.most } }

  func setSlow(_ isSlow: Bool) { state.withLock { $0.isSlow = isSlow } }

  /// The frames that have come.
  func take() -> [[UInt8]] {
    state.withLock { state in
      defer { state.frames = [] }
      return state.frames
    }
  }
}
