import Foundation
import TestSupport
import Testing

/// A command line as a reader types it, with the package's programs in the path.
enum ShellLine {
  /// Runs a line in a directory, where it must end well, and gives what it printed.
  @discardableResult
  static func run(_ line: String, in directory: TemporaryDirectory, _ page: String = "") throws -> String {
    let shell = Process()
    let output = Pipe()
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", line]
    shell.currentDirectoryURL = directory.url
    shell.environment = ProcessInfo.processInfo.environment.merging(
      ["PATH": "\(WorkerProcess.productsDirectory.path):\(path)"]) { $1 }
    shell.standardOutput = output
    shell.standardError = output
    try shell.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0, "\(page): \(line): \(text)")
    return text
  }
}
