import LarderSyncProtocol

/// The limits of a frame to a device. A value.
struct FrameCapacity: Hashable, Sendable {
  /// The limits within which devices decode frames.
  let limits: DecodingLimits
  /// Frames of so few bytes hold whatever is in them.
  let smallest: Int

  /// The capacity of frames of so many bytes.
  ///
  /// - Parameter beside: bytes, and items, that have to be left for what else is in the frame.
  init(frameBytes: UInt64 = SessionLimits.standard.frameBytes, beside: Int = 0) {
    var limits = DecodingLimits.standard
    limits.frameBytes = max(1, min(limits.frameBytes, Int(clamping: frameBytes)) - beside)
    // An item takes a byte at least.
    limits.items = max(1, limits.items - beside)
    self.limits = limits
    smallest = min(limits.frameBytes, limits.items) / 2
  }

  /// Returns true if a frame with a message can be sent. It costs time in the size of the message.
  func holds(_ message: SyncMessage, site: SiteID? = nil) -> Bool {
    holds(SyncFrame(message).encoded(site: site), site: site)
  }

  /// Returns true if an encoded frame can be sent.
  func holds(_ frame: [UInt8], site: SiteID?, compression: BodyCompression? = nil) -> Bool {
    if compression == nil, frame.count <= smallest { return true }
    // A short frame may be a long one that is compressed.
    if compression != nil, frame.count <= smallest / 1_100 { return true }
    return (try? SyncFrame(decoding: frame, limits: limits, site: site, compression: compression)) != nil
  }
}

extension FrameCapacity {
  /// Returns true if a device can be sent an object with these properties.
  func holds(_ object: ObjectName, _ properties: [SyncProperty]) -> Bool {
    let delta = ObjectDelta(object, .whole(properties))
    return holds(
      .bootstrapPage(
        BootstrapPage(
          className: object.className, after: nil, through: object.key, version: .max, ownSiteVersion: .max,
          objects: [delta])))
  }

  /// Returns true if a device that has all objects of a commit can be sent what changes in them, and the author what became of its operations.
  func holds(_ merged: MergedCommit<ObjectSummary>) -> Bool {
    let objects = merged.objects.filter { !$0.deltas.isEmpty }.map { ObjectDelta($0.object, .cells($0.deltas)) }
    let record = DownloadRecord(
      version: merged.version, time: merged.time, site: merged.site,
      own: OwnMarker(siteVersion: merged.siteVersion, results: merged.results), objects: objects)
    return holds(.download(Download(records: [record], cursor: [])), site: merged.site)
  }
}
