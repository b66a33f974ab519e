/// A receiver of the messages of one connection.
public protocol ConnectionSession: Sendable {
  /// Takes one message. Calls come one after the other, in the order of the messages.
  func receive(_ bytes: [UInt8]) async

  /// The connection has ended; it is the last call.
  func disconnected() async
}

/// A source of sessions, one for each connection. May be used from any thread.
public protocol SessionSource: Sendable {
  associatedtype Session: ConnectionSession

  /// A session for a connection that was just made.
  ///
  /// - Parameter peer: The address of the other side, for the log.
  func connect(_ output: any SessionOutput, peer: String) -> Session
}

extension DeviceSession: ConnectionSession {}

extension SyncHub: SessionSource {}
