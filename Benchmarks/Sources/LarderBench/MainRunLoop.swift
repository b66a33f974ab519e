import Foundation

/// Runs the main run loop, hence the main queue, until a condition holds.
///
/// - Throws: `BenchmarkError` when it does not hold within that time.
func waitOnMainRunLoop(_ peer: String, seconds: Double = 10, until condition: () -> Bool) throws {
  let deadline = Date(timeIntervalSinceNow: seconds)
  while !condition() {
    guard Date() < deadline else { throw BenchmarkError("\(peer): no notification within \(Int(seconds)) seconds") }
    _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
  }
}
