import LarderLocks

/// Lets a variable or parameter hold a live object or collection that any thread may read: `@ThreadSafe var person: Person?`.
///
/// Reading gives the counterpart of the reading thread's own Realm, as often as needed (O-115). That Realm moves to the newest version
/// first, so that what another thread wrote through the same variable is seen (F-145). The version of the last read stays in use until the
/// value is set or released.
@propertyWrapper
public final class ThreadSafe<T>: Sendable where T: ThreadConfined {
  private let handover: Lock<Handover<T>?>

  /// The value for the calling thread; nil when none was set, when it no longer exists, and when the store cannot be opened.
  ///
  /// Setting needs something managed and valid, on the thread it lives on; anything else is misuse (E-70).
  public var wrappedValue: T? {
    get {
      guard let current = handover.withLock({ $0 }) else { return nil }
      guard let core = try? RealmRegistry.shared.open(current.configuration, queue: nil) else { return nil }
      // A Realm without a version would begin at that of the reference, where what is deleted still lives.
      _ = core.currentSnapshot()
      core.moveToNewest()
      // A copy, so that every read is the first.
      guard let value = try? current.again().take(in: core) else { return nil }
      // From now on the version read is kept, not that of the first assignment.
      if current.isOlder(than: core), let newer = try? Handover(value) {
        handover.withLock { if $0?.isSame(as: current) ?? false { $0 = newer } }
      }
      return value
    }
    set {
      let new = orMisuse { try newValue.map { try Handover($0) } }
      handover.withLock { $0 = new }
    }
  }

  /// Something managed and valid, on the thread it lives on, or nil; anything else is misuse (E-70).
  public init(wrappedValue: T?) {
    handover = Lock(orMisuse { try wrappedValue.map { try Handover($0) } })
  }
}
