import Foundation
import LarderLMDB
import LarderLocks

/// What a program did to one file: every write, every flush, and what it promised meanwhile.
struct DiskLog {
  enum Event {
    /// Durable from its end where the descriptor says so (`O_DSYNC`): that anything else is flushed with it is not promised.
    case write(offset: Int, bytes: [UInt8], isDurable: Bool)
    /// A flush that begins; what was written before it is on the disk when it has ended.
    case flushBegan(Int)
    case flushEnded(Int)
    /// What was written before it and was not on the disk is given up: no later flush writes it.
    case flushFailed(Int)
    /// Commits that were made before this one of a thread are promised.
    case promise(thread: Int, round: Int)
  }

  var events: [Event] = []
  var flushes = 0

  /// What was promised before a cut.
  func promised(threads: Int, before cut: Int) -> [Int] {
    var result = [Int](repeating: 0, count: threads)
    for case .promise(let thread, let round) in events[..<cut] { result[thread] = max(result[thread], round) }
    return result
  }

  /// A file as it may be found after the power failed before an event: all that was flushed, and of the rest any part.
  func image(before cut: Int, _ survives: () -> Bool) -> [UInt8] {
    let durable = durableWrites(before: cut)
    var image: [UInt8] = []
    for (place, event) in events[..<cut].enumerated() {
      guard case .write(let offset, let bytes, _) = event else { continue }
      // A disk writes sectors whole.
      for start in stride(from: 0, to: bytes.count, by: 512) where durable.contains(place) || survives() {
        let part = bytes[start..<min(bytes.count, start + 512)]
        let end = offset + start + part.count
        if image.count < end { image.append(contentsOf: [UInt8](repeating: 0, count: end - image.count)) }
        image.replaceSubrange(offset + start..<end, with: part)
      }
    }
    return image
  }

  /// The places of the writes that are on the disk for certain.
  private func durableWrites(before cut: Int) -> Set<Int> {
    var durable: Set<Int> = []
    var waiting: [Int] = []
    var begun: [Int: Int] = [:]
    for (place, event) in events[..<cut].enumerated() {
      switch event {
      case .write(_, _, let isDurable):
        if isDurable { durable.insert(place) } else { waiting.append(place) }
      case .flushBegan(let flush): begun[flush] = place
      case .flushEnded(let flush):
        let start = begun[flush] ?? 0
        durable.formUnion(waiting.filter { $0 < start })
        waiting.removeAll { $0 < start }
      case .flushFailed(let flush):
        let start = begun[flush] ?? 0
        waiting.removeAll { $0 < start }
      case .promise: break
      }
    }
    return durable
  }
}

/// The recorded file; nil while nothing is recorded.
enum DiskRecorder {
  private struct State {
    var log = DiskLog()
    var isOn = false
    /// Flushes that failed, and how many of them were reported to each descriptor.
    var failures = 0
    var reported: [Int32: Int] = [:]
  }

  private static let state = Lock(State())

  static func start() { state.withLock { $0 = State(isOn: true) } }
  static func stop() -> DiskLog {
    state.withLock {
      $0.isOn = false
      return $0.log
    }
  }

  static func note(_ event: DiskLog.Event) { state.withLock { if $0.isOn { $0.log.events.append(event) } } }

  /// Writes and notes it as one step, so that the log has the order of the writes.
  static func write(_ file: Int32, at offset: Int, _ bytes: @autoclosure () -> [UInt8], _ body: () -> Int) -> Int {
    state.withLock { state in
      let result = body()
      guard state.isOn, result > 0 else { return result }
      state.log.events.append(
        .write(offset: offset, bytes: bytes(), isDurable: fcntl(file, F_GETFL) & O_DSYNC != 0))
      return result
    }
  }

  /// Flushes by a descriptor, or fails as the system does: what was given up is reported to each descriptor once.
  static func flush(_ file: Int32, fails: Bool, _ body: () -> Int32) -> Int32 {
    let (number, isReported) = state.withLock { state in
      guard state.isOn else { return (0, fails) }
      state.log.flushes += 1
      state.log.events.append(.flushBegan(state.log.flushes))
      let isReported = !fails && state.reported[file, default: 0] < state.failures
      if fails { state.failures += 1 }
      state.reported[file] = state.failures
      return (state.log.flushes, fails || isReported)
    }
    let result = isReported ? -1 : body()
    // Slow enough for flushes to be shared, whatever the disk.
    if number > 0 { usleep(300) }
    if fails { note(.flushFailed(number)) } else { note(.flushEnded(number)) }
    if result != 0 { errno = EIO }
    return result
  }
}

extension Job {
  private static let threads = 5
  private static let rounds = 12
  /// Values of one commit: more than a page.
  private static let values = 6

  /// `seed cuts failing lent`: threads commit to a new environment, and one of their flushes may fail; then the power fails at many points of that,
  /// and each file that may be left is opened. With `lent` above 0 the transactions are lent ones, and who made a commit goes on before it is durable.
  ///
  /// Says how many commits had no flush of their meta page, and what is wrong with any file.
  func cutPower() throws {
    let log = try commitRecorded()
    var random = SplitMix(state: UInt64(numbers[0]))
    var own = 0
    for case .write(_, let bytes, true) in log.events where bytes.count < 512 { own += 1 }
    say("late \(Self.threads * Self.rounds - own)")
    for _ in 0..<numbers[1] {
      // The first event is the file as it was made.
      let cut = 1 + Int(random.next() % UInt64(log.events.count))
      let share = random.next() % 4
      let image = log.image(before: cut) { random.next() % 4 < share }
      try check(image, promised: log.promised(threads: Self.threads, before: cut), cut)
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
    if fails {
      Faults.error.store(EIO, ordering: .relaxed)
      Faults.kind.store(Faults.sync, ordering: .relaxed)
      Faults.countdown.store(numbers[2], ordering: .relaxed)
    }
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
