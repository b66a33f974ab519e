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
      """)

  @OptionGroup var place: Place
  @Option(help: "Where to listen: host:port.") var listen = "127.0.0.1:8440"
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
  @Option(help: "Where /health and /metrics are answered: host:port.") var status: String?

  func validate() throws {
    guard ListenAddress(listen) != nil else { throw ValidationError("'\(listen)' is no address: write host:port.") }
    guard status.map({ ListenAddress($0) != nil }) ?? true else {
      throw ValidationError("'\(status ?? "")' is no address: write host:port.")
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
        address: ListenAddress(listen) ?? ListenAddress(host: "127.0.0.1", port: 8440), tls: try identity()),
      verifier: JWTVerifier(keys: try await tokenKeys(), audience: audience))
    configuration.isDevelopment = development
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
