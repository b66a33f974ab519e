import Foundation

/// The turn of one among all processes and threads that would make something of the same file.
///
/// It is a lock of the file, which is not changed by it; it ends with the value, or with the process.
package struct FileTurn: ~Copyable {
  private let descriptor: OwnedDescriptor

  /// Waits for the turn. Where the file system has no locks it comes at once.
  ///
  /// Throws `noSuchFile` and what the system says for a file that cannot be read.
  package init(of path: String) throws {
    descriptor = try OwnedDescriptor(path: canonicalPath(path), flags: O_RDONLY)
    while flock(descriptor.number, LOCK_EX) != 0, errno == EINTR {}
  }
}
