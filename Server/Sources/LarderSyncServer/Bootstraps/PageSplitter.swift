import LarderSyncProtocol

/// Makes pages of a range of keys that was read at once, so that none is much larger than a frame should be.
struct PageSplitter {
  /// An object with what a page says of it and about how large that is.
  struct Item: Sendable {
    var object: ObjectName
    var delta: ObjectDelta?
    var bytes: Int
  }

  let className: SyncText
  let after: PrimaryKey?
  let through: PrimaryKey?
  let version: UInt64
  let ownSiteVersion: UInt64

  /// The pages of objects in the order of their keys. Their ranges follow one another and are together the whole range.
  func pages(_ items: [Item], bytes limit: Int) -> [BootstrapPage] {
    var pages: [BootstrapPage] = []
    var start = after
    var objects: [ObjectDelta] = []
    var bytes = 0
    for (index, item) in items.enumerated() {
      guard let delta = item.delta else { continue }
      objects.append(delta)
      bytes += item.bytes
      guard bytes >= limit, index < items.count - 1 else { continue }
      pages.append(page(after: start, through: item.object.key, objects))
      start = item.object.key
      objects = []
      bytes = 0
    }
    pages.append(page(after: start, through: through, objects))
    return pages
  }

  private func page(after: PrimaryKey?, through: PrimaryKey?, _ objects: [ObjectDelta]) -> BootstrapPage {
    BootstrapPage(
      part: UInt32(PartID.first.number), className: className, after: after, through: through, version: version,
      ownSiteVersion: ownSiteVersion, objects: objects)
  }
}
