import Foundation
import LarderLocks
import LarderStorage

/// The files of one in-memory store, in memory where the system has a memory file system.
///
/// Every Realm of the store holds the same instance; with the last one the files go, and with the last store of the process its
/// folder (M-105, M-106). What a process that was killed leaves is removed when another makes its folder (`MemoryFolder`).
final class InMemoryFiles: Sendable {
  private let path: String
  private let name: String
  /// True if anything was written while this held the files.
  private let wasWritten = Lock(false)

  private init(path: String) {
    self.path = path
    name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  /// A Realm of the store has committed.
  func noteCommit() { wasWritten.withLock { $0 = true } }

  deinit {
    if wasWritten.withLock({ $0 }) {
      Logger.shared.log(
        .warn,
        "The in-memory store '\(name)' was deleted with everything in it, because its last Realm was released. Keep a Realm as long as "
          + "the store is needed, in a property of what uses it: `let realm = try Realm(configuration: …)`.")
    }
    let path = path
    Self.lock.withLock {
      // Opened again in the meantime: the files have a new owner.
      if Self.claims[path]?.files != nil { return }
      Self.claims[path] = nil
      for suffix in ["", "-lock", StoreLayout.holderSuffix] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
      if Self.claims.isEmpty { MemoryFolder.removeEmpty() }
    }
  }

  private struct WeakFiles {
    weak var files: InMemoryFiles?
  }

  private static let lock = NSRecursiveLock()
  nonisolated(unsafe) private static var claims: [String: WeakFiles] = [:]

  private static let removesAtExit: Void = { atexit { MemoryFolder.removeAtExit() } }()

  /// Returns the path of the data file of the store of that name.
  static func path(_ name: String) -> String { "\(MemoryFolder.path)/\(name).realm" }

  /// The files of the store at a path, kept until the last holder goes. Makes the folder; throws when that is impossible.
  static func claim(_ path: String) throws -> InMemoryFiles {
    try lock.withLock {
      if let found = claims[path]?.files { return found }
      _ = removesAtExit
      try MemoryFolder.make()
      let made = InMemoryFiles(path: path)
      claims[path] = WeakFiles(files: made)
      return made
    }
  }
}
