import Dispatch

/// Runs the short tasks that hold a store on a queue of its own. A program that blocks all threads of Swift's tasks while it waits for a store to
/// close still gets it closed.
final class StoreTaskExecutor: TaskExecutor {
  static let shared = StoreTaskExecutor()

  private let queue = DispatchQueue(label: "larder.sync.tasks")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
