import Foundation

/// Shows on a terminal that work of unknown length goes on; nothing anywhere else, and nothing for what is soon done.
enum Spinner {
  private static let delay = 1

  /// Calls `body`, meanwhile telling what is done and for how long.
  static func show<Result>(_ what: String, _ body: () throws -> Result) rethrows -> Result {
    guard ProgressLine.isShown else { return try body() }
    let queue = DispatchQueue(label: "larder.activity")
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let begin = DispatchTime.now()
    timer.schedule(deadline: begin + .seconds(delay), repeating: .seconds(1))
    timer.setEventHandler {
      let seconds = (DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1_000_000_000
      ProgressLine.draw("\(what)  \(seconds) s")
    }
    timer.resume()
    defer {
      timer.cancel()
      // After a line that is just being written.
      queue.sync { ProgressLine.erase() }
    }
    return try body()
  }
}
