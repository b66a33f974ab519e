import Foundation

/// Runs the main run loop, hence the main queue, until a condition holds.
///
/// - Throws: `BenchmarkError` when it does not hold within ten seconds.
func waitOnMainRunLoop(_ peer: String, until condition: () -> Bool) throws {
  let deadline = Date(timeIntervalSinceNow: 10)
  while !condition() {
    guard Date() < deadline else { throw BenchmarkError("\(peer): no notification within ten seconds") }
    _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
  }
}
