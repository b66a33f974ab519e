import FlyingFox
import FlyingSocks
import Foundation

/// The server of the page: HTTP on this computer only, over a port or over a socket in a folder.
package struct StudioServer: Sendable {
  /// Where it listens.
  package enum Place: Sendable {
    /// A port of 127.0.0.1; 0: any that is free.
    case port(UInt16)
    /// A path. What another process left there is removed.
    case socket(String)
  }

  private let server: HTTPServer
  private let place: Place

  package init(_ handler: any Handler, at place: Place) throws {
    try self.init(HandlerAdapter(handler: handler), at: place)
  }

  init(_ adapter: HandlerAdapter, at place: Place) throws {
    self.place = place
    switch place {
    case .port(let port):
      server = HTTPServer(
        address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port), timeout: 60, pool: NoDelayPool(isNetwork: true),
        logger: .disabled, handler: adapter)
    case .socket(let path):
      try Self.removeStaleSocket(path)
      server = HTTPServer(
        address: sockaddr_un.unix(path: path), timeout: 60, pool: NoDelayPool(isNetwork: false), logger: .disabled,
        handler: adapter)
    }
  }

  /// Serves until the task is cancelled; `whenListening` is given the port, or 0.
  ///
  /// - Throws: What keeps it from listening.
  package func run(whenListening: @escaping @Sendable (UInt16) -> Void) async throws {
    // A socket in a folder is for its owner only. The mask is that of the whole process: a port leaves it as it is.
    let mask: mode_t? = if case .socket = place { umask(0o077) } else { nil }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.run() }
      group.addTask {
        try await server.waitUntilListening(timeout: 10)
        if let mask { umask(mask) }
        whenListening(await port())
      }
      try await group.waitForAll()
    }
  }

  /// Ends it.
  package func stop() async {
    await server.stop(timeout: 0)
    if case .socket(let path) = place { try? FileManager.default.removeItem(atPath: path) }
  }

  private func port() async -> UInt16 {
    switch await server.listeningAddress {
    case .ip4(_, let port)?, .ip6(_, let port)?: port
    case .unix?, nil: 0
    }
  }

  /// Removes a socket that no process listens at.
  ///
  /// - Throws: `CocoaError` when the path is taken by another file, or a process listens.
  private static func removeStaleSocket(_ path: String) throws {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return }
    guard attributes[.type] as? FileAttributeType == .typeSocket else {
      throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: path])
    }
    let socket = try Socket(domain: AF_UNIX)
    defer { try? socket.close() }
    if (try? socket.connect(to: sockaddr_un.unix(path: path))) != nil {
      throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: path])
    }
    try FileManager.default.removeItem(atPath: path)
  }
}
