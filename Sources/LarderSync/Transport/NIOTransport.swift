#if Sync
  import LarderLocks
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOSSL
  import NIOWebSocket

  /// Connects by WebSocket, with TLS unless the server is this computer or the program allows to go without.
  package struct NIOTransport: SyncTransport {
    private let group: any EventLoopGroup

    /// - Parameter group: Where connections are served; without one, the process's own.
    package init(group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton) { self.group = group }

    package func connect(_ endpoint: SyncEndpoint) async throws -> any SyncConnection {
      let address = try EndpointAddress(endpoint.url)
      guard address.isEncrypted || address.isLoopback || endpoint.allowsPlainText else {
        throw TransportError.plainText(
          "'\(endpoint.url)' would send tokens and data without TLS to another computer; use wss, or allow plain text")
      }
      let attempt = try ConnectionAttempt(address, endpoint)
      return try await withTaskCancellationHandler {
        try await attempt.run(on: group)
      } onCancel: {
        attempt.giveUp()
      }
    }

    /// An error of SwiftNIO in the words of transports.
    static func translated(_ error: any Error) -> TransportError {
      switch error {
      case let error as TransportError: error
      case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: .tls("\(error)")
      case let error as NIOConnectionError:
        .unreachable(
          "'\(error.host)' port \(error.port): " + (error.dnsFailureText ?? error.connectionFailureText ?? "no address")
        )
      case ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed, ChannelError.outputClosed: .closed
      case ChannelError.inputClosed, ChannelError.eof: .unreachable("the server ended the connection")
      default: .unreachable("\(error)")
      }
    }
  }

  extension NIOConnectionError {
    fileprivate var dnsFailureText: String? { (dnsAError ?? dnsAAAAError).map { "its name is not known (\($0))" } }
    fileprivate var connectionFailureText: String? { connectionErrors.first.map { "\($0.error)" } }
  }
#endif
