import LarderSyncProtocol

/// One connection of a device, from its greeting to its end. May be used from any thread.
public final class DeviceSession: Sendable {
  private let output: any SessionOutput

  init(_ output: any SessionOutput) { self.output = output }

  /// Takes the bytes of one binary message of WebSocket, which has whole frames. Calls have to come one after the other, in the order of the
  /// messages; what takes long is done after the return.
  public func receive(_ bytes: [UInt8]) async {
    let failure = SyncFailure(.stopping, action: .reconnect, message: "The server is not ready.")
    output.send(SyncFrame(.failure(failure)).encoded())
    output.close()
  }

  /// Ends the session: the connection is closed. What was received is still merged.
  public func disconnected() async {}
}
