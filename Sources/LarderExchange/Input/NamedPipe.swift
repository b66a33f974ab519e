import Foundation

/// Pipes that have a name in the file system: opening one waits until another program writes to it, which may be never.
enum NamedPipe {
  /// Names of what a process has open already; those may be pipes.
  private static let openFiles = ["/dev/stdin", "/dev/fd/", "/proc/self/fd/"]

  /// - Throws: `InputFileError` for a path that names such a pipe.
  static func refuse(_ path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO,
      !openFiles.contains(where: path.hasPrefix)
    else { return }
    // A link to what is open already leads to a pipe without a name.
    guard let real = realpath(path, nil) else { return }
    free(real)
    throw InputFileError(
      path: path,
      message: "this is a named pipe, and reading would wait for a program that writes to it; to read from it, say "
        + "/dev/stdin and < '\(path)'")
  }
}
