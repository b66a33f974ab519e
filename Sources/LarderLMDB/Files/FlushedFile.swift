import CLMDB

/// A file's descriptor that flushes it, apart from LMDB's own.
///
/// The system reports pages that could not be written to each descriptor once: what it reported to LMDB's descriptor in a commit that failed,
/// it reports to this one as well.
final class FlushedFile: Sendable {
  private let descriptor: Int32

  /// Opens the file of an environment once more. Nil where the system does not promise to report to every descriptor, and for files in
  /// memory, whose flushes cost nothing.
  init?(of environment: OpaquePointer) {
    var own: mdb_filehandle_t = -1
    guard mdb_env_get_fd(environment, &own) == 0, let opened = openForFlushing(own) else { return nil }
    descriptor = opened
  }

  deinit { closeDescriptor(descriptor) }

  /// Flushes all that was written to the file before. Zero, or what went wrong.
  func flush() -> Int32 { flushData(descriptor) }
}
