import Foundation
import LarderExchange
import LarderInspection
import LarderLocks
import LarderObservation
import LarderStorage

/// The notifications of one page: numbers of objects, and the changes in the queries that it follows.
///
/// Works on a queue of its own, when a commit of any process wakes it; at least 50 ms are between two pieces. It holds the newest version
/// only: it releases an older one when the next is there.
final class EventFeed: Sendable {
  private struct Direct: DeliveryTarget {
    func deliver(_ block: @escaping @Sendable () -> Void) { block() }
  }

  private struct State {
    var before: Snapshot?
    /// The keys that each topic found last, by its place.
    var keys: [Int: KeySequence] = [:]
    var pending: [(topic: EventTopic, event: ObservationEvent)] = []
    var handles: [ObservationHandle] = []
    var group: ObservationGroup?
    var watch: CommitWatch?
    var token: Int?
    var isScheduled = false
    var isEnded = false
    var lastWork = DispatchTime(uptimeNanoseconds: 0)
    var lastPiece = DispatchTime.now()
  }

  private let studio: StudioStore
  private let topics: [EventTopic]
  private let state = Lock(State())
  private let queue = DispatchQueue(label: "larder.studio.events")
  let outbox = Outbox()

  /// Between two pieces at least.
  private static let pause = 50
  /// Seconds of silence after which a comment is sent: that a page is closed is noticed by what is written to it, for the second time.
  private static let silence = 5

  init(_ studio: StudioStore, _ topics: [EventTopic]) { (self.studio, self.topics) = (studio, topics) }

  /// Begins: the first pieces are the numbers of objects and of results.
  ///
  /// - Parameter last: The version that the page has seen, if it was here before.
  func start(at snapshot: Snapshot, last: UInt64?) throws {
    outbox.add("retry: 300\n\n")
    for topic in topics {
      switch try last.map({ try MissedPiece.answer(topic, after: $0, snapshot) }) ?? .nothing {
      case .nothing: break
      case .change(let value): outbox.add(piece("change", snapshot.version, value))
      case .unknown: outbox.add(reset(topic.id, snapshot.version))
      }
    }
    outbox.add(try store(snapshot))
    let group = StoreObserver.shared(for: studio.store).makeGroup(at: snapshot.moment, target: Direct()) {
      [weak self] in
      self?.wake()
    }
    let handles = topics.map { topic in
      group.observe(.query(ObservedResults(topic.query), scope: .standard)) { [weak self] event in
        self?.state.withLock { $0.pending.append((topic, event)) }
      }
    }
    let token = studio.store.addCommitHandler { [weak self] _ in self?.wake() }
    // Without a watch commits of this process are still followed.
    let watch = try? studio.store.watchCommits { [weak self] in self?.wake() }
    state.withLock { state in
      state.before = snapshot
      (state.group, state.handles, state.token, state.watch) = (group, handles, token, watch)
    }
    tick()
    wake()
  }

  /// Lets go of everything.
  func end() {
    let (handles, token) = state.withLock { state -> ([ObservationHandle], Int?) in
      defer {
        (state.handles, state.token, state.group, state.watch, state.before) = ([], nil, nil, nil, nil)
        state.pending = []
        state.isEnded = true
      }
      return (state.handles, state.token)
    }
    for handle in handles { handle.invalidate() }
    if let token { studio.store.removeCommitHandler(token) }
    outbox.end()
  }

  /// Looks for what is new soon.
  private func wake() {
    let delay = state.withLock { state -> DispatchTime? in
      guard !state.isScheduled, !state.isEnded else { return nil }
      state.isScheduled = true
      return max(.now(), state.lastWork + .milliseconds(Self.pause))
    }
    guard let delay else { return }
    queue.asyncAfter(deadline: delay) { [weak self] in self?.work() }
  }

  private func work() {
    let (group, before) = state.withLock { state in
      state.isScheduled = false
      state.lastWork = .now()
      return (state.group, state.before)
    }
    guard let group, let before else { return }
    let ready = group.readySnapshot
    if let ready { group.deliver(to: ready, .ready) }
    let events = state.withLock { state in
      defer { state.pending = [] }
      return state.pending
    }
    do {
      for (topic, event) in events { try tell(topic, event, ObjectTree(event.previous ?? before)) }
      // The numbers of a version follow what changed in it: a page that comes again says that it knows all up to the last piece.
      let latest = try group.count == 0 ? studio.store.snapshot() : ready ?? before
      let newest = latest.version > before.version ? latest : before
      if newest.version != before.version { outbox.add(try store(newest)) }
      // At once: after the last commit nothing else would tell the page.
      if outbox.takeIsBehind() {
        for topic in topics { outbox.add(reset(topic.id, newest.version)) }
        outbox.add(try store(newest))
      }
      state.withLock { state in
        if !state.isEnded { state.before = newest }
        state.lastPiece = newest.version == before.version && events.isEmpty ? state.lastPiece : .now()
      }
    } catch {
      outbox.add("event: failed\ndata: \(ErrorText.json(error))\n\n")
    }
  }

  /// Pings a page that hears nothing.
  private func tick() {
    queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
      guard let self else { return }
      let (isEnded, isSilent) = state.withLock { state in
        let isSilent = state.lastPiece + .seconds(Self.silence) <= .now()
        if isSilent { state.lastPiece = .now() }
        return (state.isEnded, isSilent)
      }
      guard !isEnded else { return }
      if isSilent { outbox.add(": ping\n\n") }
      tick()
    }
  }

  // MARK: - Pieces

  private func piece(_ name: String, _ version: UInt64, _ value: JSONValue) -> String {
    "id: \(version)\nevent: \(name)\ndata: \(value.text)\n\n"
  }

  private func reset(_ topic: String, _ version: UInt64) -> String {
    piece("reset", version, ["topic": .init(topic), "version": .init(version)])
  }

  private func store(_ snapshot: Snapshot) throws -> String {
    let counts = try snapshot.schema.classes.map { ($0.name, JSONValue(try snapshot.count(of: $0.id))) }
    return piece("store", snapshot.version, ["version": .init(snapshot.version), "classes": JSONValue(counts)])
  }

  private func tell(_ topic: EventTopic, _ event: ObservationEvent, _ before: ObjectTree) throws {
    let old = state.withLock { $0.keys[topic.place] } ?? KeySequence()
    let new = event.keys ?? KeySequence()
    let version = event.snapshot.version
    var members: [(name: String, value: JSONValue?)] = [
      ("topic", .init(topic.id)), ("version", .init(version)), ("count", .init(new.count)),
    ]
    switch event.change {
    case .initial: break
    case .update(let changes):
      let tree = ObjectTree(event.snapshot)
      func object(_ position: Int, at shown: Int) throws -> JSONValue {
        JSONValue(written: try QueryAnswers.row(topic.entry, new[shown], tree, position: position))
      }
      let deleted = changes.deletions.prefix(ListedObjects.most).map { position -> JSONValue in
        let name = try? before.name(topic.entry, old[position])
        return [
          "position": .init(position), "key": .init(old[position].rawValue),
          "primaryKey": name?.primaryKey.map { .init(written: StudioJSON.value($0, isCut: false)) },
        ]
      }
      let modified = zip(changes.modifications, changes.modificationsInNew).prefix(ListedObjects.most)
      let inserted = try changes.insertions.prefix(ListedObjects.most).map { try object($0, at: $0) }
      members += [
        ("deleted", .init(deleted)), ("inserted", .init(inserted)),
        ("modified", .init(try modified.map { try object($0, at: $1) })),
        ("total", ListedObjects.total(changes.deletions.count, changes.insertions.count, changes.modifications.count)),
      ]
    case .failed(let error): throw error
    case .properties, .deleted: return
    }
    state.withLock { $0.keys[topic.place] = new }
    outbox.add(piece("change", version, JSONValue(members)))
  }
}
