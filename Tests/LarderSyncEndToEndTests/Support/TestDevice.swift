import Foundation
import LarderLocks
import SyncModel
import TestSupport

@testable import LarderSync

/// The errors that a handler of errors was given.
final class ReportedErrors: Sendable {
  private let list = Lock<[SyncError]>([])

  func add(_ error: SyncError) { list.withLock { $0.append(error) } }

  var all: [SyncError] { list.withLock { $0 } }

  var codes: [SyncError.Code] { all.map(\.code) }

  /// The writes that the server did not accept.
  var refusals: [CompensatingWriteInfo] { all.flatMap { $0.compensatingWriteInfo ?? [] } }
}

/// The differences of a device from the usual one.
struct DeviceOptions {
  /// The address that it connects to, in place of the server itself.
  var url: String?
  /// The classes.
  var types: [ObjectBase.Type] = [City.self]
  /// Gets other tokens.
  var tokens: TokenProvider?
  /// The set of data; nil for the token's.
  var tenant: String?
  /// The time that it waits for the server, in milliseconds; nil for the usual times.
  var silence: UInt?
  /// The handling of a state that does not fit the server's any more.
  var clientResetMode = ClientResetMode.recoverUnsyncedChanges()
}

/// A device: a store of its own that is connected to a server.
@MainActor
final class TestDevice {
  let realm: Realm
  let session: SyncSession
  let user: User
  /// The errors that the handler was given.
  let errors = ReportedErrors()
  /// The configuration that the store was opened with.
  let configuration: Realm.Configuration
  private let folder: TemporaryDirectory
  /// Runs for as long as it has devices.
  private let server: ServerProcess
  private var retrying: Task<Void, Never>?

  init(_ name: String, _ server: ServerProcess, token: String, _ options: DeviceOptions = DeviceOptions()) async throws
  {
    folder = try TemporaryDirectory("device")
    self.server = server
    let appConfiguration = AppConfiguration(baseURL: options.url ?? server.url)
    appConfiguration.tokenProvider = options.tokens
    if let silence = options.silence {
      appConfiguration.syncTimeouts = SyncTimeoutOptions(
        connectTimeout: silence, pingKeepalivePeriod: silence / 2, pongKeepaliveTimeout: silence)
    }
    let app = App(id: name, configuration: appConfiguration, folder: folder.file("apps"))
    app.syncManager.errorHandler = { [errors] error, _ in if let error = error as? SyncError { errors.add(error) } }
    user = try await app.login(credentials: .jwt(token: token))
    var configuration = user.flexibleSyncConfiguration(
      name: "store", tenant: options.tenant, clientResetMode: options.clientResetMode)
    configuration.objectTypes = options.types
    self.configuration = configuration
    realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    guard let session = realm.syncSession else { throw ServerProcess.Failure(description: "no session") }
    self.session = session
  }

  /// Subscribes to cities and waits for them.
  func subscribe(_ country: String? = nil, waitForSync: WaitForSyncMode = .always) async throws {
    let cities = realm.objects(City.self)
    let wanted = country.map { name in cities.where { $0.country == name } } ?? cities
    _ = try await wanted.subscribe(name: "cities", waitForSync: waitForSync)
  }

  /// Waits until both directions are through.
  func settle() async throws {
    try await session.wait(for: .upload)
    try await session.wait(for: .download)
    realm.refresh()
  }

  /// Makes the waits between two attempts to connect short from now on.
  func retriesOften() {
    retrying = Task { [weak session] in
      while !Task.isCancelled, let session {
        session.reconnect()
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  /// Returns the owner of the store's folder, to keep the folder after the device.
  func takeFolder() -> TemporaryDirectory { folder }

  isolated deinit { retrying?.cancel() }

  /// Waits until the handler was given an error of a code.
  @discardableResult
  func error(_ code: SyncError.Code) async throws -> SyncError {
    try await eventually("the error \(code); there are \(errors.codes)") { errors.all.first { $0.code == code } }
  }

  func city(_ id: Int) -> City? { realm.object(ofType: City.self, forPrimaryKey: id) }

  /// All that the device has, bit by bit: texts as their bytes, numbers as their bits.
  var bits: [[UInt64]] {
    realm.objects(City.self).sorted(byKeyPath: "_id").map { city in
      let texts = [city.name, city.country, city.timezone] + Array(city.alternateNames)
      let numbers = [city._id, city.population, city.visits].map { UInt64(bitPattern: Int64($0)) }
      return numbers + [city.latitude.bitPattern, city.longitude.bitPattern]
        + texts.flatMap { [UInt64($0.utf8.count)] + $0.utf8.map { UInt64($0) } }
    }
  }

  /// All that the device has, as text.
  var content: [String] { realm.objects(City.self).sorted(byKeyPath: "_id").map(\.content) }
}

/// Waits until there is something; it fails after a time that only a test that hangs needs.
@MainActor
@discardableResult
func eventually<Value>(_ what: @autoclosure () -> String, _ value: () throws -> Value?) async throws -> Value {
  for _ in 0..<30_000 {
    if let value = try value() { return value }
    try await Task.sleep(for: .milliseconds(10))
  }
  throw ServerProcess.Failure(description: "There is not in time: \(what())")
}
