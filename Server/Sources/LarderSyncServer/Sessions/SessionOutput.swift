/// Where a session writes to: one connection of a device. May be used from any thread.
public protocol SessionOutput: Sendable {
  /// Takes one encoded frame at once, and never blocks. Frames are written in the order in which they come; after `close` they are dropped.
  func send(_ frame: [UInt8])

  /// How many bytes were handed over and are not written to the socket yet.
  var unwrittenBytes: Int { get }

  /// Closes the connection after what was handed over is written.
  func close()
}
