import CPQ
import Foundation

/// A connection that listens to a channel and sends to it. Belongs to one thread.
final class PostgresNotifications {
  private let connection: PostgresConnection
  private let channel: String

  /// - Parameter channel: letters and `_`.
  init(_ location: PostgresLocation, channel: String) throws(SQLFailure) {
    self.channel = channel
    connection = try PostgresConnection(location)
    _ = try connection.rows(SQLStatement("LISTEN \(channel)")())
  }

  /// Sends texts in one transaction.
  func send(_ texts: [String]) throws(SQLFailure) {
    let statement = SQLStatement("SELECT CAST(pg_notify('\(channel)', $1) AS TEXT)", [.text])
    _ = try connection.run(texts.map { statement(.text($0)) })
  }

  /// Waits until something comes, a byte can be read from a descriptor, or the time is over.
  ///
  /// - Returns: the texts that have come.
  func wait(for time: Duration, or descriptor: Int32) throws(SQLFailure) -> [String] {
    var waiting = [
      pollfd(fd: PQsocket(connection.handle), events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let (seconds, attoseconds) = time.components
    poll(&waiting, 2, Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000))
    guard PQconsumeInput(connection.handle) == 1, PQstatus(connection.handle) == CONNECTION_OK else {
      throw SQLFailure(
        SyncStoreError(.unavailable, "the connection for hints was lost", location: connection.location),
        repeating: .connection)
    }
    var texts: [String] = []
    while let notification = PQnotifies(connection.handle) {
      texts.append(String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
    return texts
  }
}
