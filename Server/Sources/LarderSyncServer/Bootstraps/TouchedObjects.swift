import LarderSyncProtocol

/// The objects that the log touches after the version at which a device's stream stopped, for a bootstrap that is sent in the stream's place.
struct TouchedObjects: Sendable {
  /// The version up to which the log is noted.
  private(set) var through: UInt64
  /// The number of the device's first commit among those noted.
  private(set) var firstOwn: UInt64?
  /// The objects that were touched, by class, and whether the device may have them.
  private var objects: [SyncText: [PrimaryKey: Bool]] = [:]
  private let old: SyncView
  private let site: SiteID

  /// Nothing was touched since a version, at which a device had a view.
  init(since version: UInt64, old: SyncView, site: SiteID, classes: [SyncText]) {
    through = version
    self.old = old
    self.site = site
    for name in classes { objects[name] = [:] }
  }

  /// The number of touched objects.
  var count: Int { objects.values.reduce(0) { $0 + $1.count } }

  /// Notes the next commit.
  mutating func note(_ merged: MergedCommit<ObjectSummary>) {
    through = merged.version
    let isOwn = merged.site == site
    if isOwn, firstOwn == nil { firstOwn = merged.siteVersion }
    for touched in merged.objects {
      let (name, key) = (touched.object.className, touched.object.key)
      // The device has what it wrote itself, and what was in its view when its stream stopped. Pages that it was sent before may be of a later
      // version than that, so that it may also have what came into its view since.
      let mayHave = isOwn || old.contains(touched.object, touched.before) || old.contains(touched.object, touched.after)
      guard let known = objects[name]?[key] else {
        objects[name]?[key] = mayHave
        continue
      }
      if mayHave, !known { objects[name]?[key] = true }
    }
  }

  /// Returns true if the device may have an object that was touched; nil for one that was not.
  func mayHave(_ object: ObjectName) -> Bool? { objects[object.className]?[object.key] }

  /// The touched objects of a class in a range of keys.
  func names(of className: SyncText, after: PrimaryKey?, through: PrimaryKey?) -> [ObjectName] {
    (objects[className] ?? [:]).keys.filter { key in
      after.map { $0 < key } ?? true && through.map { key <= $0 } ?? true
    }.map { ObjectName(className: className, key: $0) }
  }
}
