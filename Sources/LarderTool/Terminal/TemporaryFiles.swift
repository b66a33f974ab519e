import Foundation
import LarderExchange
import LarderInspection
import LarderLocks
import LarderStorage

/// Files that are being made: they go when the work on them is interrupted or fails.
///
/// An existing store needs none of it: a transaction that is not committed never was.
final class TemporaryFiles: Sendable {
  static let shared = TemporaryFiles()

  private enum Kind {
    /// A file or folder of results.
    case results
    /// A store that is of no use before it is complete.
    case wholeStore
    /// Temporary files whose names begin so.
    case copies
  }

  private let kinds = Lock<[String: Kind]>([:])
  private let interruption = Lock<(@Sendable () -> Void)?>(nil)
  private let isEnding = Lock(false)

  /// From now on Control-C calls `body` instead of ending the process.
  func onInterruption(_ body: @escaping @Sendable () -> Void) { interruption.withLock { $0 = body } }

  /// From now on the file goes with an interruption.
  func add(_ path: String) { kinds.withLock { $0[path] = .results } }

  /// The same for a new store, whatever was committed in it.
  func add(store path: String) { kinds.withLock { $0[path] = .wholeStore } }

  /// The file is complete.
  func keep(_ path: String) { kinds.withLock { $0[path] = nil } }

  /// Calls `body`, which makes a file or folder of results; an interruption or an error leaves nothing of it.
  func making<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    let isNew = isNew(path)
    if isNew { kinds.withLock { $0[path] = .results } }
    defer { keep(path) }
    do {
      return try body()
    } catch {
      if isNew { Self.remove(path, .results) }
      throw error
    }
  }

  /// Calls `body` with the store at a path. A new one gets its name when `body` is done: nothing is left behind by an interruption, an
  /// error or a kill.
  func makingStore<Result>(_ path: String, _ body: (Store) throws -> Result) throws -> Result {
    guard isNew(path) else { return try body(StoreAccess.open(writing: path)) }
    return try copying(path) { try StoreAccess.making(path, body) }
  }

  /// Does not follow a link: one that leads nowhere was made for something, too.
  private func isNew(_ path: String) -> Bool { (try? FileManager.default.attributesOfItem(atPath: path)) == nil }

  /// Calls `body`, which copies to temporary files beside a path before it gives them their name.
  func copying<Result>(_ path: String, _ body: () throws -> Result) rethrows -> Result {
    let prefix = "\(path).\(ProcessInfo.processInfo.processIdentifier)."
    kinds.withLock { $0[prefix] = .copies }
    defer { keep(prefix) }
    return try body()
  }

  /// Ends the process as the signal would have, with nothing half-made left behind.
  private func end(_ signalNumber: Int32) {
    isEnding.withLock { $0 = true }
    for (path, kind) in kinds.withLock({ $0 }) { Self.remove(path, kind) }
    if Terminal.errorIsTerminal { Terminal.writeError("\r\u{1B}[K") }
    signal(signalNumber, SIG_DFL)
    // The threads of the queues have all signals blocked.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, signalNumber)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    raise(signalNumber)
  }

  /// To be called before an error is reported: one that was caused by the removal of files at an interruption is none, and the process ends
  /// by the signal while this waits.
  func waitForInterruption() {
    while isEnding.withLock({ $0 }) { usleep(10_000) }
  }

  /// Watches for Control-C and the wish to end. The sources are to be kept alive.
  func watch() -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue(label: "larder.signals"))
      source.setEventHandler {
        guard number == SIGINT, let body = self.interruption.withLock({ $0 }) else { return self.end(number) }
        body()
      }
      source.resume()
      return source
    }
  }

  private static func remove(_ path: String, _ kind: Kind) {
    let manager = FileManager.default
    switch kind {
    case .results: try? manager.removeItem(atPath: path)
    case .wholeStore:
      for file in [path, path + "-lock"] { try? manager.removeItem(atPath: file) }
    case .copies:
      let url = URL(fileURLWithPath: path)
      let folder = url.deletingLastPathComponent().path
      for name in (try? manager.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(url.lastPathComponent) {
        try? manager.removeItem(atPath: "\(folder)/\(name)")
      }
    }
  }
}
