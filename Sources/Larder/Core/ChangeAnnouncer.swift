import LarderLocks
import LarderStorage

/// The changes before which a listener is notified.
struct AnnouncedSubject {
  /// Anything in the Realm.
  var isEverything = false
  /// An object: all of its properties, or the list, set or map in a column.
  var object: ObjectLink?
  var column: ColumnID?
  /// For an object that links to others, or that belongs to another: deleting these may change or delete it.
  var mayLoseValues = false
  /// For an embedded object: the columns in which it may be, or what it belongs to. Assigning them may delete it.
  var owners: [ClassID: Set<ColumnID>] = [:]
  /// Any object of these classes.
  var classes: Set<ClassID> = []

  static let everything = AnnouncedSubject(isEverything: true)
}

/// Notifies listeners of a Realm before changes can be seen: in a write transaction before the first change of each listener's subject, and
/// before the Realm moves to a version with such changes.
///
/// A Realm without listeners has none of these. What happens within a query is not looked at: any change of the classes that it reads
/// counts.
final class ChangeAnnouncer {
  private struct Listener {
    weak var token: AnnouncementToken?
  }

  private var listeners: [Listener] = []
  /// Moves up to here were announced.
  private var announced = Moment.zero
  /// The listeners that are still to be notified of a move.
  private var due: [AnnouncementToken] = []

  func add(_ token: AnnouncementToken) { listeners.append(Listener(token: token)) }

  /// True if nothing listens any more.
  var isEmpty: Bool {
    listeners.removeAll { $0.token?.isActive != true }
    return listeners.isEmpty
  }

  // MARK: - In a write transaction, before the change

  /// A property or collection of an object is assigned or edited.
  func changes(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey, in write: UInt32) {
    announce(write) { subject in
      subject.classes.contains(classID) || subject.owners[classID]?.contains(column) == true
        || subject.object == ObjectLink(classID: classID, key: key) && (subject.column ?? column) == column
    }
  }

  /// An object is created. It is no element of a list before that is edited.
  func inserts(_ classID: ClassID, in write: UInt32) {
    announce(write) { subject in subject.object == nil && subject.classes.contains(classID) }
  }

  /// Objects are deleted. What belongs to them is deleted as well, and links to them end.
  func deletes(_ classID: ClassID, _ keys: some Sequence<ObjectKey>, in write: UInt32) {
    announce(write) { subject in
      guard let object = subject.object else { return true }
      return subject.mayLoseValues || subject.classes.contains(classID)
        || object.classID == classID && keys.contains(object.key)
    }
  }

  /// Anything may change.
  func changesAnything(in write: UInt32) { announce(write) { _ in true } }

  /// Once for each listener and transaction.
  private func announce(_ write: UInt32, _ concerns: (AnnouncedSubject) -> Bool) {
    for case let token? in listeners.map(\.token)
    where token.lastWrite != write && (token.subject.isEverything || concerns(token.subject)) {
      token.lastWrite = write
      token.call()
    }
  }

  /// Leaves listeners out of a transaction.
  func leaveOut(_ tokens: [NotificationToken], of write: UInt32) {
    for case let token as AnnouncementToken in tokens { token.lastWrite = write }
  }

  // MARK: - Before the Realm moves

  /// The Realm is about to move to a newer version. A listener may write, which brings about a move within this one: that notifies those who
  /// have not been notified yet, and no one twice.
  func moves(from older: Snapshot, to newer: Snapshot) {
    let known = max(older.moment, announced)
    if known < newer.moment {
      announced = newer.moment
      let summary = try? newer.changes(since: known)
      due += listeners.compactMap(\.token).filter { token in summary.map { token.subject.isChanged(by: $0) } ?? true }
    }
    while !due.isEmpty { due.removeFirst().call() }
  }
}

extension AnnouncedSubject {
  fileprivate func isChanged(by summary: ChangeSummary) -> Bool {
    if !summary.isComplete { return true }
    if isEverything { return !summary.isEmpty }
    if classes.contains(where: { summary[$0]?.isEmpty == false }) { return true }
    guard let object, let changes = summary[object.classID] else { return false }
    if changes.isTruncated || changes.deleted.contains(object.key) { return true }
    if let column { return changes.modified[column]?.contains(object.key) == true }
    return changes.modified.values.contains { $0.contains(object.key) }
  }
}

/// The token of a listener that is notified before a change.
final class AnnouncementToken: NotificationToken, @unchecked Sendable {
  // Unchecked: the block is called, and the number of the write set, where the Realm lives; invalidation is under the lock.
  let subject: AnnouncedSubject
  weak let announcer: ChangeAnnouncer?
  /// The write transaction in which it was notified last, or is left out.
  fileprivate(set) var lastWrite: UInt32 = 0
  private let block: Lock<UncheckedBox<() -> Void>?>

  init(_ subject: AnnouncedSubject, _ announcer: ChangeAnnouncer, _ block: @escaping () -> Void) {
    self.subject = subject
    self.announcer = announcer
    self.block = Lock(UncheckedBox(block))
  }

  var isActive: Bool { block.withLock { $0 != nil } }

  fileprivate func call() {
    let block = block.withLock { $0 }
    block?.value()
  }

  override func invalidate() -> Bool {
    // What the block holds is let go of outside of the lock.
    let ended = block.withLock { $0.take() }
    return ended != nil
  }

  deinit { _ = invalidate() }
}
