import Foundation
import LarderLocks

/// The state that all values of one `App` share in a process: its users. May be used from any thread.
final class AppState: UserHome {
  let id: String
  let options: AppOptions
  let paths: SyncPaths
  /// The users in the order in which they signed in first, without removed ones.
  let users: EventSource<[User]>
  private let current = Lock<String?>(nil)

  private init(_ id: String, _ options: AppOptions, _ paths: SyncPaths) {
    self.id = id
    self.options = options
    self.paths = paths
    users = EventSource([])
    let records = UserRecords(reading: paths.users(app: id))
    users.send(records.users.map { User($0, of: self) })
    current.withLock { $0 = records.current }
  }

  // MARK: - One per app

  private struct Key: Hashable {
    let id: String
    let baseURL: String?
    let folder: String
  }

  private static let known = Lock<[Key: AppState]>([:])

  /// The state of an app; the first options of a process count.
  static func shared(_ id: String, _ options: AppOptions, _ paths: SyncPaths) -> AppState {
    let key = Key(id: id, baseURL: options.baseURL, folder: paths.folder)
    if let found = known.withLock({ $0[key] }) { return found }
    let made = AppState(id, options, paths)
    return known.withLock { known in
      if let found = known[key] { return found }
      known[key] = made
      return made
    }
  }

  // MARK: - Users

  /// The user who was logged in or switched to last, if it still is.
  var currentUser: User? {
    let id = current.withLock { $0 }
    let users = users.value.filter(\.isLoggedIn)
    return users.first { $0.id == id } ?? users.last
  }

  /// Signs a user in: the same user again where it is known (Y-53).
  func login(_ credentials: Credentials) throws -> User {
    _ = try address()
    let token: String
    switch credentials {
    case .jwt(let text), .userAPIKey(let text), .serverAPIKey(let text): token = text
    case .anonymous:
      throw AppError.make(
        .authProviderNotFound, "The server has no users without a token: sign in with .jwt(token:).")
    }
    let claims = try TokenClaims(token)
    let user = users.value.first { $0.id == claims.subject } ?? add(claims.subject)
    user.signedIn(with: claims.token)
    makeCurrent(user)
    return user
  }

  private func add(_ id: String) -> User {
    let made = User(UserRecords.Record(id: id, isLoggedIn: false, token: nil), of: self)
    users.update { if !$0.contains(where: { $0.id == id }) { $0.append(made) } }
    return users.value.first { $0.id == id } ?? made
  }

  func makeCurrent(_ user: User) {
    current.withLock { $0 = user.id }
    save()
  }

  /// Keeps who is there; what cannot be kept is said in the log: the users have to sign in again after a restart.
  func save() {
    var records = UserRecords()
    records.users = users.value.map(\.record)
    records.current = current.withLock { $0 }
    let path = paths.users(app: id)
    do {
      try saving.withLock { _ in try records.write(to: path) }
    } catch {
      Logger.shared.log(.error, "The users of '\(id)' were not kept in '\(path)': \(error)")
    }
  }

  func forget(_ id: String) {
    users.update { $0.removeAll { $0.id == id } }
    current.withLock { if $0 == id { $0 = nil } }
    save()
  }

  private let saving = Lock(())

  // Loops over the users get a change of one of them.
  func userChanged() { users.update { _ in } }

  // MARK: - The server

  func address() throws -> String {
    guard let base = options.baseURL ?? ProcessInfo.processInfo.environment["LARDER_SYNC_URL"], !base.isEmpty else {
      throw AppError.make(
        .missingParameter,
        "The address of the server is missing: give AppConfiguration a baseURL, or set LARDER_SYNC_URL.")
    }
    return try ServerAddress.connection(base)
  }
}

/// Addresses of servers.
enum ServerAddress {
  /// The address that is connected to, of the one that a program gives: `https` becomes `wss`, and the path of synchronisation is added.
  ///
  /// - Throws: `AppError.invalidParameter` for what is no address of a server.
  static func connection(_ base: String) throws -> String {
    guard var parts = URLComponents(string: base), let scheme = parts.scheme?.lowercased(), parts.host?.isEmpty == false
    else {
      throw AppError.make(.invalidParameter, "'\(base)' is no address of a server, such as https://sync.example.org.")
    }
    switch scheme {
    case "https", "wss": parts.scheme = "wss"
    case "http", "ws": parts.scheme = "ws"
    default:
      throw AppError.make(.invalidParameter, "'\(base)' has the scheme '\(scheme)'; it has to be https or wss.")
    }
    let path = parts.percentEncodedPath
    if !path.hasSuffix(suffix) {
      parts.percentEncodedPath = (path.hasSuffix("/") ? String(path.dropLast()) : path) + suffix
    }
    guard let text = parts.string else {
      throw AppError.make(.invalidParameter, "'\(base)' is no address of a server.")
    }
    return text
  }

  private static let suffix = "/larder/sync/1"
}
