import Foundation
import LarderLocks

/// A file beside a data file that one of all processes holds at a time, until it lets go of it or ends, however it ends.
package final class HolderFile: Sendable {
  private final class Held: Sendable {
    let descriptor: OwnedDescriptor
    init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }
  }

  private let path: String
  private let dataPath: String
  private let held = Lock<Held?>(nil)

  /// - Parameter suffix: What the file's name has after that of the data file.
  package init(beside dataPath: String, suffix: String) {
    self.dataPath = dataPath
    path = dataPath + suffix
  }

  package var isHeld: Bool { held.withLock { $0 != nil } }

  /// Takes it unless another has it, of this process or of another one; returns at once.
  ///
  /// - Returns: Whether it is held now. True as well when this value held it already.
  /// - Throws: What the system says for a file that cannot be made or locked.
  package func take() throws -> Bool {
    try held.withLock { held in
      while held == nil {
        let descriptor = try OwnedDescriptor(path: path, flags: O_RDWR | O_CREAT, mode: 0o600)
        guard try Self.lock(descriptor) else { return false }
        // Another may have deleted it between opening and locking: then the lock means nothing.
        guard try isThere(descriptor) else { continue }
        try note(descriptor)
        held = Held(descriptor)
      }
      return true
    }
  }

  private static func lock(_ descriptor: borrowing OwnedDescriptor) throws -> Bool {
    while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      if code == EWOULDBLOCK { return false }
      if code != EINTR { throw LMDBError(.init(rawValue: code), "flock", detail: descriptor.path) }
    }
    return true
  }

  private func isThere(_ descriptor: borrowing OwnedDescriptor) throws -> Bool {
    let own = try descriptor.status()
    var found = stat()
    return lstat(path, &found) == 0 && found.st_ino == own.st_ino && found.st_dev == own.st_dev
  }

  /// Writes who holds it, for messages, and lets those hold it who may write the data.
  private func note(_ descriptor: borrowing OwnedDescriptor) throws {
    var data = stat()
    if stat(dataPath, &data) == 0 { _ = fchmod(descriptor.number, data.st_mode & 0o666 | 0o600) }
    try posix("ftruncate", path) { ftruncate(descriptor.number, 0) }
    let text = Array("\(getpid())\n".utf8)
    _ = text.withUnsafeBytes { pwrite(descriptor.number, $0.baseAddress, $0.count, 0) }
  }

  /// Lets another take it; harmless when it is not held.
  package func release() { held.withLock { $0 = nil } }

  /// The process that took it last, which need not be there any more; nil when none has yet.
  package var lastHolder: Int32? {
    guard let descriptor = try? OwnedDescriptor(path: path, flags: O_RDONLY),
      let bytes = try? descriptor.read(at: 0, count: 32)
    else { return nil }
    return String(bytes: bytes, encoding: .utf8).flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }
}
