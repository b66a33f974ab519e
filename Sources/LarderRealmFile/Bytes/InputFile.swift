import Foundation

/// A regular file that is read with pread(2).
///
/// A mapped file that another process shortens ends the process that touches the missing pages; a read of them is an error.
final class InputFile: Sendable {
  /// Its path, for messages.
  let path: String
  /// Its length when it was opened.
  let size: Int
  private let descriptor: Int32

  init(path: String) throws {
    self.path = path
    // A pipe that no process writes to would wait for ever.
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw RealmFileError(.unreadable, "\(path) cannot be opened: \(String(cString: strerror(errno)))")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw RealmFileError(.unreadable, "\(path) is not a regular file; give the path of a .realm file")
    }
    size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// The bytes from an offset on: fewer only at the end of the file.
  func read(at offset: Int, count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, done in
      while done < count, let base = buffer.baseAddress {
        let taken = pread(descriptor, base + done, count - done, off_t(offset + done))
        if taken < 0 && errno == EINTR { continue }
        guard taken >= 0 else {
          throw RealmFileError(
            .unreadable, "\(path) cannot be read at offset \(offset): \(String(cString: strerror(errno)))")
        }
        if taken == 0 { return }
        done += taken
      }
    }
  }
}
