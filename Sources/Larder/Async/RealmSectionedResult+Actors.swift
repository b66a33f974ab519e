extension RealmSectionedResult {
  /// The same on an actor; returns once the observation is registered.
  public func observe<A>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken where A: Actor {
    await ActorObservation.observe(self, on: actor, _isolation: _isolation, block) {
      $0.observe(keyPaths: keyPaths, on: nil, $1)
    }
  }
}

extension RealmSectionedResult where Element: RealmSectionedResult, Element.Element: ObjectBase {
  public func observe<A>(
    keyPaths: [PartialKeyPath<Element.Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken where A: Actor {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }
}

extension RealmSectionedResult where Element: ObjectBase {
  public func observe<A>(
    keyPaths: [PartialKeyPath<Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken where A: Actor {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }
}
