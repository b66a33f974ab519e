import CLMDB

/// Tells writers of other processes that this one waits for the write lock of a file, which LMDB's lock does not: a shared lock on a byte
/// far after any page of the file, which the system takes back when the process ends.
///
/// One writer of a process at a time waits for LMDB's lock (`WriterGate`), so that one mark is enough for all of its threads.
struct WaitingMark {
  /// After any page that a file may have.
  private static let place: Int64 = 1 << 62

  private let descriptor: Int32

  /// Nil where the environment has no file.
  init?(of environment: OpaquePointer) {
    var own: mdb_filehandle_t = -1
    guard mdb_env_get_fd(environment, &own) == 0 else { return nil }
    descriptor = own
  }

  /// Where the system has no such locks, nothing is marked.
  func set() { setSharedLock(descriptor, at: Self.place, true) }

  func clear() { setSharedLock(descriptor, at: Self.place, false) }

  /// Whether a writer of another process waits. A call of the system.
  var isSetByAnother: Bool { hasForeignLock(descriptor, at: Self.place) }
}
