import LarderSyncProtocol

/// One connection of a device, from its greeting to its end. May be used from any thread.
public final class DeviceSession: Sendable {
  let core: SessionCore

  init(_ core: SessionCore) { self.core = core }

  /// Takes the bytes of one binary message of WebSocket, which has whole frames. Calls have to come one after the other, in the order of the
  /// messages; what takes long is done after the return.
  public func receive(_ bytes: [UInt8]) async { await core.receive(bytes) }

  /// Ends the session: the connection is closed. What was received is still merged.
  public func disconnected() async { await core.close() }
}
