import Foundation
import LarderLocks
import Synchronization

/// The state that says whether an environment may still be used: not after it died, and not in a child that was forked off the process that opened
/// it.
struct EnvironmentHealth: ~Copyable, Sendable {
  private let path: String
  /// The process that opened it, for messages.
  private let process = getpid()
  /// The number of forks at the opening, which is known without asking the system.
  private let forks = ForkCount.current
  private let death = Lock<LMDBError?>(nil)
  /// True if there is such an error; read without the lock.
  private let isDead = Atomic<Bool>(false)

  init(path: String) { self.path = path }

  /// False in a child that was forked off the process that opened it: what it holds is the parent's.
  var isOpeningProcess: Bool { forks == ForkCount.current }

  /// True if nothing has made the environment unusable.
  var isAlive: Bool { !isDead.load(ordering: .acquiring) }

  /// Makes every later begin throw `error`, unless another one did before.
  func condemn(_ error: LMDBError) {
    death.withLock { $0 = $0 ?? error }
    isDead.store(true, ordering: .releasing)
  }

  /// Throws `forked` in a child that was forked off the process that opened it.
  @inline(__always)
  func checkProcess(_ operation: @autoclosure () -> String) throws {
    if !isOpeningProcess { throw forked(operation()) }
  }

  @inline(never)
  private func forked(_ operation: String) -> LMDBError {
    LMDBError(.forked, operation, detail: "\(path) was opened by process \(process); exec before using it")
  }

  /// Throws `forked`, or the error that ended it.
  func check() throws {
    try checkProcess("begin")
    if !isAlive, let error = death.withLock({ $0 }) { throw error }
  }
}
