import Foundation
import LarderLocks

/// The recorded file: in memory, or in a journal where several processes write it. Nothing is recorded before `start`.
enum DiskRecorder {
  private struct State {
    var log = DiskLog()
    var isOn = false
    var journal: DiskJournal?
    var flushes = 0
    /// Flushes that failed, and how many of them were reported to each descriptor.
    var failures = 0
    var reported: [Int32: Int] = [:]

    mutating func note(_ event: DiskLog.Event) {
      guard isOn else { return }
      if let journal { journal.append(event) } else { log.events.append(event) }
    }
  }

  private static let state = Lock(State())

  static func start(_ journal: DiskJournal? = nil) { state.withLock { $0 = State(isOn: true, journal: journal) } }
  static func stop() -> DiskLog {
    state.withLock {
      $0.isOn = false
      return $0.log
    }
  }

  static func note(_ event: DiskLog.Event) { exclusively { $0.note(event) } }

  /// Runs `body` while no one else, of whatever process, does or notes anything.
  private static func exclusively<R: Sendable>(_ body: (inout State) -> R) -> R {
    state.withLock { state in
      let journal = state.isOn ? state.journal : nil
      journal?.lock()
      defer { journal?.unlock() }
      if let journal { state.failures = journal.failures }
      return body(&state)
    }
  }

  /// Writes and notes it as one step, so that the log has the order of the writes.
  static func write(_ file: Int32, at offset: Int, _ bytes: @autoclosure () -> [UInt8], _ body: () -> Int) -> Int {
    exclusively { state in
      let result = body()
      guard state.isOn, result > 0 else { return result }
      state.note(.write(offset: offset, bytes: bytes(), isDurable: fcntl(file, F_GETFL) & O_DSYNC != 0))
      return result
    }
  }

  /// Flushes by a descriptor, or fails as the system does: what was given up is reported to each descriptor once.
  static func flush(_ file: Int32, fails: Bool, _ body: () -> Int32) -> Int32 {
    let (number, isReported) = exclusively { state in
      guard state.isOn else { return (0, fails) }
      state.flushes += 1
      // Different in each process.
      let number = Int(getpid()) << 20 + state.flushes
      state.note(.flushBegan(number))
      let isReported = !fails && state.reported[file, default: 0] < state.failures
      if fails {
        state.failures += 1
        state.journal?.addFailure()
      }
      state.reported[file] = state.failures
      return (number, fails || isReported)
    }
    var result = isReported ? -1 : body()
    // Slow enough for flushes to be shared, whatever the disk.
    if number > 0 { usleep(300) }
    exclusively { state in
      guard state.isOn else { return }
      if fails { return state.note(.flushFailed(number)) }
      // What failed while it ran is reported at its end.
      if state.reported[file, default: 0] < state.failures { result = -1 }
      state.reported[file] = state.failures
      if result == 0 { state.note(.flushEnded(number)) }
    }
    if result != 0 { errno = EIO }
    return result
  }
}
