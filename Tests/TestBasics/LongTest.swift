import Dispatch

/// Runs part of a test that takes long without suspending, one after the other, on a thread of their own: the few threads that tasks
/// share are left to tests that wait for tasks.
package enum LongTest {
  private static let queue = DispatchQueue(label: "long tests")

  /// Carries what the one caller hands over and waits for.
  private struct Carried<Value>: @unchecked Sendable {
    // Unchecked: used by the queue alone, while its caller waits.
    let value: Value
  }

  package static func run(_ body: @escaping () throws -> Void) async throws {
    let carried = Carried(value: body)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      queue.async { continuation.resume(with: Result { try carried.value() }) }
    }
  }
}
