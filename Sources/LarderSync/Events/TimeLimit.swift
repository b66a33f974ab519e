import Foundation

/// A limit of time for something that waits.
enum TimeLimit {
  /// Runs `body` for at most so many seconds; nil, and nothing or less, are no limit.
  ///
  /// - Throws: What `body` throws; `ETIMEDOUT` of POSIX when the time is over, and `body` is cancelled then.
  static func run(_ seconds: TimeInterval?, _ body: @escaping @Sendable () async throws -> Void) async throws {
    guard let seconds, seconds > 0, seconds < 1e9 else { return try await body() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: .seconds(seconds))
        throw timedOut(seconds)
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private static func timedOut(_ seconds: TimeInterval) -> NSError {
    NSError(
      domain: NSPOSIXErrorDomain, code: Int(POSIXErrorCode.ETIMEDOUT.rawValue),
      userInfo: [NSLocalizedDescriptionKey: "Synchronisation took longer than \(seconds) s. It goes on."])
  }
}
