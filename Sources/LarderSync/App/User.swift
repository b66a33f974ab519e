import Foundation
import LarderLocks

/// The states of a user's login.
public enum UserState: UInt, Sendable {
  /// The user's stores can be used; nothing is sent.
  case loggedOut = 0
  /// The user's stores are kept level with the server.
  case loggedIn = 1
  /// The user is forgotten.
  case removed = 2
}

/// The state of a user, under RealmSwift's former name.
public typealias RLMUserState = UserState

/// A user of an app. The same object for the same id, as long as the app knows it. May be used from any thread.
public final class User: Sendable, Hashable {
  let app: any UserHome
  /// The id: `sub` of the tokens.
  public let id: String
  let changes: EventSource<UserState>
  private let token: Lock<String?>
  let renewal = TokenRenewal()

  init(_ record: UserRecords.Record, of app: any UserHome) {
    self.app = app
    id = record.id
    changes = EventSource(record.isLoggedIn ? .loggedIn : .loggedOut)
    token = Lock(record.token)
  }

  /// The state of the user's login.
  public var state: UserState { changes.value }
  /// A Boolean value that says whether the user is logged in.
  public var isLoggedIn: Bool { state == .loggedIn }
  /// The state as it changes. Beyond RealmSwift.
  public var states: SyncEvents<UserState> {
    let changes = changes
    return SyncEvents { changes.stream { $0 } }
  }

  /// The token in use; nil when the user is logged out.
  public var accessToken: String? { token.withLock { $0 } }
  /// Nil: tokens are the identity provider's.
  public var refreshToken: String? { nil }

  /// The claims of the user's token. Beyond RealmSwift.
  public var claims: [String: AnyRealmValue] {
    accessToken.flatMap { try? TokenClaims($0) }?.values ?? [:]
  }

  /// Logs the user out: its sessions end at once, its stores stay, with what was not sent, and can be used (Y-52). Needs no connection.
  public func logOut() async throws { signOut() }

  /// Logs the user out as the asynchronous form does, and calls back on a private queue.
  public func logOut(completion: @escaping @Sendable ((any Error)?) -> Void) {
    signOut()
    DispatchQueue.global(qos: .userInitiated).async { completion(nil) }
  }

  /// Gives the user a new token, which goes over connections that are open (Y-56). Beyond RealmSwift.
  ///
  /// - Throws: `AppError.invalidParameter` for text that is no token, and for a token of another user.
  public func update(token: String) throws {
    try take(token)
    // Sessions that wait for a token go on.
    changes.update { if $0 != .removed { $0 = .loggedIn } }
  }

  public static func == (lhs: User, rhs: User) -> Bool { lhs === rhs }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension User {
  /// Keeps a token if it is the user's.
  func take(_ text: String) throws {
    let claims = try TokenClaims(text)
    guard claims.subject == id else {
      throw AppError.make(
        .invalidParameter, "The token is of '\(claims.subject)', and the user is '\(id)': log in as the other user.")
    }
    token.withLock { $0 = claims.token }
    app.save()
  }

  func signedIn(with text: String) {
    token.withLock { $0 = text }
    changes.send(.loggedIn)
    app.userChanged()
  }

  /// The user is logged out; its token is forgotten.
  func signOut() {
    token.withLock { $0 = nil }
    changes.update { if $0 == .loggedIn { $0 = .loggedOut } }
    app.save()
    app.userChanged()
  }

  /// The user is forgotten, and can no longer be used.
  func forgotten() {
    token.withLock { $0 = nil }
    changes.send(.removed)
    app.forget(id)
  }

  /// The record in which the user is kept.
  var record: UserRecords.Record {
    UserRecords.Record(id: id, isLoggedIn: isLoggedIn, token: accessToken)
  }
}
