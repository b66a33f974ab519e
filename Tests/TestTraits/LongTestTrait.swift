import Dispatch
import Testing

/// The thread for tests that take long without suspending: they run there one after the other, and leave the few threads that tasks
/// share to tests that wait for tasks.
private final class LongTestThread: TaskExecutor {
  static let shared = LongTestThread()
  private let queue = DispatchQueue(label: "long tests")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Marks a test, or each test of a suite, that computes for seconds without suspending (`.long`).
package struct LongTestTrait: TestTrait, SuiteTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(LongTestThread.shared) { try await function() }
  }
}

extension Trait where Self == LongTestTrait {
  /// Runs the test on the thread of long tests.
  package static var long: Self { LongTestTrait() }
}
