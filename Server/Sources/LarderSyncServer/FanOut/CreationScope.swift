import LarderSyncProtocol

/// The new objects that a device may send: those that one of its sets of subscriptions asks for (Y-26). A value.
///
/// Commits do not say under which set they were made. So the sets count that the store keeps of the device, and those that it has asked for in the
/// session: also the one whose bootstrap has not begun yet. What the user may read does not matter, since roles say what the user may create.
struct CreationScope: Hashable, Sendable {
  private var views: [SyncView] = []

  /// So many of the newest sets count.
  private static let mostViews = 16

  init() {}

  /// A set of subscriptions counts from now on.
  mutating func add(_ view: SyncView) {
    views.removeAll { $0 == view }
    views.append(view)
    if views.count > Self.mostViews { views.removeFirst() }
  }

  /// Returns true if the device may create an object with this summary.
  func contains(_ object: ObjectName, _ summary: ObjectSummary) -> Bool {
    views.contains { $0.classes[object.className]?.isAskedFor(summary) ?? false }
  }
}
