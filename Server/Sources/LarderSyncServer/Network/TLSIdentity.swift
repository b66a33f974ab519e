import NIOSSL
import Synchronization

/// A certificate with its key, in files that may be replaced while the server runs. May be used from any thread.
public final class TLSIdentity: Sendable {
  private let certificatePath: String
  private let keyPath: String
  private let current: Mutex<NIOSSLContext>

  /// Reads the files.
  ///
  /// - Parameters:
  ///   - certificate: The path of a PEM file with the certificate and those that vouch for it.
  ///   - key: The path of a PEM file with its key.
  /// - Throws: `ListenerError.certificate`.
  public init(certificate: String, key: String) throws(ListenerError) {
    certificatePath = certificate
    keyPath = key
    current = Mutex(try Self.context(certificate, key))
  }

  /// Reads the files again: connections that come later use what they have now.
  ///
  /// - Throws: `ListenerError.certificate`; what was read before stays in use.
  public func reload() throws(ListenerError) {
    let context = try Self.context(certificatePath, keyPath)
    current.withLock { $0 = context }
  }

  var context: NIOSSLContext { current.withLock { $0 } }

  private static func context(_ certificate: String, _ key: String) throws(ListenerError) -> NIOSSLContext {
    do {
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
      configuration.minimumTLSVersion = .tlsv12
      configuration.applicationProtocols = ["http/1.1"]
      return try NIOSSLContext(configuration: configuration)
    } catch {
      throw .certificate("\(certificate), \(key): \(error)")
    }
  }
}
