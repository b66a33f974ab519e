import LarderStorage

/// Carries a live object or collection to another thread, queue or actor, where `Realm.resolve(_:)` makes it live again.
///
/// Keeps the version it was made at until it is resolved or released. May be passed anywhere, and resolved once (O-113).
public struct ThreadSafeReference<Confined> where Confined: ThreadConfined {
  private let handover: Handover<Confined>

  /// A reference to something managed and valid, made where that lives; anything else is misuse (E-70).
  ///
  /// Inside a write transaction it refers to what the transaction makes: what was created in it resolves once it is committed, and
  /// to nil when it is cancelled. Elsewhere, while the transaction is open, resolving gives the last committed state; for what
  /// that does not have it gives nil, and the reference may be resolved again.
  ///
  /// ```swift
  /// let reference = ThreadSafeReference(to: person)
  /// ```
  ///
  /// Misuse for what is unmanaged or deleted; `realm.throwing.reference(to:)` throws instead. Made on the thread that the value belongs to, and
  /// passed to any other. Costs some microseconds, and keeps the version in the file until it is resolved.
  public init(to threadConfined: Confined) { handover = orMisuse { try Handover(threadConfined) } }

  init(_ handover: Handover<Confined>) { self.handover = handover }

  /// A Boolean value that says whether the reference was resolved already.
  public var isInvalidated: Bool { handover.isSpent }

  func take(in core: RealmCore) throws -> Confined? { try handover.take(in: core) }
}

extension ThreadSafeReference: Sendable {}

extension Realm {
  /// The live counterpart of what a reference was made to, in this Realm; nil when it no longer exists or belongs to another
  /// store.
  ///
  /// A Realm at an older version moves to the reference's first and delivers the notifications due; one without a version starts
  /// at it; one at a newer version stays there (O-114). Resolving a second time is misuse.
  ///
  /// ```swift
  /// let resolved = realm.resolve(reference)
  /// ```
  ///
  /// Misuse for a reference that was resolved before; `realm.throwing.resolve` throws instead. On the thread of this Realm. Costs some
  /// microseconds.
  public func resolve<Confined>(_ reference: ThreadSafeReference<Confined>) -> Confined?
  where Confined: ThreadConfined {
    orMisuse { try reference.take(in: core) }
  }
}

extension Throwing<Realm> {
  /// `Realm.resolve(_:)` that throws when the reference was resolved before.
  public func resolve<Confined>(_ reference: ThreadSafeReference<Confined>) throws(Realm.Error) -> Confined?
  where Confined: ThreadConfined {
    try orRealmError { try reference.take(in: base.core) }
  }

  /// `ThreadSafeReference.init(to:)` that throws for what is unmanaged, deleted or of another Realm.
  public func reference<Confined>(to confined: Confined) throws(Realm.Error) -> ThreadSafeReference<Confined>
  where Confined: ThreadConfined {
    try orRealmError {
      if let other = confined.realm, other.core.store !== base.core.store {
        throw Realm.Error.invalid("This \(Confined.self) belongs to another Realm.")
      }
      return ThreadSafeReference(try Handover(confined))
    }
  }
}
