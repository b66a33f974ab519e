/// The state of a device besides commits and objects.
public struct DeviceHead: Hashable, Sendable {
  /// The site of the device.
  public internal(set) var site: SiteID
  /// The version up to which the server's log is applied.
  public internal(set) var cursor: UInt64?
  /// The epoch of the server's log.
  public internal(set) var epoch: UInt64
  /// The view that the device has.
  public internal(set) var view: ViewTag?
  /// The newest time seen.
  public internal(set) var newestTime: SyncTime
  /// The last of the site's commits.
  public internal(set) var lastSiteVersion: UInt64
  /// The last of them that the server has confirmed.
  public internal(set) var acknowledged: UInt64
  var skips: [PageRange]

  /// Makes the state of a device that has never spoken with the server.
  public init(site: SiteID) {
    self.site = site
    epoch = 0
    newestTime = SyncTime(rawValue: 0)
    lastSiteVersion = 0
    acknowledged = 0
    skips = []
  }
}

extension DeviceHead: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    site.encode(into: &encoder)
    encoder.flag(cursor != nil)
    if let cursor { encoder.writer.varint(cursor) }
    encoder.writer.varint(epoch)
    encoder.optional(view)
    newestTime.encode(into: &encoder)
    encoder.writer.varint(lastSiteVersion)
    encoder.writer.varint(acknowledged)
    encoder.array(skips)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    site = try SiteID(from: &decoder)
    cursor = try decoder.flag() ? try decoder.reader.varint() : nil
    epoch = try decoder.reader.varint()
    view = try decoder.optional()
    newestTime = try SyncTime(from: &decoder)
    lastSiteVersion = try decoder.reader.varint()
    acknowledged = try decoder.reader.varint()
    skips = try decoder.array(eachAtLeast: 4)
  }
}
