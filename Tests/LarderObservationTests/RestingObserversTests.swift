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

  private func object(_ key: ObjectKey, _ scope: ObjectScope = .own) -> ObservationSubject {
    .object(ObjectLink(classID: fixture.node, key: key), scope: scope)
  }

  private var step: PathStep { PathStep(fixture.node, fixture.value) }
  private var value: ObjectScope { .paths([[step]]) }
  private var nextValue: ObjectScope { .paths([[PathStep(fixture.node, fixture.next), step]]) }

  private func registration(
    _ id: Int, _ key: ObjectKey, _ scope: ObjectScope = .own, at snapshot: Snapshot
  ) -> Registration {
    var registration = Registration(id: id, subject: object(key, scope), call: { _ in })
    registration.accept(
      registration.prepared(for: snapshot) { _ in ChangeSummary(older: 0, newer: 0) }, basedOn: nil)
    _ = registration.take(at: snapshot, silently: true)
    return registration
  }

  @Test("F-61: of a thousand observers only that of the changed object is looked at; all rest again after the delivery")
  func countedWork() throws {
    let keys = try fixture.write { writer in try (0..<1_000).map { try fixture.create(writer, Int64($0)) } }
    let first = try fixture.store.snapshot()
    var state = GroupState(announced: first.moment)
    for key in keys { _ = state.add { registration($0, key, at: first) } }
    #expect(state.active.isEmpty && state.resting.count == 1_000)
    try fixture.set(keys[500], -1)
    let second = try fixture.store.snapshot()
    try tell(&state, of: second, to: [501])
    #expect(state.active.isEmpty && state.resting.count == 1_000)
    #expect(state.resting.snapshot === second, "no older version is kept")
  }

  @Test("F-61: observers of key paths rest as others do: one walk along the paths tells whose objects a change reaches")
  func countedPaths() throws {
    let keys = try fixture.write { writer in
      let keys = try (0..<1_000).map { try fixture.create(writer, Int64($0)) }
      for (index, key) in keys.enumerated() {
        try writer.set(fixture.node, fixture.next, key, .link(keys[(index + 1) % 1_000]))
      }
      return keys
    }
    let first = try fixture.store.snapshot()
    var state = GroupState(announced: first.moment)
    for key in keys { _ = state.add { registration($0, key, value, at: first) } }
    for key in keys { _ = state.add { registration($0, key, nextValue, at: first) } }
    #expect(state.active.isEmpty && state.resting.count == 2_000)
    try fixture.relabel(keys[7])
    let second = try fixture.store.snapshot()
    try tell(&state, of: second, to: [])
    try fixture.set(keys[500], -1)
    let third = try fixture.store.snapshot()
    try tell(&state, of: third, to: [501, 1_500])
    try fixture.delete(keys[500])
    let fourth = try fixture.store.snapshot()
    try tell(&state, of: fourth, to: [501, 1_500, 1_501])
    #expect(state.active.map(\.id) == [501, 1_501] && state.resting.count == 1_998)
    #expect(state.active.allSatisfy { $0.hasEnded })
  }

  @Test("F-61: a turn that may look at few objects leaves more to the background")
  func effort() throws {
    let keys = try fixture.write { writer in
      let keys = try (0..<100).map { try fixture.create(writer, Int64($0)) }
      for key in keys { try writer.set(fixture.node, fixture.next, key, .link(keys[0])) }
      return keys
    }
    let first = try fixture.store.snapshot()
    var resting = RestingObservers()
    let rests = resting.add(registration(1, keys[5], nextValue, at: first))
    #expect(rests)
    try fixture.set(keys[0], -1)
    let second = try fixture.store.snapshot()
    #expect(throws: LinkWalker.TooMany.self) {
      try resting.prepared(for: second, effort: 64) { try second.changes(since: $0.moment) }
    }
    let ready = try resting.prepared(for: second) { try second.changes(since: $0.moment) }
    #expect(ready?.told.map(\.id) == [1])
  }

  /// Brings all observers to a version; these alone are computed and told.
  private func tell(_ state: inout GroupState, of snapshot: Snapshot, to ids: [Int]) throws {
    let prepared = try state.resting.prepared(for: snapshot) { try snapshot.changes(since: $0.moment) }
    let ready = try #require(prepared)
    #expect(ready.told.map(\.id) == ids)
    let isAccepted = state.accept(ready)
    let isLacking = state.take(snapshot, onlyNew: false)
    #expect(isAccepted && !isLacking)
    var calls = 0
    while state.takeCall() != nil { calls += 1 }
    #expect(calls == ids.count)
  }

  @Test("F-61: nothing that was computed for others is taken for an observer that began to rest meanwhile")
  func overtaken() throws {
    let keys = try fixture.add(1, 2)
    let first = try fixture.store.snapshot()
    var state = GroupState(announced: first.moment)
    _ = state.add { registration($0, keys[0], at: first) }
    try fixture.set(keys[1], 5)
    let second = try fixture.store.snapshot()
    let ready = try #require(try state.resting.prepared(for: second) { try second.changes(since: $0.moment) })
    _ = state.add { registration($0, keys[1], at: first) }
    let isAccepted = state.accept(ready)
    #expect(!isAccepted && state.restingReady == nil)
    try tell(&state, of: second, to: [2])
  }

  @Test("F-61: ending thousands of observers that do not rest moves each only a few times")
  func ending() {
    let count = 10_000
    for order in [Array(1...count), Array((1...count).reversed()), Array(stride(from: 1, through: count, by: 2))] {
      var observers = OrderedObservers()
      for id in 1...count {
        observers.add(Registration(id: id, subject: object(ObjectKey(rawValue: 0)), call: { _ in }))
      }
      var moved = 0
      for id in order {
        let before = observers.slotCount
        #expect(observers.remove(id)?.id == id)
        if observers.slotCount != before { moved += observers.slotCount }
      }
      #expect(moved <= count)
      #expect(observers.count == count - order.count)
      #expect(observers.map(\.id) == Set(1...count).subtracting(order).sorted())
      #expect(observers.remove(order[0]) == nil && observers[order[0]] == nil)
    }
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
    "F-61: many observers, some of one object, are notified exactly of what happened to theirs, in order of registration"
  )
  func random() throws {
    var random = SeededRandom.forTest()
    var keys = try fixture.write { writer in try (0..<60).map { try fixture.create(writer, Int64($0)) } }
    var next: [ObjectKey: ObjectKey] = [:]
    try fixture.write { writer in
      for key in keys {
        next[key] = keys[random.int(0..<keys.count)]
        try writer.set(fixture.node, fixture.next, key, .link(next[key] ?? key))
      }
    }
    try side.refresh()
    _ = side.diary()
    let scopes = [ObjectScope.own, value, nextValue]
    var handles: [(name: String, key: ObjectKey, scope: ObjectScope, handle: ObservationHandle)] = []
    var number = 0
    for _ in 0..<400 {
      switch random.int(0..<10) {
      case 0..<3:
        let (key, scope) = (keys[random.int(0..<keys.count)], scopes[random.int(0..<scopes.count)])
        number += 1
        let handle = side.observe("\(number)", object(key, scope), checked: false)
        handles.append(("\(number)", key, scope, handle))
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
        func isTold(_ key: ObjectKey, _ scope: ObjectScope) -> Bool {
          if key == deleted { return true }
          let isNextDeleted = deleted != nil && next[key] == deleted
          switch scope {
          case .own: return changed.contains(key) || isNextDeleted
          case self.value: return changed.contains(key)
          default: return isNextDeleted || next[key].map { changed.contains($0) } == true
          }
        }
        let told = side.diary().compactMap { Int($0.split(separator: " ")[0]) }
        #expect(told == handles.filter { isTold($0.key, $0.scope) }.compactMap { Int($0.name) })
        if let deleted {
          keys.removeAll { $0 == deleted }
          handles.removeAll { $0.key == deleted }
          next = next.filter { $0.value != deleted }
        }
      }
    }
    #expect(number > 50)
  }
}
