import Synchronization

/// Cancels long work: the waiting side calls `stop`; the work calls `check` at its steps, which throws `Stopped`.
///
/// Work that is about to do something for good calls `finish()` before: from then on it cannot be stopped, and whether it was stopped or done is
/// never in doubt. May be used from any thread.
package final class Interruption: Sendable {
  /// The work was stopped; nothing of it was kept.
  package struct Stopped: Error, Hashable, CustomStringConvertible {
    package init() {}

    package var description: String { "The work was stopped, since it took too long." }
  }

  private enum Phase {
    static let running: UInt8 = 0
    static let stopped: UInt8 = 1
    static let finishing: UInt8 = 2
  }

  /// The interruption that may end the work that runs now; nil for work that nothing ends.
  @TaskLocal package static var current: Interruption?

  private let phase = Atomic(Phase.running)

  package init() {}

  /// Ends the work at its next step. False when it is being finished: it will be done soon, and is to be waited for.
  @discardableResult
  package func stop() -> Bool {
    let (exchanged, before) = phase.compareExchange(
      expected: Phase.running, desired: Phase.stopped, ordering: .sequentiallyConsistent)
    return exchanged || before == Phase.stopped
  }

  /// A step of the work.
  ///
  /// - Throws: `Stopped`.
  @inline(__always)
  package func check() throws {
    if phase.load(ordering: .relaxed) == Phase.stopped { throw Stopped() }
  }

  /// To be called before what cannot be taken back.
  ///
  /// - Throws: `Stopped` when it was stopped before.
  package func finish() throws {
    let (exchanged, before) = phase.compareExchange(
      expected: Phase.running, desired: Phase.finishing, ordering: .sequentiallyConsistent)
    guard exchanged || before == Phase.finishing else { throw Stopped() }
  }
}
