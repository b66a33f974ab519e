import Foundation
import TestSupport

/// A PostgreSQL of one test, with a Unix socket and no port.
final class PrivatePostgres: Sendable {
  let folder: String

  /// True if the programs of PostgreSQL are here.
  static let isInstalled: Bool = {
    let found = try? ServerProcess.run(
      "/bin/sh", ["-c", "command -v initdb || find /usr/lib/postgresql -name initdb 2>/dev/null | grep ."])
    return found != nil
  }()

  /// Makes an empty cluster and starts it. It is removed when the process of the test ends.
  init() throws {
    folder = "/tmp/larder-pg-\(ProcessInfo.processInfo.processIdentifier)-\(UInt16.random(in: .min ... .max))"
    try start()
  }

  deinit { try? script("remove") }

  var url: String { "postgresql:///larder?host=\(folder)&user=larder" }

  func start() throws { try script("start", "--for", "\(ProcessInfo.processInfo.processIdentifier)") }

  /// Ends it at once, as with `pg_ctl -m immediate`: no transaction is completed.
  func stop() throws { try script("stop") }

  private func script(_ verb: String, _ more: String...) throws {
    let program = URL(fileURLWithPath: fixtures).deletingLastPathComponent()
      .appendingPathComponent(".ci/private-postgres").path
    try ServerProcess.run(program, [verb, folder] + more)
  }
}
