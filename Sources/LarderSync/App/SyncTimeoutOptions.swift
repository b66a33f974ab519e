import Foundation

/// The times that connections wait, in milliseconds.
public final class SyncTimeoutOptions: NSObject, NSCopying {
  var values: TimeoutValues

  /// The options by name; each is described at the property of its name.
  public init(
    connectTimeout: UInt? = nil, connectionLingerTime: UInt? = nil, pingKeepalivePeriod: UInt? = nil,
    pongKeepaliveTimeout: UInt? = nil, fastReconnectLimit: UInt? = nil
  ) {
    values = TimeoutValues()
    if let connectTimeout { values.connect = connectTimeout }
    if let connectionLingerTime { values.linger = connectionLingerTime }
    if let pingKeepalivePeriod { values.ping = pingKeepalivePeriod }
    if let pongKeepaliveTimeout { values.silence = pongKeepaliveTimeout }
    if let fastReconnectLimit { values.fastReconnect = fastReconnectLimit }
  }

  init(_ values: TimeoutValues) { self.values = values }

  /// The time for a connection and the server's answer to the greeting; 30,000 unless set.
  public var connectTimeout: UInt {
    get { values.connect }
    set { values.connect = newValue }
  }
  /// The longest time that a session goes on after the last Realm of the store was closed (Y-58); 30,000 unless set.
  public var connectionLingerTime: UInt {
    get { values.linger }
    set { values.linger = newValue }
  }
  /// Silence after which a ping is sent; 15,000 unless set.
  public var pingKeepalivePeriod: UInt {
    get { values.ping }
    set { values.ping = newValue }
  }
  /// Silence after which the connection is given up; 30,000 unless set.
  public var pongKeepaliveTimeout: UInt {
    get { values.silence }
    set { values.silence = newValue }
  }
  /// Not used: uploads never wait for downloads.
  public var fastReconnectLimit: UInt {
    get { values.fastReconnect }
    set { values.fastReconnect = newValue }
  }

  public override func copy() -> Any { copy(with: nil) }

  /// Options of their own with the same values.
  public func copy(with zone: NSZone? = nil) -> Any { SyncTimeoutOptions(values) }
}

/// The times that connections wait, in milliseconds.
struct TimeoutValues: Hashable, Sendable {
  var connect: UInt = 30_000
  var linger: UInt = 30_000
  var ping: UInt = 15_000
  var silence: UInt = 30_000
  var fastReconnect: UInt = 60_000

  /// The timeouts in the form of an engine's.
  var engine: EngineTimeouts {
    var timeouts = EngineTimeouts()
    timeouts.connect = .milliseconds(Int64(clamping: connect))
    timeouts.ping = .milliseconds(Int64(clamping: ping))
    timeouts.silence = .milliseconds(Int64(clamping: silence))
    return timeouts
  }
}
