import Foundation
import LarderLocks

/// Questions that are being answered, by the names that pages gave them, so that a page can say that it does not want an answer any more.
///
/// Where clients have addresses, a question ends as well when its connection is closed (`WaitingClient`). May be used from any thread.
final class RunningQuestions: Sendable {
  private struct State {
    var running: [String: Interruption] = [:]
    /// Names that were cancelled, the newest last: a question may come after the word that it is not wanted.
    var cancelled: [String] = []
  }

  private let state = Lock(State())
  /// Names of cancelled questions that are remembered at most.
  static let mostRemembered = 256
  private static let longestName = 64

  /// The answer to a page that does not wait for it.
  static let unwanted = RequestFault(
    "The page does not want the answer any more.", status: 503, kind: "cancelled")

  private static let tooLong = RequestFault("The name of a question has \(longestName) bytes at most.")

  /// Runs what answers a question. Without a name, or outside of what can be stopped, it simply runs.
  ///
  /// - Throws: `RequestFault` when the page has cancelled it, and for a name that is too long; what `body` throws.
  func run<Answer>(_ name: String?, _ body: () throws -> Answer) throws -> Answer {
    guard let name else { return try body() }
    guard name.utf8.count <= Self.longestName else { throw Self.tooLong }
    guard let interruption = Interruption.current else { return try body() }
    let isWanted = state.withLock { state in
      guard !state.cancelled.contains(name) else { return false }
      state.running[name] = interruption
      return true
    }
    guard isWanted else { throw Self.unwanted }
    defer { state.withLock { $0.running[name] = nil } }
    do {
      return try body()
    } catch let stopped as Interruption.Stopped {
      let isCancelled = state.withLock { $0.cancelled.contains(name) }
      throw isCancelled ? Self.unwanted as any Error : stopped
    }
  }

  /// Stops questions. Names that are not known are those of answers that are there, or of questions that come later.
  ///
  /// - Parameter body: `{"ids": [names]}`.
  /// - Returns: How many were stopped.
  /// - Throws: `RequestFault` for a body that is none.
  func cancel(_ body: [UInt8]) throws -> Int {
    guard let root = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
      let names = root["ids"] as? [String], names.count <= Self.mostRemembered
    else {
      throw RequestFault("The body is an object with 'ids', the names of \(Self.mostRemembered) questions at most.")
    }
    guard names.allSatisfy({ $0.utf8.count <= Self.longestName }) else { throw Self.tooLong }
    let stopped = state.withLock { state in
      state.cancelled += names
      state.cancelled.removeFirst(max(0, state.cancelled.count - Self.mostRemembered))
      return names.compactMap { state.running[$0] }
    }
    for interruption in stopped { interruption.stop() }
    return stopped.count
  }
}
