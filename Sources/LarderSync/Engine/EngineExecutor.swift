import Dispatch

/// Runs an engine on a queue of its own: transactions wait for the store's lock, which the threads of Swift's tasks must not.
final class EngineExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "larder.sync")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
