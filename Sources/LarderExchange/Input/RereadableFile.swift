import Foundation

/// An input file that is read more than once: what gives its bytes only once, such as a pipe, is copied first.
///
/// The copy has no name any more and goes with the instance.
final class RereadableFile {
  /// The path of the bytes: the file itself, or the copy.
  let contents: String
  private let copy: FileHandle?

  /// - Throws: `InputFileError` when the file cannot be read, or the copy not be written.
  init(_ path: String) throws {
    guard Self.isReadOnce(path) else {
      (contents, copy) = (path, nil)
      return
    }
    let copy = try Self.copy(of: path)
    self.copy = copy
    // On Linux this opens the file again, from its beginning.
    contents = "/dev/fd/\(copy.fileDescriptor)"
  }

  /// True if a path names something that is neither a regular file nor a folder.
  private static func isReadOnce(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }

  private static func copy(of path: String) throws -> FileHandle {
    func fail(_ what: String, _ number: Int32) -> InputFileError {
      InputFileError(path: path, message: "\(what): \(String(cString: strerror(number)))")
    }
    try NamedPipe.refuse(path)
    guard let source = FileHandle(forReadingAtPath: path) else {
      throw InputFileError(path: path, message: "the file cannot be read; are its permissions right?")
    }
    defer { try? source.close() }
    let name = "\(FileManager.default.temporaryDirectory.path)/larder-\(UUID().uuidString)"
    let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw fail("it is read twice, and no copy can be made in '\(name)'", errno) }
    let copy = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    unlink(name)
    while true {
      let piece: Data?
      do { piece = try source.read(upToCount: 1 << 18) } catch {
        throw InputFileError(path: path, message: "reading failed: \(error.localizedDescription)")
      }
      guard let piece, !piece.isEmpty else { return copy }
      do { try copy.write(contentsOf: piece) } catch {
        throw InputFileError(
          path: path, message: "it is read twice, and a copy of it cannot be written to the folder of temporary files")
      }
    }
  }
}
