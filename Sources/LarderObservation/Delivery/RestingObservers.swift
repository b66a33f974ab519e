import LarderStorage

/// Observers of single objects that know one version and have nothing to be notified of: found by class and key, so that a commit costs
/// what it changed, however many objects are observed.
///
/// All of them are at the same version, which is kept once. They go on to a newer one together, with the calls that it brings some of
/// them.
struct RestingObservers: Sendable {
  /// The observers that hear of the same changes of their objects.
  private struct Scope: Hashable, Sendable {
    let classID: ClassID
    let scope: ObjectScope
  }

  /// The changes that a version brings: for all of them, computed at once.
  struct Ready: Sendable {
    let snapshot: Snapshot
    fileprivate let known: Snapshot
    fileprivate let additions: Int
    /// The changes that are reported: thousands of observers get the same one.
    fileprivate var changes: [ObservedChange] = []
    /// The observers, each with the change that it is notified of, in order of registration.
    fileprivate(set) var told: [(id: Int, event: Int)] = []
  }

  /// The version that all of them know; nil when there are none.
  private(set) var snapshot: Snapshot?
  private var registrations: [Int: Registration] = [:]
  private var places: [Scope: [ObjectKey: [Int]]] = [:]
  /// The number of observers that were taken in.
  private var additions = 0

  var isEmpty: Bool { registrations.isEmpty }
  var count: Int { registrations.count }

  func call(of id: Int) -> (@Sendable (ObservationEvent) -> Void)? { registrations[id]?.call }

  /// Takes an observer in when it may rest; whether it does.
  mutating func add(_ registration: Registration) -> Bool {
    guard let place = Self.place(registration), let known = registration.known?.snapshot else { return false }
    guard isEmpty || known === snapshot else { return false }
    snapshot = known
    additions += 1
    registrations[registration.id] = registration.resting
    places[place.scope, default: [:]][place.key, default: []].append(registration.id)
    return true
  }

  /// Ends the rest of an observer; it is as it was before.
  mutating func remove(_ id: Int) -> Registration? {
    guard let registration = registrations.removeValue(forKey: id), let snapshot else { return nil }
    if let (scope, key) = Self.place(registration) {
      places[scope]?[key]?.removeAll { $0 == id }
      if places[scope]?[key]?.isEmpty == true { places[scope]?[key] = nil }
      if places[scope]?.isEmpty == true { places[scope] = nil }
    }
    if isEmpty { self.snapshot = nil }
    return registration.awake(at: snapshot)
  }

  private static func place(_ registration: Registration) -> (scope: Scope, key: ObjectKey)? {
    guard case .object(let object, let scope) = registration.subject, registration.mayRest else { return nil }
    return (Scope(classID: object.classID, scope: scope), object.key)
  }

  // MARK: - Newer versions

  /// Computes what a version brings; nil when it is not newer than what they know.
  ///
  /// - Parameter effort: How many objects may be looked at before `LinkWalker.TooMany` is thrown; nil for as many as it takes.
  func prepared(
    for newer: Snapshot, effort: Int? = nil, summary: (Snapshot) throws -> ChangeSummary
  ) throws(LinkWalker.TooMany) -> Ready? {
    guard let snapshot, snapshot !== newer, snapshot.moment <= newer.moment else { return nil }
    var ready = Ready(snapshot: newer, known: snapshot, additions: additions)
    do {
      let summary = try summary(snapshot)
      if summary.isEmpty { return ready }
      for (scope, objects) in places {
        try add(objects, to: &ready) {
          try ScopeChanges(
            scope.classID, scope.scope, older: snapshot, newer: newer, summary, effort: effort)
        }
      }
    } catch let error as LinkWalker.TooMany {
      throw error
    } catch {
      ready.changes = [.failed(StorageError(observing: error))]
      ready.told = registrations.keys.map { ($0, 0) }
    }
    ready.told.sort { $0.id < $1.id }
    return ready
  }

  /// Adds what the observers of one scope are notified of.
  private func add(
    _ objects: [ObjectKey: [Int]], to ready: inout Ready, _ find: () throws -> ScopeChanges
  ) throws {
    do {
      var found = try find()
      // The scope's changes come after those of the scopes before.
      let first = ready.changes.count
      var failures: [(ids: [Int], change: ObservedChange)] = []
      for key in found.candidates(among: objects) {
        do {
          guard let number = try found.changeNumber(of: key), let ids = objects[key] else { continue }
          for id in ids { ready.told.append((id, first + number)) }
        } catch {
          failures.append((objects[key] ?? [], .failed(StorageError(observing: error))))
        }
      }
      ready.changes += found.changes
      for (ids, change) in failures { ready.add(change, to: ids) }
    } catch let error as LinkWalker.TooMany {
      throw error
    } catch {
      ready.add(.failed(StorageError(observing: error)), to: objects.values.joined())
    }
  }

  /// Returns true if something was computed for exactly these observers.
  func accepts(_ ready: Ready) -> Bool { ready.known === snapshot && ready.additions == additions }

  /// Moves all of them on to a version; the calls that this brings, in order of registration, and those who have heard the last one:
  /// these no longer rest.
  mutating func take(_ ready: Ready) -> (calls: DueCalls, ended: [Registration]) {
    var calls = DueCalls()
    calls.add(
      ready.changes.map {
        ObservationEvent(change: $0, snapshot: ready.snapshot, previous: ready.known, keys: nil)
      }, to: ready.told)
    var ended: [Registration] = []
    if ready.changes.contains(where: \.isLast) {
      for (id, change) in ready.told where ready.changes[change].isLast {
        if let registration = remove(id) { ended.append(registration.ended) }
      }
    }
    if !isEmpty { snapshot = ready.snapshot }
    return (calls, ended)
  }
}

extension RestingObservers.Ready {
  /// Leaves out observers that rest no longer.
  mutating func leaveOut(_ ids: Set<Int>) { told.removeAll { ids.contains($0.id) } }

  var hasCalls: Bool { !told.isEmpty }

  fileprivate mutating func add(_ change: ObservedChange, to ids: some Sequence<Int>) {
    for id in ids { told.append((id, changes.count)) }
    changes.append(change)
  }
}

extension Registration {
  /// True if it waits for changes of one object, and nothing is ready for it.
  var mayRest: Bool {
    guard case .object = subject else { return false }
    return !hasEnded && ready == nil
  }
}
