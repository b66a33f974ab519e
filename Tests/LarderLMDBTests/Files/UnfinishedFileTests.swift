import Foundation
import LarderLMDB
import TestSupport
import Testing

/// Files in the making, and what is left of them.
@Suite("Unfinished files") struct UnfinishedFileTests {
  private func names(_ directory: TemporaryDirectory) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  @Test("a file gets its name when it is complete, replaces nothing, and goes when it is given up")
  func publishing() throws {
    let directory = try TemporaryDirectory()
    do {
      let file = try UnfinishedFile(for: directory.file("a"))
      let path = file.path
      #expect(path.hasPrefix(directory.file("a") + ".\(getpid()).") && mode(path) == 0o600)
      #expect(fileSize(directory.file("a")) == -1)
      try directory.write("what LMDB puts beside it", to: URL(fileURLWithPath: path + "-lock").lastPathComponent)
      try file.publish(as: directory.file("a"))
    }
    #expect(try names(directory) == ["a"])
    let refused = code {
      let file = try UnfinishedFile(for: directory.file("a"))
      try file.publish(as: directory.file("a"))
    }
    #expect(refused == .fileExists)
    do { _ = try UnfinishedFile(for: directory.file("b")) }
    #expect(try names(directory) == ["a"])
    #expect(code { _ = try UnfinishedFile(for: directory.file("none/a")) } == .noSuchFile)
  }

  @Test("an abandoned unfinished file is removed with the next file that is made in the folder; one in use stays")
  func leftBehind() throws {
    let directory = try TemporaryDirectory()
    let others = ["data.copying", "x.1.2.copying.txt", "x.1a.2.copying", "x..2.copying", "x.1.2.copying-locks"]
    for name in others + ["x.1.2.copying", "x.1.2.copying-lock", "y.z.3.4.copying-lock", ".5.6.copying"] {
      try directory.write("left", to: name)
    }
    let made = try UnfinishedFile(for: directory.file("made"))
    let other = try UnfinishedFile(for: directory.file("other"))
    let ours = [made.path, other.path].map { URL(fileURLWithPath: $0).lastPathComponent }
    #expect(try names(directory) == (others + ours).sorted())
    try made.publish(as: directory.file("made"))
    try other.publish(as: directory.file("other"))
    #expect(try names(directory) == (others + ["made", "other"]).sorted())
  }

  @Test("a process that is killed while it copies leaves nothing that the next copy in the folder does not remove")
  func killed() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    try environment.store(0..<10)
    let worker = try WorkerProcess("LMDBWorker", ["hold-unfinished", directory.file("target")])
    #expect(worker.readLine() == "ready")
    try environment.copy(to: directory.file("first"))
    #expect(try names(directory).filter { $0.hasPrefix("target.") }.count == 1, "it is being made")
    worker.kill()
    try environment.copy(to: directory.file("second"))
    #expect(try names(directory) == ["data", "data-lock", "first", "second"])
  }
}
