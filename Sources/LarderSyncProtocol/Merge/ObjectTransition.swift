/// The membership of an object in a device's view, before and after a version.
public struct ViewTransition: Hashable, Sendable {
  /// True if the object is in the view before the version.
  public let before: Bool
  /// True if the object is in the view after the version.
  public let after: Bool

  /// Makes the transition from whether the object was in the view, and whether it is.
  public init(before: Bool, after: Bool) {
    self.before = before
    self.after = after
  }
}

extension TouchedObject {
  /// Returns the change that a device that did not make the commit is sent of the object; nil for nothing. `state` is the object as the commit left
  /// it.
  public func change(for view: ViewTransition, state: () -> ObjectState) -> ObjectChange? {
    change(for: view, image: { state().properties() })
  }

  /// Returns the change as `change(for:state:)` does, for a log that keeps what the object has in place of its state.
  public func change(for view: ViewTransition, image: () -> [SyncProperty]) -> ObjectChange? {
    switch (view.before, view.after) {
    case (true, true):
      if changesAll { return .whole(image()) }
      return deltas.isEmpty ? nil : .cells(deltas)
    case (false, true): return .whole(image())
    case (true, false): return .gone
    case (false, false): return nil
    }
  }

  /// Returns the change that the device that made the commit is sent of the object besides the results of its operations (MR-2); nil when it has it
  /// right.
  public func changeForAuthor(for view: ViewTransition, state: () -> ObjectState) -> ObjectChange? {
    changeForAuthor(for: view, [], state: state)
  }

  /// Returns the change as `changeForAuthor(for:state:)` does, for a log that keeps what the object has in place of its state.
  public func changeForAuthor(for view: ViewTransition, image: () -> [SyncProperty]) -> ObjectChange? {
    changeForAuthor(for: view, [], image: image)
  }

  func changeForAuthor(
    for view: ViewTransition, _ research: ResearchRules, state: () -> ObjectState
  ) -> ObjectChange? {
    changeForAuthor(for: view, research, image: { state().properties() })
  }

  private func changeForAuthor(
    for view: ViewTransition, _ research: ResearchRules, image: () -> [SyncProperty]
  ) -> ObjectChange? {
    if research.contains(.authorKeepsView), !authorNeedsAll, view.before || view.after {
      return columns.isEmpty ? nil : .columns(columns)
    }
    guard view.after else { return .gone }
    if authorNeedsAll || !view.before && !isNew { return .whole(image()) }
    return columns.isEmpty ? nil : .columns(columns)
  }
}
