import CLMDB

/// Tells other processes that this one waits, which LMDB's lock does not: a shared lock on a byte far after any page of the file, which the
/// system takes back when the process ends.
///
/// One writer of a process at a time waits for LMDB's lock (`WriterGate`), so that one mark is enough for all of its threads.
struct WaitingMark {
  /// The event that it waits for, by places after any page that a file may have.
  enum Purpose: Int64 {
    /// The write lock.
    case writing = 0x4000_0000_0000_0000
    /// No program has the file open.
    case exclusiveUse = 0x4000_0000_0000_0001
  }

  private let descriptor: Int32
  private let place: Int64

  /// A mark of an open file.
  init(_ descriptor: Int32, _ purpose: Purpose) {
    self.descriptor = descriptor
    place = purpose.rawValue
  }

  /// Nil where the environment has no file.
  init?(of environment: OpaquePointer, _ purpose: Purpose = .writing) {
    place = purpose.rawValue
    var own: mdb_filehandle_t = -1
    guard mdb_env_get_fd(environment, &own) == 0 else { return nil }
    descriptor = own
  }

  /// Sets the mark. Nothing is marked where the system has no such locks.
  func set() { setSharedLock(descriptor, at: place, true) }

  func clear() { setSharedLock(descriptor, at: place, false) }

  /// True if another process waits. A call of the system.
  var isSetByAnother: Bool { hasForeignLock(descriptor, at: place) }
}
