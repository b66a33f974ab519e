import LarderSyncProtocol

/// A commit of the log with what its objects were, and what views said of them.
struct LoggedCommit: Sendable {
  let merged: MergedCommit<ObjectSummary>
  /// The objects that a device may need whole, as the commit left them.
  let images: [ObjectName: [SyncProperty]]
  /// The newest time of the log when the commit was read: nothing in its images is newer.
  let newest: SyncTime
  /// About how many bytes records of it take.
  let bytes: Int
  /// The number of bytes of the log that the commit was made of: the commit takes a multiple of that in memory.
  let loggedBytes: Int
  /// The transitions of the objects of a class by their index, by view of the class.
  private var transitions: [ClassView: [Int: ViewTransition]] = [:]

  init(
    _ merged: MergedCommit<ObjectSummary>, images: [ObjectName: [SyncProperty]], newest: SyncTime? = nil, bytes: Int,
    loggedBytes: Int? = nil
  ) {
    self.merged = merged
    self.images = images
    self.newest = max(newest ?? merged.time, merged.time)
    self.bytes = bytes
    self.loggedBytes = loggedBytes ?? bytes
  }

  var version: UInt64 { merged.version }

  /// Returns the record of the commit for a device with a view; nil when the device is sent nothing. A view of a class tests an object once, however
  /// many devices have it.
  mutating func record(for view: SyncView, isOwn: Bool) -> DownloadRecord? {
    var objects: [ObjectDelta] = []
    for index in merged.objects.indices {
      let touched = merged.objects[index]
      let transition = transition(index, view)
      let image = { [images] in images[touched.object] ?? [] }
      let change =
        isOwn ? touched.changeForAuthor(for: transition, image: image) : touched.change(for: transition, image: image)
      if let change { objects.append(ObjectDelta(touched.object, change)) }
    }
    guard isOwn || !objects.isEmpty else { return nil }
    let marker = isOwn ? OwnMarker(siteVersion: merged.siteVersion, results: merged.results) : nil
    // A device that changes what it saw needs a time after all of it, and what comes whole has newer parts than the commit.
    let time = objects.contains { $0.change.showsState } ? newest : merged.time
    return DownloadRecord(version: merged.version, time: time, site: merged.site, own: marker, objects: objects)
  }

  private static let mostViews = 64
  /// Of commits with many objects, fewer views are kept.
  private static let mostTransitions = 16_384

  private mutating func transition(_ index: Int, _ view: SyncView) -> ViewTransition {
    let touched = merged.objects[index]
    guard let classView = view.classes[touched.object.className] else {
      return ViewTransition(before: false, after: false)
    }
    if let known = transitions[classView]?[index] { return known }
    // Of views that each user has for itself, keeping all would cost more than asking again.
    let isFull = transitions.count * merged.objects.count >= Self.mostTransitions && transitions[classView] == nil
    if isFull || transitions.count >= Self.mostViews { transitions = [:] }
    let transition = ViewTransition(
      before: classView.contains(touched.before), after: classView.contains(touched.after))
    transitions[classView, default: [:]][index] = transition
    return transition
  }
}

extension LoggedCommit {
  /// The commit of a row of the log.
  ///
  /// - Throws: `SyncStoreError` of kind `damaged`.
  init(_ record: ChangeRecord, newest: SyncTime) throws(SyncStoreError) {
    var images: [ObjectName: [SyncProperty]] = [:]
    let merged = try MergedCommit(record, images: &images)
    self.init(
      merged, images: images, newest: newest, bytes: record.delta.count + 32,
      loggedBytes: record.delta.count + record.before.count + 32)
  }
}

extension ObjectChange {
  /// True if it has the state of properties, and not what changed in them.
  fileprivate var showsState: Bool {
    switch self {
    case .whole, .columns: true
    case .cells, .gone: false
    }
  }
}
