import FlyingFox
import FlyingSocks
import Foundation

/// Who waits for the answer to a request, as long as the connection that it came over is open.
///
/// FlyingFox reads a connection again when an answer was written, and hands on only where its client is: the socket is looked for among those
/// of this process, which are few. Clients of a socket in a folder have no address, and are not known to leave.
struct WaitingClient: Sendable {
  private let address: HTTPRequest.Address

  /// Nil for a client without an address.
  init?(_ address: HTTPRequest.Address?) {
    guard let address else { return nil }
    if case .unix = address { return nil }
    self.address = address
  }

  /// Whether it has closed the connection. Takes some system calls for each descriptor of the process.
  var hasLeft: Bool {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd") else { return false }
    return !names.lazy.compactMap { Int32($0) }.contains { isOpenSocket($0) }
  }

  /// Whether a descriptor is of its connection, and the other side is open. One that was reset has no address any more.
  private func isOpenSocket(_ descriptor: Int32) -> Bool {
    guard let peer = try? Socket(file: Socket.FileDescriptor(rawValue: descriptor)).remotePeer(),
      HTTPRequest.Address.make(from: peer) == address
    else { return false }
    var byte: UInt8 = 0
    // Nothing at the end, which stays to be read; else the next request, or the error that there is none yet.
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) != 0
  }
}
