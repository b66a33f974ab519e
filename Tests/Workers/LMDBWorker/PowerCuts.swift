import Foundation
import LarderLMDB
import LarderLocks

extension Job {
  private static let threads = 5
  private static let processes = 3
  private static let rounds = 12
  /// Values of one commit: more than a page.
  private static let values = 6

  /// `seed cuts failing lent`: threads commit to a new environment, and one of their flushes may fail; then the power fails at many points of that,
  /// and each file that may be left is opened. With `lent` above 0 the transactions are lent ones, and who made a commit goes on before it is durable.
  ///
  /// Says how many commits had no flush of their meta page, and what is wrong with any file.
  func cutPower() throws { try cutPower(of: try commitRecorded(), writers: Self.threads) }

  /// `seed cuts failing`: the same with processes, each of one thread; one flush of the first process may fail.
  func cutPowerOfProcesses() throws {
    do { _ = try open { $0.durability = .full } }
    let journal = DiskJournal(path + "-journal")
    journal.append(.write(offset: 0, bytes: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))), isDurable: true))
    var processes: [(process: Process, input: Pipe, output: Pipe)] = []
    for number in 0..<Self.processes {
      let (process, input, output) = (Process(), Pipe(), Pipe())
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      process.arguments = ["power-process", path, "\(number)", "\(number == 0 ? numbers[2] : 0)"]
      (process.standardInput, process.standardOutput) = (input, output)
      try process.run()
      processes.append((process, input, output))
    }
    // All are there before the first begins.
    for process in processes {
      var text = ""
      while !text.contains("ready") {
        let last = process.output.fileHandleForReading.availableData
        if last.isEmpty { break }
        text += String(decoding: last, as: UTF8.self)
      }
      say(text)
    }
    for process in processes { try process.input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8)) }
    for process in processes {
      say(String(decoding: process.output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
      process.process.waitUntilExit()
      if process.process.terminationStatus != 0 {
        say("wrong: a process ended with \(process.process.terminationStatus)")
      }
    }
    try cutPower(of: DiskLog(events: try DiskJournal.events(path + "-journal")), writers: Self.processes)
  }

  /// `number failing`: commits as one of the processes.
  func commitAsProcess() throws {
    DiskRecorder.start(DiskJournal(path + "-journal"))
    let environment = try open { $0.durability = .full }
    armFailure(numbers[1])
    // One commit before the others: it shows how long a flush takes.
    var round = 1
    var failures = 0
    func commitNext() throws {
      do {
        try commit(environment, numbers[0], round)
        DiskRecorder.note(.promise(thread: numbers[0], round: round))
        (round, failures) = (round + 1, 0)
      } catch let error as LMDBError where error.code == .inputOutput {
        // Goes on: only after a flush of its own that failed is nothing to be had of the environment any more.
        say("failed")
        failures += 1
      }
    }
    try commitNext()
    waitForInput()
    while round <= Self.rounds, failures < 3 { try commitNext() }
  }

  private func armFailure(_ flush: Int) {
    guard flush > 0 else { return }
    Faults.error.store(EIO, ordering: .relaxed)
    Faults.kind.store(Faults.sync, ordering: .relaxed)
    Faults.countdown.store(flush, ordering: .relaxed)
  }

  private func cutPower(of log: DiskLog, writers: Int) throws {
    var random = SplitMix(state: UInt64(numbers[0]))
    var own = 0
    for case .write(_, let bytes, true) in log.events where bytes.count < 512 { own += 1 }
    say("late \(writers * Self.rounds - own)")
    for _ in 0..<numbers[1] {
      // The first event is the file as it was made.
      let cut = 1 + Int(random.next() % UInt64(log.events.count))
      let share = random.next() % 4
      let image = log.image(before: cut) { random.next() % 4 < share }
      try check(image, promised: log.promised(threads: writers, before: cut), cut)
    }
    say("done")
  }

  private func commitRecorded() throws -> DiskLog {
    // Without the time to open: a file that is being made has no name yet.
    do { _ = try open { $0.durability = .full } }
    DiskRecorder.start()
    let made = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    DiskRecorder.note(.write(offset: 0, bytes: made, isDurable: true))
    let environment = try open { $0.durability = .full }
    let fails = numbers[2] > 0
    armFailure(numbers[2])
    let group = DispatchGroup()
    for thread in 0..<Self.threads {
      group.enter()
      Thread.detachNewThread {
        for round in 1...Self.rounds {
          do {
            if numbers[3] > 0 {
              try commitLent(environment, thread, round, group)
            } else {
              try commit(environment, thread, round)
              DiskRecorder.note(.promise(thread: thread, round: round))
            }
          } catch {
            // A thread that gets the failure stops; the others go on.
            say(fails ? "failed" : "wrong commit: \(error)")
            break
          }
        }
        group.leave()
      }
    }
    group.wait()
    return DiskRecorder.stop()
  }

  private func commit(_ environment: Environment, _ thread: Int, _ round: Int) throws {
    try environment.write { try put($0, environment, thread, round) }
  }

  private func put(_ transaction: WriteTransaction, _ environment: Environment, _ thread: Int, _ round: Int) throws {
    for value in 0..<Self.values {
      let key = KeyBytes(UInt64(thread * 100 + value))
      try transaction.put(environment.table("a"), key, [UInt8](repeating: UInt8(round), count: 700))
    }
  }

  /// Commits on the writer thread, and returns when the commit was made; it is promised when it is durable, which the group waits for.
  private func commitLent(
    _ environment: Environment, _ thread: Int, _ round: Int, _ group: DispatchGroup
  ) throws {
    let made = Lock<Result<Void, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    _ = environment.requestWrite { answer in
      made.withLock { made in
        made = Result {
          let lent = try answer.get().transaction
          do {
            try put(lent, environment, thread, round)
          } catch {
            lent.abort()
            throw error
          }
          let late = try lent.commitSharingFlush(isFollowed: round < Self.rounds)
          guard let late else { return DiskRecorder.note(.promise(thread: thread, round: round)) }
          group.enter()
          late.whenDurable { result in
            switch result {
            case .success: DiskRecorder.note(.promise(thread: thread, round: round))
            case .failure: say("failed")
            }
            group.leave()
          }
        }
      }
      done.signal()
    }
    done.wait()
    try made.withLock { try $0?.get() }
  }

  private func check(_ image: [UInt8], promised: [Int], _ cut: Int) throws {
    let copy = Job(path: path + "-cut", numbers: [])
    try Data(image).write(to: URL(fileURLWithPath: copy.path))
    defer { for name in [copy.path, copy.path + "-lock"] { try? FileManager.default.removeItem(atPath: name) } }
    do {
      let environment = try copy.open { $0.durability = .full }
      _ = try environment.checkPages()
      let read = try environment.beginRead()
      for (thread, least) in promised.enumerated() {
        let found = try (0..<Self.values).map { value in
          try read.get(environment.table("a"), KeyBytes(UInt64(thread * 100 + value)))?.bytes ?? []
        }
        let round = Int(found[0].first ?? 0)
        let isWhole = found.allSatisfy { $0.allSatisfy { $0 == UInt8(round) } && $0.count == (round == 0 ? 0 : 700) }
        if !isWhole || round < least { say("wrong at \(cut): thread \(thread) has \(round), promised \(least)") }
      }
    } catch {
      say("wrong at \(cut): \(error)")
    }
  }
}

/// Random numbers from a seed.
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
