import LarderStorage

/// Observers of single objects that know one version and have nothing to be told: found by class and key, so that a commit costs
/// what it changed, however many objects are observed.
///
/// All of them are at the same version, which is kept once. An observer rests while its object has not changed since; `take` gives back
/// those whose object may have.
struct RestingObservers: Sendable {
  /// The version that all of them know; nil when there are none.
  private(set) var snapshot: Snapshot?
  private var registrations: [Int: Registration] = [:]
  private var places: [ClassID: [ObjectKey: [Int]]] = [:]

  var isEmpty: Bool { registrations.isEmpty }
  var count: Int { registrations.count }

  subscript(id: Int) -> Registration? { registrations[id] }

  /// Takes an observer in when it may rest; whether it does.
  mutating func add(_ registration: Registration) -> Bool {
    guard let object = registration.restingPlace, let known = registration.known?.snapshot else { return false }
    guard isEmpty || known === snapshot else { return false }
    snapshot = known
    registrations[registration.id] = registration.resting
    places[object.classID, default: [:]][object.key, default: []].append(registration.id)
    return true
  }

  mutating func remove(_ id: Int) -> Registration? {
    guard let registration = registrations.removeValue(forKey: id) else { return nil }
    if let object = registration.restingPlace {
      places[object.classID]?[object.key]?.removeAll { $0 == id }
      if places[object.classID]?[object.key]?.isEmpty == true { places[object.classID]?[object.key] = nil }
    }
    if isEmpty { self = RestingObservers() }
    return registration
  }

  /// All know a newer version, between which and theirs nothing happened to their objects.
  mutating func move(to newer: Snapshot) {
    if !isEmpty { snapshot = newer }
  }

  /// Removes and returns the observers whose objects may have changed since their version, in order of registration, each as it was
  /// before it rested.
  mutating func take(changedIn summary: ChangeSummary) -> [Registration] {
    guard let snapshot else { return [] }
    let ids = places.flatMap { classID, objects in Self.ids(objects, changedIn: summary, classID) }.sorted()
    return ids.compactMap { remove($0)?.awake(at: snapshot) }
  }

  private static func ids(
    _ objects: [ObjectKey: [Int]], changedIn summary: ChangeSummary, _ classID: ClassID
  ) -> [Int] {
    if summary.isUnknown(classID) { return objects.values.flatMap { $0 } }
    guard let changes = summary[classID] else { return [] }
    let ranges = [changes.deleted] + changes.modified.values
    // Whichever is shorter: the keys that changed, or those that are observed.
    if ranges.reduce(0, { $0 + $1.count }) > objects.count {
      return objects.flatMap { key, ids in ranges.contains { $0.contains(key) } ? ids : [] }
    }
    return Set(ranges.flatMap(\.keys)).flatMap { objects[$0] ?? [] }
  }
}

extension Registration {
  /// Whether it waits for changes of one object, and nothing is ready for it.
  var mayRest: Bool { restingPlace != nil }

  /// The object whose changes alone it waits for, when it may rest until they come; nil for any other observer.
  fileprivate var restingPlace: ObjectLink? {
    guard case .object(let object, scope: .own) = subject, !hasEnded, ready == nil else { return nil }
    return object
  }
}
