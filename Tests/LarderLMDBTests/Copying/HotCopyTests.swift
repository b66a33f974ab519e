import Foundation
import LarderLMDB
import TestSupport
import Testing

@Suite("Hot copy")
struct HotCopyTests {
  @Test("a copy holds what was committed, is private, and leaves nothing beside it", arguments: [false, true])
  func copying(_ compacting: Bool) throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    try environment.store(0..<500, size: 2500, fill: 6)
    try environment.write { transaction in
      for key in UInt64(100)..<500 { try transaction.delete(environment.table("a"), KeyBytes(key)) }
    }
    let target = directory.file("copy")
    try environment.copy(to: target, compacting: compacting)
    #expect(mode(target) == 0o600)
    #expect((fileSize(target) < fileSize(environment.path) / 2) == compacting)
    let copy = try openEnvironment(directory, "copy")
    #expect(try copy.beginRead().count == 100)
    #expect(try copy.fill(of: 99) == 6)
    _ = try copy.checkPages()
    try copy.store([1000])
    #expect(try environment.beginRead().count == 100)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    #expect(names == ["copy", "copy-lock", "data", "data-lock"])
  }

  @Test("copies made while another process commits are each a committed state")
  func underWrites() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    let worker = try WorkerProcess("LMDBWorker", ["overwrite-until-told", environment.path])
    #expect(worker.readLine() == "ready")
    for round in 0..<20 {
      try environment.copy(to: directory.file("copy\(round)"), compacting: round % 2 == 1)
      let copy = try openEnvironment(directory, "copy\(round)") { $0.inspection = .everyPage }
      let transaction = try copy.beginRead()
      let fills = try Set((UInt64(0)..<50).map { try transaction.fill(of: $0) })
      #expect(fills.count == 1)
    }
    try worker.send("stop")
    #expect(worker.waitUntilExit() == 0)
  }

  @Test("nothing is replaced, and a failure leaves nothing behind")
  func failures() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    try environment.store([1])
    let target = try directory.write("precious", to: "copy")
    #expect(code { try environment.copy(to: target) } == .fileExists)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
    #expect(code { try environment.copy(to: directory.file("none/copy")) } == .noSuchFile)
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("link"), withDestinationPath: directory.file("elsewhere"))
    #expect(code { try environment.copy(to: directory.file("link")) } == .fileExists)
    #expect(fileSize(directory.file("elsewhere")) == -1)
  }
}
