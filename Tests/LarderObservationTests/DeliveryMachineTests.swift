import LarderStorage
import Testing

@testable import LarderObservation

/// The state machine of an observing side, by its events alone.
@Suite struct DeliveryMachineTests {
  private struct Version: DeliveredVersion, Equatable {
    let moment: Moment

    init(_ version: UInt64) { moment = Moment(version: version) }
  }

  private typealias Machine = DeliveryMachine<Version>

  private func machine(at version: UInt64) -> Machine { Machine(announced: Moment(version: version)) }

  // MARK: - Own commits

  @Test("N-4 a small commit of the owner asks for one turn, however many follow, and the turn gets the last")
  func smallCommits() {
    var machine = machine(at: 1)
    machine.commitBegan(.following)
    machine.commitEnded(Moment(version: 2))
    #expect(machine.followed(Version(2), isSmall: true, isObserved: true) == .turn)
    // The next commit begins before the turn came: what it is to compute stays.
    machine.commitBegan(.following)
    #expect(machine.own == Version(2))
    machine.commitEnded(Moment(version: 3))
    #expect(machine.followed(Version(3), isSmall: true, isObserved: true) == .none)
    #expect(machine.turnBegan() == Version(3))
    #expect(machine.turnBegan() == nil)
    #expect(machine.followed(Version(4), isSmall: true, isObserved: true) == .turn)
  }

  @Test("N-4 a large commit is left to the background, and without observers nothing is to be done")
  func largeCommits() {
    var machine = machine(at: 1)
    #expect(machine.followed(Version(2), isSmall: false, isObserved: true) == .wake)
    #expect(machine.own == nil)
    #expect(machine.followed(Version(3), isSmall: true, isObserved: false) == .none)
    #expect(machine.own == nil && !machine.isTurnScheduled)
  }

  @Test(
    "While the owner commits and follows itself nothing wakes the background; once it ended, or in the background, commits do"
  )
  func waking() {
    var machine = machine(at: 1)
    #expect(machine.wantsWaking(isObserved: false))
    machine.commitBegan(.following)
    #expect(!machine.wantsWaking(isObserved: true) && !machine.wantsWaking(isObserved: false))
    machine.commitEnded(Moment(version: 2))
    #expect(machine.wantsWaking(isObserved: false))
    machine.commitBegan(.inBackground)
    #expect(machine.wantsWaking(isObserved: true) && !machine.wantsWaking(isObserved: false))
    machine.commitEnded(nil)
    #expect(machine.wantsWaking(isObserved: false))
  }

  @Test("A failed commit leaves what an earlier one has to be computed, and announces nothing")
  func failedCommit() {
    var machine = machine(at: 1)
    _ = machine.followed(Version(2), isSmall: true, isObserved: true)
    machine.commitBegan(.following)
    machine.commitEnded(nil)
    #expect(machine.own == Version(2) && machine.announced == Moment(version: 1))
  }

  @Test("What was computed for an older version is dropped when the owner is past it, so that its version is not kept")
  func olderIsDropped() {
    var machine = machine(at: 1)
    machine.completed(Version(2), isObserved: true)
    _ = machine.followed(Version(3), isSmall: true, isObserved: true)
    #expect(machine.computed == nil)
    machine.completed(Version(4), isObserved: true)
    _ = machine.followed(Version(3), isSmall: true, isObserved: true)
    #expect(machine.computed == Version(4))
  }

  // MARK: - The background

  @Test("The background asks for a turn for a newer version or for calls, and not twice")
  func background() {
    var machine = machine(at: 1)
    #expect(machine.followedByBackground(Version(1), hasCalls: false) == .none)
    #expect(machine.followedByBackground(Version(1), hasCalls: true) == .turn)
    #expect(machine.followedByBackground(Version(2), hasCalls: false) == .none)
    // Not announced: the turn that is on its way was asked for before it.
    #expect(machine.announced == Moment(version: 1))
    #expect(machine.turnBegan() == nil)
    #expect(machine.followedByBackground(Version(2), hasCalls: false) == .turn)
    #expect(machine.announced == Moment(version: 2))
    _ = machine.turnBegan()
    #expect(machine.followedByBackground(Version(2), hasCalls: false) == .none)
  }

  @Test("What is computed is kept for observers only, and never replaced by an older version")
  func completing() {
    var machine = machine(at: 1)
    machine.completed(Version(2), isObserved: false)
    #expect(machine.computed == nil)
    machine.completed(Version(3), isObserved: true)
    machine.completed(Version(2), isObserved: true)
    #expect(machine.computed == Version(3))
    machine.observersEnded()
    #expect(machine.computed == nil && machine.own == nil)
  }

  // MARK: - Delivering

  @Test("N-67 a delivery of what is ready is overtaken by what was computed for a newer version")
  func overtaken() {
    var machine = machine(at: 1)
    machine.completed(Version(3), isObserved: true)
    #expect(machine.isOvertaken(Version(2)) && !machine.isOvertaken(Version(3)))
  }

  @Test("N-3 a complete delivery at an older version has the newer one computed again and announced again")
  func complete() {
    var machine = machine(at: 1)
    machine.completed(Version(3), isObserved: true)
    _ = machine.followedByBackground(Version(3), hasCalls: false)
    _ = machine.turnBegan()
    #expect(machine.taken(Version(2), .complete, isLacking: false) == .wake)
    #expect(machine.computed == nil && machine.announced == Moment(version: 2))
    machine.completed(Version(3), isObserved: true)
    #expect(machine.followedByBackground(Version(3), hasCalls: false) == .turn)
  }

  @Test("N-6 first calls that are missing at the version the owner stays at are asked for there, others at the newest")
  func initials() {
    var machine = machine(at: 2)
    #expect(machine.taken(Version(2), .initials, isLacking: true) == .wake)
    machine.completed(Version(3), isObserved: true)
    #expect(machine.taken(Version(2), .initials, isLacking: true) == .computeInitials)
    #expect(machine.initialMoment == Moment(version: 2))
    #expect(machine.initialsComputed() == .turn && machine.initialsComputed() == .none)
    #expect(machine.taken(Version(2), .initials, isLacking: false) == .none)
    #expect(machine.initialMoment == nil)
  }

  @Test("N-66 skipping to an older version than the computed one has it computed again")
  func skipping() {
    var machine = machine(at: 1)
    #expect(machine.skipped(to: Version(2)) == .none)
    machine.completed(Version(3), isObserved: true)
    #expect(machine.skipped(to: Version(2)) == .wake)
    #expect(machine.computed == nil)
  }
}
