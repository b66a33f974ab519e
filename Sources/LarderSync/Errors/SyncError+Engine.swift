import Foundation
import LarderSyncProtocol

extension SyncError {
  /// Makes the error that programs get for a failure of an engine.
  init(_ failure: EngineFailure, path: String) {
    switch failure {
    case .server(let failure): self = Self.server(failure, path)
    case .transport(.tls(let text)):
      self = .make(.tlsHandshakeFailed, "The connection to the server is not safe: \(text)", path: path)
    case .transport(let error): self = .make(.connectionFailed, Self.text(error), path: path)
    case .signInRequired:
      self = .make(.clientUserError, "The user has to sign in again: there is no token for '\(path)'.", path: path)
    case .token(let text): self = .make(.clientUserError, "There is no token now: \(text)", path: path)
    case .state(let text): self = .reset("The state of synchronisation of '\(path)' is damaged: \(text)", path)
    case .reset(let notice): self = .reset(notice, path)
    case .schema(let text): self = .make(.schemaConflict, text, path: path)
    case .tooLarge(let text): self = .make(.transactionTooLarge, text, path: path)
    case .store(let text): self = .make(.clientInternalError, text, path: path)
    case .noProgress(let tries, let text):
      self = .make(
        .clientSessionError,
        "\(tries) sessions of '\(path)' with the server have ended without getting further, the last because of: \(text) What was written stays here and is tried again less and less often; see the log of the server.",
        path: path)
    case .clockAdjusted(let milliseconds):
      self = .make(
        .clockAdjusted,
        "The clock of this device differs from the server's by \(milliseconds / 1_000) s. Commits got the server's time.",
        path: path)
    case .storeCopied:
      self = .make(
        .storeCopied, "'\(path)' was copied, or restored from a backup; it goes on as a new device.", path: path)
    case .stopped: self = .make(.clientSessionError, "The session of '\(path)' has ended.", path: path)
    }
  }

  private static func server(_ failure: SyncFailure, _ path: String) -> SyncError {
    if failure.code == .reset || failure.action == .reset { return reset(failure.message.string, path) }
    var more: [String: Any] = [:]
    more[Key.retryAfter] = failure.retryAfter
    return make(
      code(of: failure), failure.message.string, subject: failure.subject?.string, path: path, more)
  }

  private static func code(of failure: SyncFailure) -> Code {
    switch failure.code {
    case .token, .tokenExpired: .clientUserError
    case .tenant: .permissionDeniedError
    case .busy, .rate, .stopping, .server: .connectionFailed
    case .quota: .quotaExceeded
    case .query: .invalidFlexibleSyncSubscriptions
    case .schema, .schemaForbidden: .schemaConflict
    case .schemaTooOld: .schemaTooOld
    case .frameTooLarge: .transactionTooLarge
    case .version, .malformed, .unexpected, .overCredit, .siteSecret, .fenced, .uploadGap, .commit: .clientSessionError
    default: .serverWarning
    }
  }

  private static func reset(_ message: String, _ path: String) -> SyncError {
    let recovery = URL(fileURLWithPath: path).deletingLastPathComponent()
      .appendingPathComponent("recovered-realms", isDirectory: true)
      .appendingPathComponent(URL(fileURLWithPath: path).lastPathComponent).path
    return make(
      .clientResetError, message, path: path,
      [Key.token: SyncErrorActionToken(path: path), Key.recoveryPath: recovery])
  }

  private static func reset(_ notice: ResetNotice, _ path: String) -> SyncError {
    let words =
      notice.isDone
      ? "The store has the server's state now; as it was before, it is in '\(notice.copy)'."
      : "The session is stopped. Close every Realm of the store and call SyncSession.immediatelyHandleError(_:), or open it again in another process: the file becomes '\(notice.copy)', and a new one takes its place."
    return make(
      .clientResetError, "\(notice.cause) '\(path)' starts again from the server. \(words)", path: path,
      [Key.token: SyncErrorActionToken(path: path, isDone: notice.isDone), Key.recoveryPath: notice.copy])
  }

  private static func text(_ error: TransportError) -> String {
    switch error {
    case .address(let text), .plainText(let text), .unreachable(let text), .tls(let text): text
    case .refused(let status): "The server answered with HTTP status \(status)."
    case .closed: "The connection is closed."
    case .unavailable: "There is no connection: the package was built without its trait Sync."
    }
  }
}

/// The choice of errors that a program's handler gets (Y-37).
struct ErrorReporting: Hashable, Sendable {
  private var tlsCause: String?

  /// Returns true if the handler gets an error now. Lost connections are retried without it, refused queries have their waiters, and the same cause
  /// of a TLS failure is reported once.
  mutating func reports(_ failure: EngineFailure) -> Bool {
    switch failure {
    case .transport(.tls(let cause)):
      defer { tlsCause = cause }
      return tlsCause != cause
    case .transport, .token, .stopped: return false
    // The program hears of the reset when it is done.
    case .server(let failure) where failure.action == .reset: return false
    case .server(let failure):
      switch failure.code {
      case .query, .busy, .rate, .stopping, .server, .tokenExpired: return false
      default: return true
      }
    case .signInRequired, .state, .schema, .tooLarge, .store, .noProgress, .clockAdjusted, .storeCopied, .reset:
      return true
    }
  }

  /// A connection was made: what fails next is new.
  mutating func connected() { tlsCause = nil }
}
