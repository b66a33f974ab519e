import Foundation

/// Asks other processes to close a file that they keep open for no use at the moment.
///
/// Who keeps one hears of each opening of the file, and sees by a mark that it is such a request. Elsewhere than on Linux none hears of it.
enum ExclusiveRequest {
  private static let attempts = 20
  /// Microseconds between two attempts.
  private static let pause: UInt32 = 10_000

  /// Waits until `isFree`, for a fifth of a second at most. Whether it is free.
  static func wait(_ path: String, _ isFree: () -> Bool) -> Bool {
    guard let marked = try? OwnedDescriptor(path: path, flags: O_RDONLY) else { return false }
    let mark = WaitingMark(marked.number, .exclusiveUse)
    mark.set()
    defer { mark.clear() }
    for _ in 0..<attempts {
      // The opening is what they hear of, and what was in use before may be free to be closed by now.
      _ = try? OwnedDescriptor(path: path, flags: O_RDONLY)
      usleep(pause)
      if isFree() { return true }
    }
    return false
  }
}

/// Calls back when another process wants to use an environment's file alone.
package final class ExclusiveRequestWatch: Sendable {
  #if os(Linux)
    private let ticket: FileChangeHub.Ticket

    /// Nil where the system has no watch left.
    ///
    /// - Parameter onRequest: Called on a thread that must not wait for long, again and again while the other process waits.
    package init?(of environment: Environment, onRequest: @escaping @Sendable () -> Void) {
      let reference = environment.reference
      let observer = FileChangeHub.Observer {
        reference.object?.isWriting ?? false
      } foreignUse: {
        reference.object?.foreignUse ?? ForeignUse(hasReaders: false, commit: 0)
      } onChange: {
        if let environment = reference.object, environment.isWantedByAnother { onRequest() }
      }
      guard let ticket = FileChangeHub.shared.watch(environment.path, observer) else { return nil }
      self.ticket = ticket
    }

    deinit { FileChangeHub.shared.unwatch(ticket) }
  #else
    package init?(of environment: Environment, onRequest: @escaping @Sendable () -> Void) { return nil }
  #endif
}

extension Environment {
  /// True if another process waits until no program has the file open.
  fileprivate var isWantedByAnother: Bool { WaitingMark(of: handle, .exclusiveUse)?.isSetByAnother ?? false }
}
