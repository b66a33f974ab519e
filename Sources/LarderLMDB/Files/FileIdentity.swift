import CLMDB
import Foundation

/// The identity of a file, whatever its name: device and inode.
package struct FileIdentity: Hashable, Sendable, CustomStringConvertible {
  package let device: UInt64
  package let inode: UInt64

  private init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// The identity of the file at a path, nil when there is none. Does not open it, does not follow a final link.
  package init?(path: String) {
    guard let found = Self.find(path) else { return nil }
    self = found
  }

  /// The identity of the file at a path; throws what lstat(2) says.
  init(existing path: String) throws {
    var found: FileIdentity?
    try posix("open", path) {
      found = Self.find(path)
      return found == nil ? -1 : 0
    }
    self = found!
  }

  /// Returns the identity of the file at a path; nil with `errno` set otherwise.
  ///
  /// Does not ask for times on Linux: newer kernels give a file whose times were read a finer time with its next write, and
  /// the flush of that write then carries the inode too. That made a durable commit a fifth slower.
  private static func find(_ path: String) -> FileIdentity? {
    #if os(Linux)
      var result = statx()
      let isFound = statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, UInt32(STATX_INO), &result) == 0
      if isFound {
        return FileIdentity(
          device: UInt64(gnu_dev_makedev(result.stx_dev_major, result.stx_dev_minor)), inode: result.stx_ino)
      }
      // Sandboxes that are older than the call refuse it so.
      guard errno == ENOSYS || errno == EPERM else { return nil }
    #endif
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return FileIdentity(status)
  }

  package var description: String { "device \(device) inode \(inode)" }
}

/// A file descriptor that is closed with its owner; close-on-exec always.
///
/// - Important: Never for a lock file: closing any descriptor of it drops every lock the process holds on it.
struct OwnedDescriptor: ~Copyable {
  let number: Int32
  let path: String

  /// Opens a file; `flags` as of open(2), to which close-on-exec and no-follow are added.
  init(path: String, flags: Int32, mode: mode_t = 0) throws {
    number = try posix("open", path) { open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode) }
    self.path = path
  }

  deinit { close(number) }

  borrowing func status() throws -> stat {
    var result = stat()
    try posix("fstat", path) { fstat(number, &result) }
    return result
  }

  /// Reads up to `count` bytes at an offset; fewer at the end of the file.
  borrowing func read(at offset: Int, count: Int) throws -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = 0
      while filled < count {
        let result = pread(number, buffer.baseAddress! + filled, count - filled, off_t(offset + filled))
        if result == 0 { break }
        if result > 0 {
          filled += result
        } else if errno != EINTR {
          failure = errno
          break
        }
      }
    }
    if failure != 0 { throw LMDBError(.init(rawValue: failure), "pread", detail: path) }
    return bytes
  }

  borrowing func synchronize() throws {
    try posix("fsync", path) { fsync(number) }
  }
}

/// Makes a new or renamed directory entry durable.
func synchronizeDirectory(of path: String) throws {
  let directory = directoryPath(of: path)
  let descriptor = try OwnedDescriptor(path: directory, flags: O_RDONLY)
  try descriptor.synchronize()
}

/// The directory that holds `path`; "." for a bare name.
func directoryPath(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// An absolute form of a path with every link resolved; of a file that is not there, and of a link that leads nowhere, the last
/// component is kept.
package func canonicalPath(_ path: String) -> String {
  if let resolved = resolvedPath(path) { return resolved }
  let name = path.split(separator: "/").last.map(String.init) ?? path
  guard let directory = resolvedPath(directoryPath(of: path)) else { return path }
  return directory == "/" ? "/\(name)" : "\(directory)/\(name)"
}

private func resolvedPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}
