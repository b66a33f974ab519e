/// The connection of a device that a session writes to. May be used from any thread.
public protocol SessionOutput: Sendable {
  /// Takes one encoded frame at once, and never blocks. Frames are written in the order in which they come; after `close` they are dropped.
  func send(_ frame: [UInt8])

  /// The number of bytes that were handed over and are not written to the socket yet.
  var unwrittenBytes: Int { get }

  /// Closes the connection after what was handed over is written.
  func close()
}
