/// Whether a device has an object in its view before and after a version.
public struct ViewTransition: Hashable, Sendable {
  /// Before the version.
  public let before: Bool
  /// After the version.
  public let after: Bool

  /// Whether it was, and is.
  public init(before: Bool, after: Bool) {
    self.before = before
    self.after = after
  }
}

extension TouchedObject {
  /// What a device that did not make the commit is sent of the object; nil for nothing. `state` is the object as the commit left it.
  public func change(for view: ViewTransition, state: () -> ObjectState) -> ObjectChange? {
    change(for: view, image: { state().properties() })
  }

  /// As `change(for:state:)`, for a log that keeps what the object has in place of its state.
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

  /// What the device that made the commit is sent of the object beside what became of each operation (MR-2); nil when it has it right.
  public func changeForAuthor(for view: ViewTransition, state: () -> ObjectState) -> ObjectChange? {
    changeForAuthor(for: view, [], state: state)
  }

  /// As `changeForAuthor(for:state:)`, for a log that keeps what the object has in place of its state.
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
