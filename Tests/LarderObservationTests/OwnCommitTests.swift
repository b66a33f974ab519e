import LarderStorage
import TestSupport
import Testing

@testable import LarderObservation

/// Tests the side that computes what a commit of the observing side itself means: the side's next turn, or the background. As in `DeliveryTests`
/// nothing runs by itself.
@Suite("Observers of the side that commits")
struct OwnCommitTests {
  private let fixture: NodeStore
  private let background = Pump()
  private let observer: StoreObserver
  private let side: Side

  init() throws {
    fixture = try NodeStore()
    let background = background
    observer = StoreObserver(store: fixture.store, schedule: { background.deliver($0) })
    side = try Side(fixture.store, observer)
  }

  private func observe(_ subject: ObservationSubject) -> ObservationHandle {
    let handle = side.observe("a", subject)
    background.run()
    side.pump.run()
    _ = side.diary()
    return handle
  }

  @Test("N-4 a small commit is computed in the side's own turn, and nothing is handed to the background")
  func small() throws {
    let handle = observe(.query(fixture.query(), scope: .standard))
    try side.write { for number in 1...3 { _ = try fixture.create($0, Int64(number)) } }
    #expect(background.count == 0)
    #expect(side.diary() == ["write"])
    side.pump.run()
    #expect(side.diary() == ["a -[] +[0, 1, 2] ~[]"])
    #expect(background.count == 0)
    withExtendedLifetime(handle) {}
  }

  @Test("N-3 the next write delivers what no turn has, and the turn then has only the last")
  func several() throws {
    let handle = observe(.query(fixture.query(), scope: .standard))
    var key = ObjectKey(rawValue: 0)
    try side.write { key = try fixture.create($0, 1) }
    try side.write { _ = try fixture.create($0, 2) }
    try side.write { try $0.delete(fixture.node, key) }
    #expect(background.count == 0)
    #expect(side.diary() == ["write", "a -[] +[0] ~[]", "write", "a -[] +[1] ~[]", "write"])
    side.pump.run()
    #expect(side.diary() == ["a -[0] +[] ~[]"])
    side.pump.run()
    #expect(side.diary() == [])
    withExtendedLifetime(handle) {}
  }

  @Test("N-4 a large commit is computed in the background")
  func large() throws {
    let handle = observe(.query(fixture.query(), scope: .standard))
    try side.write { for number in 1...100 { _ = try fixture.create($0, Int64(number)) } }
    #expect(background.count == 1)
    side.pump.run()
    #expect(side.diary() == ["write"])
    background.run()
    side.pump.run()
    #expect(side.diary() == ["a -[] +\(Array(0..<100)) ~[]"])
    withExtendedLifetime(handle) {}
  }

  @Test("N-4 a small commit that changes what many objects link to is left to the background")
  func widelyLinked() throws {
    var hub = ObjectKey(rawValue: 0)
    try fixture.write { writer in
      hub = try fixture.create(writer, 0)
      for number in 1...200 {
        let key = try fixture.create(writer, Int64(number))
        try writer.set(fixture.node, fixture.next, key, .link(hub))
      }
    }
    let handle = observe(.query(fixture.query(), scope: .standard))
    try side.write { try $0.set(fixture.node, fixture.label, hub, .string("x")) }
    #expect(background.count == 0)
    side.pump.run()
    #expect(side.diary() == ["write"])
    #expect(background.count == 1)
    background.run()
    side.pump.run()
    #expect(side.diary() == ["a -[] +[] ~\(Array(0...200))"])
    withExtendedLifetime(handle) {}
  }

  @Test("N-5 another side gets the same commit through the background")
  func otherSide() throws {
    let handle = observe(.query(fixture.query(), scope: .standard))
    let other = try Side(fixture.store, observer)
    let second = other.observe("b", .query(fixture.query(), scope: .standard))
    background.run()
    other.pump.run()
    _ = other.diary()
    try side.write { _ = try fixture.create($0, 1) }
    #expect(background.count == 1)
    side.pump.run()
    #expect(side.diary() == ["write", "a -[] +[0] ~[]"])
    background.run()
    side.pump.run()
    other.pump.run()
    #expect(side.diary() == [])
    #expect(other.diary() == ["at \(try fixture.store.newestVersion)", "b -[] +[0] ~[]"])
    withExtendedLifetime((handle, second)) {}
  }

  @Test("a turn that has overtaken the background is not undone by it")
  func overtaken() throws {
    let handle = observe(.query(fixture.query(), scope: .standard))
    let older = try fixture.store.snapshot()
    try side.write { _ = try fixture.create($0, 1) }
    side.pump.run()
    try side.write { _ = try fixture.create($0, 2) }
    _ = side.diary()
    // As the background does when it took its snapshot before these commits.
    side.group.follow(to: older)
    side.pump.run()
    #expect(side.diary() == ["a -[] +[1] ~[]"])
    withExtendedLifetime(handle) {}
  }

  @Test("commits without a turn between them keep no version but the newest ones")
  func versionsBetween() throws {
    let handle = observe(.query(fixture.query(), scope: .standard))
    try side.write { _ = try fixture.create($0, 1) }
    side.pump.run()
    weak let turned = side.snapshot
    for number in 2...4 { try side.write { _ = try fixture.create($0, Int64(number)) } }
    #expect(turned == nil)
    _ = side.diary()
    side.pump.run()
    #expect(side.diary() == ["a -[] +[3] ~[]"])
    withExtendedLifetime(handle) {}
  }

  @Test("an observer that ends before the turn leaves no version behind")
  func endsBeforeTurn() throws {
    var handle: ObservationHandle? = observe(.query(fixture.query(), scope: .standard))
    try side.write { _ = try fixture.create($0, 1) }
    weak let last = side.snapshot
    withExtendedLifetime(handle) {}
    handle = nil
    side.pump.run()
    try side.write { _ = try fixture.create($0, 2) }
    side.pump.run()
    #expect(last == nil)
  }

  @Test("N-40 an observer of a deleted object keeps no version while its token lives")
  func endedObserver() throws {
    let key = try fixture.add(1)[0]
    try side.refresh()
    let handle = observe(.object(ObjectLink(classID: fixture.node, key: key), scope: .own))
    try side.write { try $0.delete(fixture.node, key) }
    weak let deleted = side.snapshot
    side.pump.run()
    #expect(side.diary() == ["write", "a deleted"])
    try side.write { _ = try fixture.create($0, 2) }
    side.pump.run()
    background.run()
    #expect(deleted == nil)
    withExtendedLifetime(handle) {}
  }
}
