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
    var durable = 0
    var begun: [Int: Int] = [:]
    for (place, event) in events[..<cut].enumerated() {
      switch event {
      case .flushBegan(let flush): begun[flush] = place
      case .flushEnded(let flush): durable = max(durable, begun[flush] ?? 0)
      default: break
      }
    }
    var image: [UInt8] = []
    for (place, event) in events[..<cut].enumerated() {
      guard case .write(let offset, let bytes, let isDurable) = event else { continue }
      // A disk writes sectors whole.
      for start in stride(from: 0, to: bytes.count, by: 512) where isDurable || place < durable || survives() {
        let part = bytes[start..<min(bytes.count, start + 512)]
        let end = offset + start + part.count
        if image.count < end { image.append(contentsOf: [UInt8](repeating: 0, count: end - image.count)) }
        image.replaceSubrange(offset + start..<end, with: part)
      }
    }
    return image
  }
}

/// The recorded file; nil while nothing is recorded.
enum DiskRecorder {
  private static let state = Lock<(log: DiskLog, isOn: Bool)>((DiskLog(), false))

  static func start() { state.withLock { $0 = (DiskLog(), true) } }
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

  static func flush(_ body: () -> Int32) -> Int32 {
    let number = state.withLock { state in
      state.log.flushes += 1
      if state.isOn { state.log.events.append(.flushBegan(state.log.flushes)) }
      return state.log.flushes
    }
    let result = body()
    // Slow enough for flushes to be shared, whatever the disk.
    if state.withLock({ $0.isOn }) { usleep(300) }
    if result == 0 { note(.flushEnded(number)) }
    return result
  }
}

extension Job {
  private static let threads = 5
  private static let rounds = 12
  /// Values of one commit: more than a page.
  private static let values = 6

  /// `seed cuts`: threads commit to a new environment; then the power fails at many points of that, and each file that may be left is opened.
  ///
  /// Says how many commits had no flush of their meta page, and what is wrong with any file.
  func cutPower() throws {
    let log = try commitRecorded()
    var random = SplitMix(state: UInt64(numbers[0]))
    var own = 0
    for case .write(_, let bytes, true) in log.events where bytes.count < 512 { own += 1 }
    say("late \(Self.threads * Self.rounds - own)")
    for _ in 0..<numbers[1] {
      let cut = Int(random.next() % UInt64(log.events.count + 1))
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
    let group = DispatchGroup()
    for thread in 0..<Self.threads {
      group.enter()
      Thread.detachNewThread {
        for round in 1...Self.rounds {
          do { try commit(environment, thread, round) } catch { say("wrong commit: \(error)") }
          DiskRecorder.note(.promise(thread: thread, round: round))
        }
        group.leave()
      }
    }
    group.wait()
    return DiskRecorder.stop()
  }

  private func commit(_ environment: Environment, _ thread: Int, _ round: Int) throws {
    try environment.write { transaction in
      for value in 0..<Self.values {
        let key = KeyBytes(UInt64(thread * 100 + value))
        try transaction.put(environment.table("a"), key, [UInt8](repeating: UInt8(round), count: 700))
      }
    }
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
