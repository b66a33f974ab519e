import Foundation
import LarderSyncProtocol
import Logging

/// The configuration of a hub.
public struct HubConfiguration: Sendable {
  /// The source of the schemas and rules of tenants.
  public var tenants: any TenantDirectory
  /// The limits of sessions.
  public var limits: SessionLimits
  /// Makes frames shorter for devices that expand them; nil sends all as they are.
  public var compression: BodyCompression?
  /// The largest number of objects that are read for one page of a bootstrap.
  public var pageObjects: Int
  /// A frame of a page or of records is full at so many bytes; one object may make it larger.
  public var frameBytes: Int
  /// The number of bytes not written yet at which a session waits with more.
  public var mostUnwrittenBytes: Int
  /// A connection that takes nothing for so many milliseconds while bytes wait is closed; its device goes on from its cursor later.
  public var slowestMilliseconds: Int64
  /// The number of the newest commits of each tenant that are kept in memory while it has sessions.
  public var ringCommits: Int
  /// The largest number of bytes of the log that these commits are of; they take a multiple of that in memory.
  public var ringBytes: Int
  /// A device that lacks more than so many bytes of the log gets the state of what it sees where that is less.
  public var historyBytes: Int
  /// The limits of what each device may upload and ask for.
  public var devices: DeviceLimits
  /// The interval at which the hub looks at the configuration of tenants with sessions again, in milliseconds.
  public var configurationMilliseconds: Int64
  /// True if a token that names no tenant is for all of them. It is refused otherwise.
  public var acceptsTokensWithoutTenant = false
  /// The interval at which the hub removes what is older than tenants keep it, in milliseconds.
  public var trimmingMilliseconds: Int64 = 600_000
  /// The time in milliseconds since 1970.
  public var clock: @Sendable () -> Int64
  /// Measures merging; nothing is measured unless it is set.
  public var metrics = MergingMetrics()
  /// The log for what an operator should know.
  public var logger: Logger

  /// The capacity of the frames of pages and records, with room for what else is in a page beside one object.
  var capacity: FrameCapacity {
    FrameCapacity(
      frameBytes: limits.frameBytes, beside: min(frameBytes, Int(clamping: limits.frameBytes) / 4) + 4_096)
  }

  /// A configuration with the usual values.
  public init(tenants: any TenantDirectory, limits: SessionLimits = .standard, compression: BodyCompression? = nil) {
    self.tenants = tenants
    self.limits = limits
    self.compression = compression
    pageObjects = 1_000
    frameBytes = 256 << 10
    mostUnwrittenBytes = 1 << 20
    slowestMilliseconds = 30_000
    ringCommits = 1_024
    ringBytes = 8 << 20
    historyBytes = 1 << 20
    devices = DeviceLimits()
    configurationMilliseconds = 5_000
    clock = { Int64(Date().timeIntervalSince1970 * 1000) }
    logger = Logger(label: "larder-sync.hub")
  }
}
