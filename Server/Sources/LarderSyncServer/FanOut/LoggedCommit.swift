import LarderSyncProtocol

/// A commit of the log with what its objects were, and what views said of them.
struct LoggedCommit: Sendable {
  let merged: MergedCommit<ObjectSummary>
  /// The objects that a device may need whole, as the commit left them.
  let images: [ObjectName: [SyncProperty]]
  /// About how many bytes records of it take.
  let bytes: Int
  /// By view of a class, the transitions of the objects of that class by their index.
  private var transitions: [ClassView: [Int: ViewTransition]] = [:]

  init(_ merged: MergedCommit<ObjectSummary>, images: [ObjectName: [SyncProperty]], bytes: Int) {
    self.merged = merged
    self.images = images
    self.bytes = bytes
  }

  var version: UInt64 { merged.version }

  /// What a device with a view is sent of the commit; nil when it is nothing. A view of a class is asked about an object once, however many
  /// devices have it.
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
    return DownloadRecord(
      version: merged.version, time: merged.time, site: merged.site, own: marker, objects: objects)
  }

  private static let mostViews = 64

  private mutating func transition(_ index: Int, _ view: SyncView) -> ViewTransition {
    let touched = merged.objects[index]
    guard let classView = view.classes[touched.object.className] else {
      return ViewTransition(before: false, after: false)
    }
    if let known = transitions[classView]?[index] { return known }
    // Of views that each user has for itself, keeping all would cost more than asking again.
    if transitions.count >= Self.mostViews { transitions = [:] }
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
  init(_ record: ChangeRecord) throws(SyncStoreError) {
    var images: [ObjectName: [SyncProperty]] = [:]
    let merged = try MergedCommit(record, images: &images)
    self.init(merged, images: images, bytes: record.delta.count + 32)
  }
}
