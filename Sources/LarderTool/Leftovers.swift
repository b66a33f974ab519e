import Foundation
import Synchronization

/// Files that are being made: they go when the work on them is interrupted.
///
/// An existing store needs none of it: a transaction that is not committed never was.
final class Leftovers: Sendable {
  static let shared = Leftovers()

  private let paths = Mutex<Set<String>>([])

  /// From now on the file, its lock file and what is copied for it go with an interruption.
  func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  /// The file is complete.
  func keep(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Calls `body`, which makes a file that is not there yet; an interruption or an error leaves nothing of it behind.
  func making<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    let isNew = !FileManager.default.fileExists(atPath: path)
    if isNew { add(path) }
    defer { keep(path) }
    do {
      return try body()
    } catch {
      if isNew { Self.remove(path) }
      throw error
    }
  }

  /// Calls `body`, which copies to temporary files beside a path before it gives them their name.
  func copying<Result>(_ path: String, _ body: () throws -> Result) rethrows -> Result {
    let prefix = Self.temporaryPrefix(path)
    add(prefix)
    defer { keep(prefix) }
    return try body()
  }

  /// Ends the process as the signal would have, with nothing half-made left behind.
  private func end(_ signalNumber: Int32) {
    for path in paths.withLock({ $0 }) { Self.remove(path) }
    if Terminal.errorIsTerminal { Terminal.writeError("\r\u{1B}[K") }
    signal(signalNumber, SIG_DFL)
    // The threads of the queues have all signals blocked.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, signalNumber)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    raise(signalNumber)
  }

  /// Watches for Control-C and the wish to end. The sources are to be kept alive.
  func watch() -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue(label: "larder.signals"))
      source.setEventHandler { self.end(number) }
      source.resume()
      return source
    }
  }

  private static func temporaryPrefix(_ path: String) -> String {
    "\(path).\(ProcessInfo.processInfo.processIdentifier)."
  }

  private static func remove(_ path: String) {
    let manager = FileManager.default
    guard path.hasSuffix(".\(ProcessInfo.processInfo.processIdentifier).") else {
      for file in [path, path + "-lock"] { try? manager.removeItem(atPath: file) }
      return
    }
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().path
    for name in (try? manager.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(url.lastPathComponent) {
      try? manager.removeItem(atPath: "\(folder)/\(name)")
    }
  }
}
