import Foundation
import LarderExchange
import LarderInspection
import LarderLocks
import LarderStorage
import TestSupport
import TestTraits
import Testing

/// `larder backup` and `larder compact`, interrupted at any moment while another process writes.
@Suite(.serialized, .long) struct InterruptedCopyTests {
  /// Interruptions of each kind; `LARDER_KILLS` says how many.
  private static let kills = ProcessInfo.processInfo.environment["LARDER_KILLS"].flatMap { Int($0) } ?? 40
  private static let objects = 600

  /// A store in which all objects always have one generation: a copy of anything between two commits would show two.
  private struct Subject {
    let directory: TemporaryDirectory
    let path: String

    init(_ directory: TemporaryDirectory) throws {
      self.directory = directory
      path = directory.file("s.larder")
      let writer = try StoreAccess.open(writing: path).beginWrite()
      try writer.apply(
        [
          ClassDeclaration(
            name: "Thing",
            columns: [
              ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
              ColumnDeclaration(name: "generation", type: .int, isIndexed: true),
              ColumnDeclaration(name: "text", type: .string),
            ])
        ], schemaVersion: 1)
      let thing = try #require(writer.schema["Thing"])
      for id in 0..<InterruptedCopyTests.objects {
        let key = try writer.create(thing.id, primaryKey: .int(Int64(id)))
        try writer.set(thing.id, thing.columns[2].id, key, .string(String(repeating: "text \(id) ", count: 300)))
      }
      try writer.commit()
    }

    /// One commit, which changes every object. Opens the store again, and closes it, where no program has it open.
    func write(_ generation: Int64) throws {
      let writer = try StoreAccess.open(writing: path).beginWrite()
      defer { writer.cancel() }
      let thing = try #require(writer.schema["Thing"])
      let column = try #require(thing.column(named: "generation")).id
      for key in 0..<UInt64(InterruptedCopyTests.objects) {
        try writer.set(thing.id, column, ObjectKey(rawValue: key), .int(generation))
      }
      try writer.commit()
    }

    /// The generation of a store that must be sound.
    func generation(of path: String, isDeep: Bool = true) throws -> Int64? {
      let check = try StoreCheck(path: path, isDeep: isDeep)
      #expect(check.problems.isEmpty, "\(check.problems.prefix(5))")
      let values = try column(path, "Thing", "generation")
      #expect(values.count == InterruptedCopyTests.objects && Set(values).count == 1)
      guard case .int(let generation)? = values.first else { return nil }
      return generation
    }

    /// Everything in the folder but the store itself.
    var others: [String] {
      get throws {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
          .filter { $0 != "s.larder" && $0 != "s.larder-lock" }
      }
    }
  }

  /// Interrupts after a random part of the time that the verb takes; that follows the load of the machine.
  private struct Interruption {
    let signal: Int32
    var whole: Double
    private(set) var done = 0
    private(set) var interrupted = 0

    init(_ signal: Int32, arguments: [String]) throws {
      self.signal = signal
      let begin = DispatchTime.now().uptimeNanoseconds
      #expect(try WorkerProcess.run("larder", arguments).status == 0)
      whole = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
    }

    /// Runs the tool and interrupts it at a random moment; says whether it came to its end.
    mutating func run(
      _ arguments: [String], _ random: inout SeededRandom, meanwhile: () throws -> Void = {}
    ) throws -> (isDone: Bool, status: Int32, errors: String) {
      let worker = try WorkerProcess("larder", arguments)
      try meanwhile()
      usleep(useconds_t(random.int(0...Int(whole * 1.2e6))))
      kill(worker.processIdentifier, signal)
      let status = worker.waitUntilExit()
      #expect(status == 0 || status == 3 || status == -signal, "\(worker.errorOutput)")
      if status == -signal { interrupted += 1 } else { done += 1 }
      whole *= status == -signal ? 1.02 : 0.95
      return (status == 0, status, worker.errorOutput)
    }

    /// The interruptions must fall on both sides of the end, or they prove nothing.
    func verifySpread() {
      if done + interrupted >= 40 { #expect(done > 0 && interrupted > 0, "\(done) done, \(interrupted) interrupted") }
    }
  }

  @Test(
    "An interrupted copy leaves nothing under its name, or all of it; the store goes on, and the next copy tidies up",
    arguments: [SIGINT, SIGKILL], [["backup"], ["compact", "--into"]])
  func copies(_ signal: Int32, _ verb: [String]) throws {
    var random = SeededRandom.forTest("copies \(signal) \(verb)")
    try withTemporaryDirectory { directory in
      let subject = try Subject(directory)
      func arguments(_ target: String) -> [String] { [verb[0], subject.path] + verb.dropFirst() + [target] }
      var interruption = try Interruption(signal, arguments: arguments(directory.file("t.larder")))
      try FileManager.default.removeItem(atPath: directory.file("t.larder"))
      // Another process than the one that copies.
      let generations = Lock<Int64>(0)
      let isOver = Lock(false)
      let failure = Lock<String?>(nil)
      let ended = DispatchSemaphore(value: 0)
      Thread {
        do {
          // Open all the time, as a server has it.
          let store = try StoreAccess.open(writing: subject.path)
          while !isOver.withLock({ $0 }) {
            try subject.write(generations.withLock { $0 } + 1)
            generations.withLock { $0 += 1 }
            usleep(2_000)
          }
          withExtendedLifetime(store) {}
        } catch { failure.withLock { $0 = "\(error)" } }
        ended.signal()
      }.start()
      for number in 0..<Self.kills {
        let target = directory.file("t\(number).larder")
        let before = generations.withLock { $0 }
        let outcome = try interruption.run(arguments(target), &random)
        #expect(outcome.status != 3, "\(outcome.errors)")
        let isThere = FileManager.default.fileExists(atPath: target)
        #expect(isThere || !outcome.isDone)
        guard isThere else { continue }
        let found = try subject.generation(of: target)
        #expect(found ?? -1 >= before && found ?? .max <= generations.withLock { $0 } + 1)
        for file in [target, target + "-lock"] { try? FileManager.default.removeItem(atPath: file) }
      }
      isOver.withLock { $0 = true }
      ended.wait()
      #expect(failure.withLock { $0 } == nil)
      interruption.verifySpread()
      #expect(try subject.generation(of: subject.path) == generations.withLock { $0 })
      // What a kill has left goes with the next copy, whatever its name.
      #expect(try WorkerProcess.run("larder", arguments(directory.file("last.larder"))).status == 0)
      #expect(try subject.others == ["last.larder"])
      #expect(try subject.generation(of: directory.file("last.larder")) == generations.withLock { $0 })
    }
  }

  @Test(
    "An interrupted compaction in place leaves the old file or the new one, while others open, write and close",
    arguments: [SIGINT, SIGKILL])
  func compactions(_ signal: Int32) throws {
    var random = SeededRandom.forTest("compactions \(signal)")
    try withTemporaryDirectory { directory in
      let subject = try Subject(directory)
      let arguments = ["compact", subject.path, "--write"]
      var interruption = try Interruption(signal, arguments: arguments)
      var generation: Int64 = 0
      var size = 0
      var compacted = 0
      for number in 0..<Self.kills {
        let pauses = (0..<random.int(0...2)).map { _ in useconds_t(random.int(0...Int(interruption.whole * 0.3e6))) }
        let outcome = try interruption.run(arguments, &random) {
          for pause in pauses {
            generation += 1
            try subject.write(generation)
            usleep(pause)
          }
        }
        // Refused while this process has it open.
        #expect(outcome.status != 3 || outcome.errors.contains("is in use"), "\(outcome.errors)")
        #expect(try subject.generation(of: subject.path, isDeep: number % 5 == 0) == generation)
        let now = try FileManager.default.attributesOfItem(atPath: subject.path)[.size] as? Int ?? 0
        if now < size { compacted += 1 }
        size = now
        generation += 1
        try subject.write(generation)
      }
      interruption.verifySpread()
      if Self.kills >= 40 { #expect(compacted > 0) }
      #expect(try WorkerProcess.run("larder", arguments).status == 0)
      #expect(try subject.others == [])
      #expect(try subject.generation(of: subject.path) == generation)
    }
  }
}
