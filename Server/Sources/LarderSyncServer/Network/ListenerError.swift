/// The reason why a listener cannot listen.
public enum ListenerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Without TLS only this computer may connect.
  case plainText(ListenAddress)
  /// A certificate or a key cannot be used.
  case certificate(String)
  /// The address cannot be had.
  case address(ListenAddress, String)

  public var description: String {
    switch self {
    case .plainText(let address):
      "Connections to \(address) would carry tokens and data without TLS. Give a certificate and its key, or listen on 127.0.0.1."
    case .certificate(let text): "The certificate or its key cannot be used: \(text)"
    case .address(let address, let text): "\(address) cannot be listened on: \(text)"
    }
  }
}
