/// Observes from an actor: registers with the actor's own Realm, and calls a block that is isolated to the actor (N-62). In a
/// cancelled task nothing is registered, and the token is one of nothing.
enum ActorObservation {
  /// Suspends until the observation is registered.
  ///
  /// - Parameters:
  ///   - source: What to observe; used where it lives before the first suspension only.
  ///   - register: Observes the counterpart in the actor's Realm, on the actor.
  static func observe<A: Actor, Source: ThreadConfined, Change>(
    _ source: Source, on actor: A, _isolation: isolated (any Actor)?,
    _ block: @escaping @Sendable (isolated A, Change) -> Void,
    _ register: @escaping (Source, @escaping (Change) -> Void) -> NotificationToken
  ) async -> NotificationToken {
    source.realm?.core.checkObservable()
    let handover = orMisuse { try Handover(source) }
    return await begin(on: actor, handover.configuration, _isolation: _isolation, block) { core, call in
      guard let moved = orMisuse({ try handover.take(in: core) }) else { return NotificationToken() }
      return register(moved, call)
    }
  }

  /// The same for an object, which may be deleted before that: its observer is notified, and of all changes since this call.
  ///
  /// - Parameter told: What news of the object is to the observer; nil for nothing.
  static func observe<A: Actor, T: ObjectBase, Change>(
    _ object: ObjectBase, _ keyPaths: [String]?, on actor: A, _isolation: isolated (any Actor)?,
    _ block: @escaping @Sendable (isolated A, Change) -> Void, _ told: @escaping (ObjectNews<T>) -> Change?
  ) async -> NotificationToken {
    let configuration = ObjectObservation.observable(object).host.core.configuration
    let register: (RealmCore, @escaping (ObjectNews<T>) -> Void) -> NotificationToken =
      ObjectObservation.moving(object, keyPaths)
    return await begin(on: actor, configuration, _isolation: _isolation, block) { core, call in
      register(core) { change in if let change = told(change) { call(change) } }
    }
  }

  private static func begin<A: Actor, Change>(
    on actor: A, _ configuration: Realm.Configuration, _isolation: isolated (any Actor)?,
    _ block: @escaping @Sendable (isolated A, Change) -> Void,
    _ register: @escaping (RealmCore, @escaping (Change) -> Void) -> NotificationToken
  ) async -> NotificationToken {
    // Used on the actor only.
    if Task.isCancelled { return NotificationToken() }
    let begin = UncheckedBox { [weak actor] (core: RealmCore) -> NotificationToken in
      // Weak: the actor usually owns the token, and the token this block.
      register(core) { change in
        guard let actor else { return }
        let change = UncheckedBox(change)
        actor.assumeIsolated { block($0, change.value) }
      }
    }
    let token = await run(on: actor) { actor in
      // Cancelled on the way: nothing is registered then either.
      if Task.isCancelled { return UncheckedBox(NotificationToken()) }
      return UncheckedBox(begin.value(orMisuse { try RealmRegistry.shared.open(configuration, .on(actor)) }))
    }
    return token.value
  }

  private static func run<A: Actor, Result: Sendable>(
    on actor: isolated A, _ body: @Sendable (isolated A) -> Result
  ) async -> Result { body(actor) }
}

extension RealmCollection {
  /// Calls the block on an actor with the collection and what changed; returns once the observation is registered.
  ///
  /// The collection passed to the block belongs to the actor. Otherwise as `observe(keyPaths:on:_:)` for queues. Rule N-62.
  public func observe<A>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken where A: Actor {
    await ActorObservation.observe(self, on: actor, _isolation: _isolation, block) {
      $0.observe(keyPaths: keyPaths, on: nil, $1)
    }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The same, hearing of modifications of some properties only.
  public func observe<A>(
    keyPaths: [PartialKeyPath<Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken where A: Actor {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }
}

extension RealmKeyedCollection {
  /// Calls the block on an actor with the map, and with the keys that come, go and change; returns once the observation is
  /// registered.
  public func observe<A>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Self>) -> Void
  ) async -> NotificationToken where A: Actor {
    await ActorObservation.observe(self, on: actor, _isolation: _isolation, block) {
      $0.observe(keyPaths: keyPaths, on: nil, $1)
    }
  }
}

extension RealmKeyedCollection where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
  /// The same, hearing of modifications of some properties only.
  public func observe<A>(
    keyPaths: [PartialKeyPath<Value.Wrapped>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Self>) -> Void
  ) async -> NotificationToken where A: Actor {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }
}

extension Object {
  /// Calls the block on an actor when properties of the object change and when it is deleted; returns once the observation is
  /// registered.
  ///
  /// The object passed to the block belongs to the actor. Rule N-62.
  public func observe<A, T>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken where A: Actor, T: Object {
    await ActorObservation.observe(self, keyPaths, on: actor, _isolation: _isolation, block) { $0.change }
  }

  /// The same for some of its properties.
  public func observe<A, T>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken where A: Actor, T: Object {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }
}

extension EmbeddedObject {
  /// Calls the block on an actor when properties of the object change and when it is deleted; returns once the observation is
  /// registered.
  public func observe<A, T>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken where A: Actor, T: ObjectBase {
    await ActorObservation.observe(self, keyPaths, on: actor, _isolation: _isolation, block) { $0.change }
  }

  /// The same for some of its properties.
  public func observe<A, T>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken where A: Actor, T: ObjectBase {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }
}

extension ProjectionObservable {
  /// Calls the block on an actor when projected properties change, and when the object is deleted; returns once the observation
  /// is registered.
  public func observe<A>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken where A: Actor {
    let (wanted, told) = translation(keyPaths)
    return await ActorObservation.observe(rootObject, wanted, on: actor, _isolation: _isolation, block, told)
  }

  /// The same for some of the projection's own properties.
  public func observe<A>(
    keyPaths: [PartialKeyPath<Self>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken where A: Actor {
    await observe(keyPaths: keyPaths.map { Self.path(of: $0) }, on: actor, _isolation: _isolation, block)
  }
}
