import ArgumentParser
import Foundation
import LarderSyncServer
import Logging

/// `larder-sync serve`
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve devices.",
    discussion: """
      Without --database the state is in one SQLite file, which is made when it is not there. Any number of servers may use one PostgreSQL, \
      whose tables larder-sync migrate makes.

      Options that are not given are taken from LARDER_SYNC_LISTEN, _CERTIFICATE, _KEY, _KEYS, _AUDIENCE and _STATUS. SIGHUP has the \
      certificate read again; SIGTERM and SIGINT end the server once what devices have sent is merged.
      """)

  @OptionGroup var place: Place
  @Option(help: "Where to listen: host:port (default: 127.0.0.1:8440).") var listen: String?
  @Option(help: "The certificate with those that vouch for it, in PEM.") var certificate: String?
  @Option(help: "The key of the certificate, in PEM.") var key: String?
  @Flag(help: "Without TLS, on an address of this computer only.") var plain = false
  @Option(help: "The public keys of tokens: a JSON Web Key Set or PEM.") var keys: String?
  @Option(help: "What the claim aud of tokens has to name.") var audience: String?
  @Option(
    help: "The file with a secret for tokens signed with HS256; made when it is not there. With --development only.")
  var secret: String?
  @Flag(
    help: "Make tenants and take schemas as devices bring them; everyone may do everything while there are no roles.")
  var development = false
  @Flag(
    name: .customLong("tokens-for-all-tenants"), help: "Take a token without the claim tenant as one for every tenant.")
  var acceptsTokensWithoutTenant = false
  @Option(name: [.long, .customLong("metrics")], help: "Where /health and /metrics are answered: host:port.")
  var status: String?
  @OptionGroup(title: "Limits") var limits: LimitOptions

  mutating func validate() throws {
    let environment = ProcessInfo.processInfo.environment
    listen = listen ?? environment["LARDER_SYNC_LISTEN"]
    status = status ?? environment["LARDER_SYNC_STATUS"]
    audience = audience ?? environment["LARDER_SYNC_AUDIENCE"]
    if !plain {
      certificate = certificate ?? environment["LARDER_SYNC_CERTIFICATE"]
      key = key ?? environment["LARDER_SYNC_KEY"]
    }
    if secret == nil { keys = keys ?? environment["LARDER_SYNC_KEYS"] }
    for text in [listen, status].compactMap({ $0 }) where ListenAddress(text) == nil {
      throw ValidationError("'\(text)' is no address: write host:port.")
    }
    guard (certificate == nil) == (key == nil) else { throw ValidationError("--certificate and --key go together.") }
    guard plain != (certificate != nil) else {
      throw ValidationError("Give --certificate and --key, or --plain for an address of this computer.")
    }
    guard (keys == nil) != (secret == nil) else { throw ValidationError("Give either --keys or --secret.") }
    guard secret == nil || development else {
      throw ValidationError("--secret is for development: add --development, or use --keys.")
    }
  }

  func run() async throws {
    let location = place.location
    if case .file = location { _ = try StoreAdministration.migrate(location) }
    let store = try await place.open()
    let hints: any HintBus =
      if case .postgres(let url) = location { try PostgresHintBus(url) } else { InProcessHintBus() }
    var configuration = ServerConfiguration(
      listener: ListenerConfiguration(
        address: listen.flatMap { ListenAddress($0) } ?? ListenAddress(host: "127.0.0.1", port: 8440),
        tls: try identity(), limits: limits.limits),
      verifier: JWTVerifier(keys: try await tokenKeys(), audience: audience))
    configuration.isDevelopment = development
    configuration.devices = limits.devices
    configuration.acceptsTokensWithoutTenant = acceptsTokensWithoutTenant
    configuration.status = status.flatMap { ListenAddress($0) }
    let server = try SyncServer(store: store, hints: hints, configuration: configuration)
    let scheme = certificate == nil ? "ws" : "wss"
    try await server.run { address in
      print("larder-sync: serving \(scheme)://\(address)\(SyncListener.path)")
      fflush(nil)
    } statusReady: { address in
      print("larder-sync: status http://\(address)/health and /metrics")
      fflush(nil)
    }
    store.close()
  }

  private func identity() throws -> TLSIdentity? {
    guard let certificate, let key else { return nil }
    return try TLSIdentity(certificate: certificate, key: key)
  }

  private func tokenKeys() async throws -> TokenKeys {
    if let keys { return try await TokenKeys(file: String(decoding: try InputFile.bytes(keys), as: UTF8.self)) }
    let path = secret ?? ""
    if !FileManager.default.fileExists(atPath: path) {
      var generator = SystemRandomNumberGenerator()
      let bytes = (0..<48).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      let text = Data(bytes).base64EncodedString()
      guard
        FileManager.default.createFile(
          atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
      else { throw ValidationError("'\(path)' cannot be made.") }
    }
    return try await TokenKeys(developmentSecret: try InputFile.bytes(path))
  }
}
