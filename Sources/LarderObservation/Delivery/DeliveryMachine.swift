import LarderStorage

/// A version of a store, as far as delivering needs to know it.
protocol DeliveredVersion: Sendable {
  var moment: Moment { get }
}

extension Snapshot: DeliveredVersion {}

/// The version that one observing side has been brought to and those that it still waits for: events in, actions out, without lock, store or clock.
///
/// It knows nothing of observers. Whether there are any, and whether they lack something, comes with the events.
struct DeliveryMachine<Version: DeliveredVersion>: Sendable {
  /// An action for the caller, once it has let go of its lock.
  enum Action: Sendable {
    case none
    /// The background looks for the newest version and computes what it means.
    case wake
    /// The owner gets a turn on its thread or queue.
    case turn
    /// The background computes the first calls at the version that the owner stays at.
    case computeInitials
  }

  /// The way in which the owner commits.
  enum OwnCommit: Sendable {
    /// It looks for the newest version itself afterwards, and reports that with `followed`.
    case following
    /// It goes on with other things, and observers are a reason to wake the background.
    case inBackground
  }

  /// The version for which all observers were computed last.
  private(set) var computed: Version?
  /// The version that the owner stays at, for which first calls were asked for.
  private(set) var initialMoment: Moment?
  /// The newest version that the owner has, or that a turn was asked for.
  private(set) var announced: Moment
  private(set) var isTurnScheduled = false
  private var ownCommit: OwnCommit?
  /// The version that the owner committed last, until a turn computes it. Outlasts the beginning of its next commit.
  private(set) var own: Version?

  init(announced: Moment) { self.announced = announced }

  // MARK: - The owner's own commits

  mutating func commitBegan(_ kind: OwnCommit) { ownCommit = kind }

  /// The owner has committed, or failed to (nil).
  mutating func commitEnded(_ moment: Moment?) {
    ownCommit = nil
    if let moment { announced = max(announced, moment) }
  }

  /// Returns true if the background must look at a commit in this process: another than the owner commits, or there are observers and the owner will
  /// not report its version.
  func wantsWaking(isObserved: Bool) -> Bool {
    switch ownCommit {
    case nil: true
    case .following: false
    case .inBackground: isObserved
    }
  }

  /// The owner has committed and is at a version of which its observers are to be notified in a turn.
  ///
  /// - Parameter isSmall: The turn itself computes what the change means: handing that to the background and waiting for it would cost
  ///   several times as much.
  mutating func followed(_ version: Version, isSmall: Bool, isObserved: Bool) -> Action {
    own = isSmall && isObserved ? version : nil
    // Nothing moves back to it: it would keep its version until the turn, however many commits come before.
    if let computed, computed.moment < version.moment { self.computed = nil }
    guard isObserved else { return .none }
    return isSmall ? requestTurn() : .wake
  }

  // MARK: - Computing

  /// Everything that observers need was computed at a version, unless a delivery has overtaken some of it.
  mutating func completed(_ version: Version, isObserved: Bool) {
    if isObserved, computedMoment <= version.moment { computed = version }
  }

  var computedMoment: Moment { computed?.moment ?? .zero }

  /// The background has computed a version; the owner needs a turn when that is new or brings calls.
  mutating func followedByBackground(_ version: Version, hasCalls: Bool) -> Action {
    guard version.moment > announced || hasCalls else { return .none }
    if !isTurnScheduled { announced = max(announced, version.moment) }
    return requestTurn()
  }

  /// First calls are ready at the version that the owner stays at.
  mutating func initialsComputed() -> Action { requestTurn() }

  private mutating func requestTurn() -> Action {
    if isTurnScheduled { return .none }
    isTurnScheduled = true
    return .turn
  }

  // MARK: - Delivering

  /// The owner's turn begins. The version that it committed itself, when that is still to be computed.
  mutating func turnBegan() -> Version? {
    isTurnScheduled = false
    return own.take()
  }

  /// Returns true if something newer was computed, so that a delivery of what is ready has nothing to do at a version.
  func isOvertaken(_ version: Version) -> Bool { computedMoment > version.moment }

  /// Observers were moved to a version.
  ///
  /// - Parameter isLacking: Some, or with `.initials` some new ones, still wait for what was not computed.
  mutating func taken(_ version: Version, _ mode: DeliveryMode, isLacking: Bool) -> Action {
    let areInitialsLacking = isLacking && mode == .initials && isOvertaken(version)
    initialMoment = areInitialsLacking ? version.moment : nil
    announced = max(announced, version.moment)
    if mode == .complete, forgetNewer(than: version) { return .wake }
    return areInitialsLacking ? .computeInitials : isLacking ? .wake : .none
  }

  /// Observers were moved to a version without a call.
  mutating func skipped(to version: Version) -> Action { forgetNewer(than: version) ? .wake : .none }

  /// The owner has observers moved to a version in between: what was computed for a newer one is to be computed again, and a turn to be
  /// asked for.
  private mutating func forgetNewer(than version: Version) -> Bool {
    guard isOvertaken(version) else { return false }
    computed = nil
    announced = version.moment
    return true
  }

  /// The last observer ended: nothing is computed, and no version is to be kept.
  mutating func observersEnded() {
    computed = nil
    own = nil
  }
}
