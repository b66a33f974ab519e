import Foundation

/// An application at a server: its users, and how it is connected to. Apps of the same id and address are equal, and share their users.
///
/// May be used from any thread.
public final class App: Sendable, Hashable {
  let state: AppState

  /// The app of an id, at the address in the environment's `LARDER_SYNC_URL`.
  public convenience init(id: String) { self.init(id: id, configuration: nil) }

  /// The app of an id. Of a configuration a copy is made; the first one for an id and address in a process counts.
  ///
  /// ```swift
  /// let app = App(id: "notes", configuration: AppConfiguration(baseURL: "https://sync.example.org"))
  /// ```
  ///
  /// Reads the file of the users, which are there without a connection (Y-51).
  public convenience init(id: String, configuration: AppConfiguration?) {
    self.init(id: id, configuration: configuration, folder: DefaultFolder.path + "/sync")
  }

  /// - Parameter folder: Where users and their stores are kept.
  package init(id: String, configuration: AppConfiguration?, folder: String) {
    if id.isEmpty { misuse("App: the id is empty.") }
    state = AppState.shared(id, AppOptions(configuration ?? AppConfiguration()), SyncPaths(folder: folder))
  }

  /// The application's name at the server.
  public var appId: String { state.id }

  /// A copy of how it is connected to.
  public var configuration: AppConfiguration { AppConfiguration(state.options) }

  /// All users by id, logged in or not, without removed ones. They outlive the process.
  public var allUsers: [String: User] {
    Dictionary(state.users.value.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The user who was logged in or switched to last; nil when no one is logged in.
  public var currentUser: User? { state.currentUser }

  /// All users, as they come, go and change. Beyond RealmSwift.
  public var users: SyncEvents<[User]> {
    let state = state
    return SyncEvents { state.users.stream { $0 } }
  }

  /// Signs a user in, and makes it the current one. The token is read here, and verified by the server when a store is opened; that needs no
  /// connection. The same user again, with its sessions, where it is known (Y-53).
  ///
  /// ```swift
  /// let user = try await app.login(credentials: .jwt(token: token))
  /// ```
  ///
  /// - Throws: `AppError`: `.missingParameter` without an address, `.invalidParameter` for text that is no token.
  public func login(credentials: Credentials) async throws -> User { try state.login(credentials) }

  /// Signs a user in as the asynchronous form does, and calls back on a private queue.
  public func login(
    credentials: Credentials, _ completion: @escaping @Sendable (Result<User, any Error>) -> Void
  ) {
    let state = state
    DispatchQueue.global(qos: .userInitiated).async { completion(Result { try state.login(credentials) }) }
  }

  /// Makes a user the current one, and changes nothing else (Y-53). Misuse for a user of another app, and for one who is not logged in.
  @discardableResult
  public func `switch`(to user: User) -> User {
    guard user.app === state else { misuse("The user '\(user.id)' is of another app.") }
    guard user.isLoggedIn else { misuse("The user '\(user.id)' is not logged in.") }
    state.makeCurrent(user)
    return user
  }

  public static func == (lhs: App, rhs: App) -> Bool { lhs.state === rhs.state }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(state)) }
}
