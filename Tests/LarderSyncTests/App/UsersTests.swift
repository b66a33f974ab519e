import Foundation
import LarderLocks
import Testing

@testable import LarderSync

@Suite("App: users and their tokens")
struct UsersTests {
  @Test("A login needs an address, a token, and a user in it")
  func faultyLogins() async throws {
    let fixture = try await SyncedFixture()
    for (text, code) in [("x", AppError.Code.invalidParameter), ("a.b.c", .invalidParameter)] {
      let error = await #expect(throws: AppError.self) {
        try await fixture.app.login(credentials: .jwt(token: text))
      }
      #expect(error?.code == code)
    }
    let anonymous = await #expect(throws: AppError.self) { try await fixture.app.login(credentials: .anonymous) }
    #expect(anonymous?.code == .authProviderNotFound)
    let nowhere = App(id: "nowhere", configuration: nil, folder: fixture.directory.file("nowhere"))
    let error = await #expect(throws: AppError.self) {
      try await nowhere.login(credentials: .jwt(token: SyncedFixture.token("ada")))
    }
    #expect(error?.code == .missingParameter)
  }

  @Test("F-115: A token as a file has it, with its line end, is the token; one with anything else in it is none")
  func tokensOfFiles() async throws {
    let fixture = try await SyncedFixture()
    let token = try SyncedFixture.token("ada", ["n": 2])
    let user = try await fixture.app.login(credentials: .jwt(token: " \(token)\n"))
    #expect(user === fixture.user && user.accessToken == token)
    try user.update(token: "\(token)\r\n")
    #expect(user.accessToken == token)
    for text in ["\(token) x", "\(token)\n\(token)", "\(token)\u{0}", token.replacing(".", with: "\n.")] {
      let error = await #expect(throws: AppError.self) {
        try await fixture.app.login(credentials: .jwt(token: text))
      }
      #expect(error?.code == .invalidParameter)
      #expect(throws: AppError.self) { try user.update(token: text) }
    }
    let provided = ProvidedTokens { _ in "\(token)\n" }
    #expect(try await provided.token(.connecting, attempt: 1) == token)
    let other = try await SyncedFixture("provided") { _ in "\(token)\n" }
    #expect(try await UserTokens(user: other.user).token(.refused, attempt: 1) == token)
  }

  @Test("Addresses become those of connections, and others are refused")
  func addresses() throws {
    #expect(try ServerAddress.connection("https://a.org") == "wss://a.org/larder/sync/1")
    #expect(try ServerAddress.connection("http://localhost:80/x/") == "ws://localhost:80/x/larder/sync/1")
    #expect(try ServerAddress.connection("wss://a.org/larder/sync/1") == "wss://a.org/larder/sync/1")
    for text in ["a.org", "ftp://a.org", "https://", ""] {
      #expect(throws: AppError.self) { try ServerAddress.connection(text) }
    }
  }

  @Test("Y-51: Users are kept in a file of mode 0600, with their tokens")
  func keptUsers() async throws {
    let fixture = try await SyncedFixture("an/app")
    let path = SyncPaths(folder: fixture.directory.file("apps")).users(app: "an/app")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
    let bob = try await fixture.app.login(credentials: .jwt(token: SyncedFixture.token("bob")))
    try await bob.logOut()
    let kept = UserRecords(reading: path)
    #expect(kept.users.map(\.id) == ["ada", "bob"])
    #expect(kept.users.map(\.isLoggedIn) == [true, false])
    let token = try SyncedFixture.token("ada")
    #expect(kept.users[0].token == token)
    #expect(kept.users[1].token == nil)
    // Another address is another app, with the same users kept: as another process would have them.
    let again = App(
      id: "an/app", configuration: AppConfiguration(baseURL: "https://other.example.org"),
      folder: fixture.directory.file("apps"))
    #expect(again != fixture.app)
    #expect(again.currentUser?.id == "ada")
    #expect(again.allUsers.count == 2)
    #expect(again.allUsers["bob"]?.state == .loggedOut)
  }

  @Test("Y-51: A damaged file of users makes them sign in again, and nothing else")
  func damagedUsers() throws {
    let fixture = TemporaryPaths()
    try fixture.write("{ no JSON", app: "x")
    let app = App(id: "x", configuration: AppConfiguration(baseURL: "https://a.org"), folder: fixture.folder)
    #expect(app.allUsers.isEmpty)
  }

  @Test("Y-53: A login of the same user revives its object; switching changes only who is current")
  func sameUser() async throws {
    let fixture = try await SyncedFixture()
    let ada = fixture.user
    let bob = try await fixture.app.login(credentials: .jwt(token: SyncedFixture.token("bob")))
    #expect(fixture.app.currentUser == bob)
    fixture.app.switch(to: ada)
    #expect(fixture.app.currentUser == ada)
    #expect(bob.isLoggedIn)
    var states = ada.states.makeAsyncIterator()
    #expect(await states.next() == .loggedIn)
    try await ada.logOut()
    #expect(await states.next() == .loggedOut)
    #expect(ada.accessToken == nil)
    #expect(fixture.app.currentUser == bob)
    let again = try await fixture.app.login(credentials: .jwt(token: SyncedFixture.token("ada")))
    #expect(again === ada)
    #expect(fixture.app.allUsers.count == 2)
  }

  @Test("Y-54: A token of another user is refused")
  func otherToken() async throws {
    let fixture = try await SyncedFixture()
    let before = fixture.user.accessToken
    #expect(throws: AppError.self) { try fixture.user.update(token: SyncedFixture.token("bob")) }
    #expect(fixture.user.accessToken == before)
    let next = try SyncedFixture.token("ada", ["role": "x", "level": 3, "isAdmin": true])
    try fixture.user.update(token: next)
    #expect(fixture.user.accessToken == next)
    #expect(fixture.user.claims["level"] == .int(3))
    #expect(fixture.user.claims["isAdmin"] == .bool(true))
  }

  @Test("Y-55: Every id gives one path of its own within the folder")
  func paths() {
    let paths = SyncPaths(folder: "/data")
    #expect(paths.store(app: "a", user: "ada", name: nil) == "/data/a/ada/flx_sync_default.realm")
    let long = String(repeating: "x", count: 300)
    let ids = ["..", ".", "", "a/b", "a%2Fb", "a b", "\u{e9}", "e\u{301}", long, long + "y", "a.b", "A"]
    let names = ids.map { SyncPaths.name($0) }
    #expect(Set(names).count == ids.count)
    for name in names {
      #expect(!name.contains("/") && !name.hasPrefix(".") && !name.isEmpty && name.utf8.count <= 200)
    }
  }

  @Test("Y-56: The provider is asked once for sessions that ask at once, and again after a failure")
  func provider() async throws {
    struct Failure: Error {}
    let calls = Shared<[TokenRequest]>([])
    let fixture = try await SyncedFixture(provider: { request in
      let count = calls.value.withLock { calls in
        calls.append(request)
        return calls.count
      }
      try await Task.sleep(for: .milliseconds(20))
      if count == 1 { throw Failure() }
      return try SyncedFixture.token("ada", ["n": count])
    })
    let tokens = UserTokens(user: fixture.user)
    #expect(try await tokens.token(.connecting, attempt: 1) == SyncedFixture.token("ada"))
    await #expect(throws: Failure.self) { try await tokens.token(.expiring, attempt: 1) }
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<10 { group.addTask { try await tokens.token(.expired, attempt: 2) } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(answers.count == 1)
    #expect(calls.value.withLock { $0.count } == 2)
    #expect(calls.value.withLock { $0[1].userID } == "ada")
    #expect(calls.value.withLock { $0[1].attempt } == 2)
    #expect(fixture.user.accessToken == answers.first)
  }

  @Test("Y-56: SignInRequired logs the user out; a token of another user is not taken")
  func signInRequired() async throws {
    let fixture = try await SyncedFixture(provider: { request in
      if request.reason == .refused { throw SignInRequired() }
      return try SyncedFixture.token("bob")
    })
    let tokens = UserTokens(user: fixture.user)
    await #expect(throws: AppError.self) { try await tokens.token(.expired, attempt: 1) }
    #expect(fixture.user.isLoggedIn)
    await #expect(throws: TokenError.self) { try await tokens.token(.refused, attempt: 1) }
    #expect(fixture.user.state == .loggedOut)
  }

  @Test("Y-56: Without a provider the token is used to its end, and then another has to come")
  func noProvider() async throws {
    let fixture = try await SyncedFixture()
    let tokens = UserTokens(user: fixture.user)
    #expect(try await tokens.token(.expiring, attempt: 1) == fixture.user.accessToken)
    await #expect(throws: TokenError.self) { try await tokens.token(.expired, attempt: 1) }
    #expect(fixture.user.isLoggedIn)
  }
}

/// A folder with files of users.
private struct TemporaryPaths {
  let folder = NSTemporaryDirectory() + "larder-users-\(UUID().uuidString)"

  func write(_ text: String, app: String) throws {
    let path = SyncPaths(folder: folder).users(app: app)
    try SyncPaths.makeFolder(for: path)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }
}
