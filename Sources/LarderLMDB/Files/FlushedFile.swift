import CLMDB

/// A file's descriptor that flushes it, apart from LMDB's own.
///
/// The system reports pages that could not be written to each descriptor once: what it reported to LMDB's descriptor in a commit that failed,
/// it reports to this one as well.
final class FlushedFile: Sendable {
  private let descriptor: Int32

  /// Opens the file of an environment once more. Nil where it cannot be opened, or is not to be (`isUseful`).
  init?(of environment: OpaquePointer) {
    guard let own = Self.descriptor(of: environment), isFlushed(own), let opened = openForFlushing(own) else {
      return nil
    }
    descriptor = opened
  }

  /// False where the system does not promise to report to every descriptor, and for files in memory, whose flushes cost nothing.
  static func isUseful(for environment: OpaquePointer) -> Bool { descriptor(of: environment).map(isFlushed) ?? false }

  private static func descriptor(of environment: OpaquePointer) -> Int32? {
    var own: mdb_filehandle_t = -1
    return mdb_env_get_fd(environment, &own) == 0 ? own : nil
  }

  deinit { closeDescriptor(descriptor) }

  /// Flushes all that was written to the file before. Zero, or what went wrong.
  func flush() -> Int32 { flushData(descriptor) }
}
