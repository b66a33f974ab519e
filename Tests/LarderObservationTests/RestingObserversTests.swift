import LarderLocks
import LarderStorage
import TestSupport
import Testing

@testable import LarderObservation

/// Observers of single objects cost nothing while their objects do not change (F-61). Nothing runs by itself, as in `DeliveryTests`.
@Suite("Resting observers") struct RestingObserversTests {
  private let fixture: NodeStore
  private let background = Pump()
  private let side: Side

  init() throws {
    fixture = try NodeStore(clusterSize: 64)
    let background = background
    let observer = StoreObserver(store: fixture.store, schedule: { background.deliver($0) })
    side = try Side(fixture.store, observer)
  }

  private func turn() {
    background.run()
    side.pump.run()
  }

  private func object(_ key: ObjectKey) -> ObservationSubject {
    .object(ObjectLink(classID: fixture.node, key: key), scope: .own)
  }

  private func registration(_ id: Int, _ key: ObjectKey, at snapshot: Snapshot) -> Registration {
    var registration = Registration(id: id, subject: object(key), call: { _ in })
    registration.accept(
      registration.prepared(for: snapshot) { _ in ChangeSummary(older: 0, newer: 0) }, basedOn: nil)
    _ = registration.take(at: snapshot, silently: true)
    return registration
  }

  @Test("F-61: of a thousand observers only that of the changed object is looked at; all rest again after the delivery")
  func countedWork() throws {
    let keys = try fixture.write { writer in try (0..<1_000).map { try fixture.create(writer, Int64($0)) } }
    let first = try fixture.store.snapshot()
    var state = GroupState(announced: first.version)
    for key in keys { _ = state.add { registration($0, key, at: first) } }
    #expect(state.active.isEmpty && state.resting.count == 1_000)
    try fixture.set(keys[500], -1)
    let second = try fixture.store.snapshot()
    state.rouse(for: second, from: first, try second.changes(since: first.version))
    #expect(state.active.map(\.id) == [501] && state.resting.count == 999)
    let ready = state.active[0].prepared(for: second) { try second.changes(since: $0.version) }
    let accepted = state.accept(ready, for: state.active[0])
    #expect(accepted)
    let isLacking = state.take(second, onlyNew: false)
    #expect(!isLacking && state.active.isEmpty && state.resting.count == 1_000)
    #expect(state.resting.snapshot === second, "no older version is kept")
    #expect(state.takeCall() != nil)
    #expect(state.takeCall() == nil)
  }

  @Test("F-61: one that begins after the resting ones were looked at misses nothing")
  func late() throws {
    let keys = try fixture.add(1, 2)
    try side.refresh()
    let first = side.observe("first", object(keys[0]))
    try fixture.set(keys[1], 7)
    background.run()
    let second = side.observe("second", object(keys[1]))
    turn()
    turn()
    #expect(side.diary().filter { $0.hasPrefix("second") }.count == 1)
    try fixture.set(keys[0], 8)
    turn()
    #expect(side.diary().filter { $0.hasPrefix("first") }.count == 1)
    withExtendedLifetime((first, second)) {}
  }

  @Test(
    "F-61: many observers, some of one object, are told exactly of what happened to theirs, in order of registration")
  func random() throws {
    var random = SeededRandom.forTest()
    var keys = try fixture.write { writer in try (0..<60).map { try fixture.create(writer, Int64($0)) } }
    try side.refresh()
    _ = side.diary()
    var handles: [(name: String, key: ObjectKey, handle: ObservationHandle)] = []
    var number = 0
    for _ in 0..<400 {
      switch random.int(0..<10) {
      case 0..<3:
        let key = keys[random.int(0..<keys.count)]
        number += 1
        handles.append(("\(number)", key, side.observe("\(number)", object(key), checked: false)))
      case 3 where !handles.isEmpty: handles.remove(at: random.int(0..<handles.count)).handle.invalidate()
      default:
        let changed = (0..<random.int(1..<8)).map { _ in keys[random.int(0..<keys.count)] }
        let deleted: ObjectKey? = keys.count > 20 && random.int(0..<5) == 0 ? keys[random.int(0..<keys.count)] : nil
        let isOwn = random.int(0..<2) == 0
        let value = Int64(random.int(0..<1_000_000))
        func change(_ writer: StoreWriter) throws {
          for key in changed { try writer.set(fixture.node, fixture.value, key, .int(value)) }
          if let deleted { try writer.delete(fixture.node, deleted) }
        }
        if isOwn { try side.write(change) } else { try fixture.write(change) }
        // Sometimes the background or the turn comes late, and two commits are one change.
        if random.int(0..<3) > 0 { turn() } else { background.run() }
        let isComplete = random.int(0..<2) == 0
        if isComplete { try side.refresh() } else { turn() }
        turn()
        let touched = Set(changed + (deleted.map { [$0] } ?? []))
        let told = side.diary().compactMap { Int($0.split(separator: " ")[0]) }
        #expect(told == handles.filter { touched.contains($0.key) }.compactMap { Int($0.name) })
        if let deleted {
          keys.removeAll { $0 == deleted }
          handles.removeAll { $0.key == deleted }
        }
      }
    }
    #expect(number > 50)
  }
}
