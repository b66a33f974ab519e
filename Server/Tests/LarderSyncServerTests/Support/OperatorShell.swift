import Foundation

/// A shell in a folder of its own, with the command in its path, in which lines are run as an operator types them.
final class OperatorShell {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "larder-shell-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  // What is left is in the folder for temporary files.
  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Writes a file into the folder.
  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  /// Runs a line and returns what it prints. A server is ended as soon as it serves.
  ///
  /// - Throws: When it ends with another status than 0.
  func run(_ line: String, environment: [String: String] = [:]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "exec \(line)"]
    process.currentDirectoryURL = folder
    // The programs of a package are built into the folder that the tests are started from.
    let path = "\(Bundle.main.bundleURL.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
    process.environment = ["PATH": path].merging(environment) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    var text = ""
    while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
      text += String(decoding: data, as: UTF8.self)
      if text.contains("larder-sync: serving ") { process.terminate() }
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw TestPostgres.Failure(description: "\(line): \(text)") }
    return text
  }
}
