import Foundation

/// A directory of its own for one test, removed with everything in it when the last reference goes away.
///
/// Keep a reference for as long as files in it are open: `let directory = try TemporaryDirectory()` at the top of a
/// test does that when the test ends with `withExtendedLifetime` or uses the directory to its end.
///
/// - Important: may be shared between threads; the directory's path never changes.
package final class TemporaryDirectory: Sendable {
  /// The directory itself.
  package let url: URL

  /// Creates an empty directory under the system's temporary directory.
  ///
  /// - Throws: the file system's error when the directory cannot be made.
  package init(_ name: String = "larder") throws {
    url = URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
      .appendingPathComponent("larder-tests", isDirectory: true)
      .appendingPathComponent("\(name)-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The directory's path.
  package var path: String { url.path }

  /// The path of a file in the directory; the file is not created.
  package func file(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file and gives back its path.
  ///
  /// - Throws: the file system's error.
  @discardableResult
  package func write(_ contents: some DataProtocol, to name: String) throws -> String {
    let target = url.appendingPathComponent(name)
    try Data(contents).write(to: target)
    return target.path
  }

  /// Writes a text file and gives back its path.
  ///
  /// - Throws: the file system's error.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }
}

/// Runs `body` with a fresh directory that lives exactly as long as the call.
///
/// - Throws: what `body` throws, or the file system's error.
package func withTemporaryDirectory<Result>(
  _ name: String = "larder", _ body: (TemporaryDirectory) throws -> Result
) throws -> Result {
  let directory = try TemporaryDirectory(name)
  return try withExtendedLifetime(directory) { try body(directory) }
}

/// Runs an asynchronous `body` with a fresh directory that lives exactly as long as the call.
///
/// - Throws: what `body` throws, or the file system's error.
package func withTemporaryDirectory<Result>(
  _ name: String = "larder", isolation: isolated (any Actor)? = #isolation,
  _ body: (TemporaryDirectory) async throws -> Result
) async throws -> Result {
  let directory = try TemporaryDirectory(name)
  let result = try await body(directory)
  withExtendedLifetime(directory) {}
  return result
}
