import Dispatch
import LarderLocks
import LarderStorage

/// Follows the commits of one store, by any process, and keeps its observers' change sets ready.
///
/// It works on a background queue of its own; nothing here runs on an observing thread except what that thread asks
/// for.
package final class StoreObserver: Sendable {
  private struct WeakGroup {
    weak var group: ObservationGroup?
  }

  private struct Shared {
    var groups: [WeakGroup] = []
    var isScheduled = false
    var commitToken: Int?
    var watch: CommitWatch?
  }

  package let store: Store
  private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let shared = Lock(Shared())

  /// - Parameters:
  ///   - isShared: Whether other processes may commit; only then is the file watched, which costs each commit some microseconds.
  ///   - schedule: Runs work in the background, one piece after the other; tests give their own.
  package init(
    store: Store, isShared: Bool = true, schedule: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil
  ) {
    self.store = store
    if let schedule {
      self.schedule = schedule
    } else {
      let queue = DispatchQueue(label: "larder.observer", qos: .userInitiated)
      self.schedule = { work in queue.async(execute: work) }
    }
    let token = store.addCommitHandler { [weak self] _ in self?.wakeAfterCommit() }
    // Without a watch (the file was deleted, or the system has none left) commits of this process are still followed.
    let watch = isShared ? try? store.watchCommits { [weak self] in self?.wake() } : nil
    shared.withLock {
      $0.commitToken = token
      $0.watch = watch
    }
  }

  deinit {
    if let token = shared.withLock({ $0.commitToken }) { store.removeCommitHandler(token) }
  }

  /// The observer of a store, made when there is none; `isShared` as in `init`.
  package static func shared(for store: Store, isShared: Bool = true) -> StoreObserver {
    StoreObservers.shared.observer(of: store, isShared: isShared)
  }

  /// Returns true if an observer in this process observes objects or results of a store.
  package static func isObserved(_ store: Store) -> Bool { store.isObserved }

  /// A group of observers for one observing side.
  ///
  /// - Parameters:
  ///   - moment: Where the owner is.
  ///   - target: Where the owner lives.
  ///   - turn: Called there when a newer version or calls are ready.
  package func makeGroup(
    at moment: Moment, target: any DeliveryTarget, turn: @escaping @Sendable () -> Void
  ) -> ObservationGroup {
    let group = ObservationGroup(observer: self, moment: moment, target: target, turn: turn)
    shared.withLock { shared in
      shared.groups.removeAll { $0.group == nil }
      shared.groups.append(WeakGroup(group: group))
    }
    return group
  }

  /// Looks for a new version soon. Cheap, from any thread; several calls become one look.
  package func wake() {
    let isFirst = shared.withLock { shared -> Bool in
      defer { shared.isScheduled = true }
      return !shared.isScheduled
    }
    guard isFirst else { return }
    schedule { [weak self] in self?.look(attempt: 0) }
  }

  /// Looks for the version just committed in this process, unless only the committing side waits for it.
  private func wakeAfterCommit() {
    if shared.withLock({ $0.groups.contains { $0.group?.wantsWaking ?? false } }) { wake() }
  }

  /// Computes in the background what a group's observers will be notified of at a version, then calls `done` there.
  package func prepare(_ group: ObservationGroup, for snapshot: Snapshot, done: @escaping @Sendable () -> Void) {
    schedule {
      group.computeReady(for: snapshot)
      done()
    }
  }

  /// Computes in the background the first calls of a group whose owner stays at a version, which is not the newest.
  func computeInitials(of group: ObservationGroup, at snapshot: Snapshot) {
    schedule { [weak group] in group?.computeInitials(at: snapshot) }
  }

  /// A commit of another process is in the file, and the watch has told of it, a moment before readers can begin at it; a busy
  /// system may stop that process in between. Nothing would tell again, so the look is repeated: ten times within a second,
  /// because a process that was killed there never lets readers begin.
  private static let mostAttempts = 10

  private func look(attempt: Int) {
    let groups = shared.withLock { shared -> [ObservationGroup] in
      shared.isScheduled = false
      return shared.groups.compactMap(\.group)
    }
    guard !groups.isEmpty else { return }
    // Nil while no reader slot is free.
    let snapshot = try? store.snapshot()
    if let snapshot { for group in groups { group.follow(to: snapshot) } }
    guard attempt < Self.mostAttempts, !(snapshot.map { store.isCurrent($0) } ?? false) else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1 << attempt)) { [weak self] in
      self?.schedule { [weak self] in self?.look(attempt: attempt + 1) }
    }
  }
}

/// The observers of the stores that are open in this process.
private final class StoreObservers: Sendable {
  static let shared = StoreObservers()

  private struct Entry {
    weak var observer: StoreObserver?
  }

  private let entries = Lock<[ObjectIdentifier: Entry]>([:])

  func observer(of store: Store, isShared: Bool) -> StoreObserver {
    entries.withLock { entries in
      entries = entries.filter { $0.value.observer != nil }
      if let found = entries[ObjectIdentifier(store)]?.observer { return found }
      let observer = StoreObserver(store: store, isShared: isShared)
      entries[ObjectIdentifier(store)] = Entry(observer: observer)
      return observer
    }
  }
}
