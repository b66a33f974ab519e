import LarderStorage

/// The write transaction of one Realm: the open one, and what cancelled ones have left behind.
struct WriteSession {
  /// The open transaction.
  private(set) var writer: StoreWriter?
  /// Number of the open transaction; 0 outside of one.
  private(set) var number: UInt32 = 0
  /// Nested writes that are open within the transaction.
  var openSavepoints = 0
  /// True if a migration changes objects through it.
  private(set) var isMigrating = false
  /// The outcome of the transaction, once something in it was referred to from elsewhere.
  private(set) var outcome: WriteOutcome?
  /// `RealmVersion.changes` when the transaction began.
  private(set) var changesAtBegin: UInt32 = 0
  private var count: UInt32 = 0
  private(set) var cancelled = CancelledWrites()

  @inline(__always)
  var isOpen: Bool { writer != nil }

  /// Goes on in a transaction that was begun.
  mutating func begin(_ opened: StoreWriter, changes: UInt32, isMigration: Bool = false) {
    count &+= 1
    number = count
    openSavepoints = 0
    writer = opened
    changesAtBegin = changes
    isMigrating = isMigration
  }

  /// The transaction has been committed, given back, or handed on to the thread that commits it.
  ///
  /// - Returns: What those wait for who refer to something made in it.
  mutating func end() -> WriteOutcome? {
    writer = nil
    number = 0
    isMigrating = false
    return outcome.take()
  }

  /// A transaction has been undone: its objects stay invalid, even when another process gives their keys again.
  ///
  /// - Parameter floors: The first keys that the transaction gave, by class.
  mutating func forget(_ number: UInt32, _ floors: [ClassID: ObjectKey]) { cancelled.note(number, floors) }

  /// Returns the outcome that references to something made in the open transaction wait for; nil outside of one.
  mutating func sharedOutcome() -> WriteOutcome? {
    guard isOpen else { return nil }
    if let outcome { return outcome }
    let made = WriteOutcome()
    outcome = made
    return made
  }

  /// Returns true if an object vanished with the cancelled transaction in which an accessor, a collection or results of it were made.
  @inline(__always)
  func hasVanished(_ classID: ClassID, _ key: ObjectKey, bornIn born: UInt32) -> Bool {
    if born == 0 || born == number || cancelled.isEmpty { return false }
    return cancelled.hold(classID, key, of: born)
  }
}
