import Foundation
@testable import LarderLMDB
import TestSupport
import Testing

@Suite("Commit watcher", .serialized)
struct CommitWatcherTests {
  @Test("is called after commits of this and of another process, until stopped")
  func notices() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    let signal = DispatchSemaphore(value: 0)
    let seen = Collected<UInt64>()
    let watcher = try CommitWatcher(path: environment.path) { [weak environment] in
      seen.append(environment?.lastTransactionID ?? 0)
      signal.signal()
    }
    try environment.store([1])
    wait(signal, until: { (seen.values.last ?? 0) >= environment.lastTransactionID })
    let worker = try WorkerProcess.run("LMDBWorker", ["write", environment.path, "5", "1", "8"])
    #expect(worker.status == 0)
    wait(signal, until: { (seen.values.last ?? 0) >= environment.lastTransactionID })
    watcher.stop()
    watcher.stop()
    // Another watch shows when the hub has dealt with the next commit.
    let other = DispatchSemaphore(value: 0)
    let count = seen.values.count
    let second = try CommitWatcher(path: environment.path) { other.signal() }
    try environment.store([2])
    #expect(other.wait(timeout: .now() + 20) == .success)
    #expect(seen.values.count <= count + 1)
    withExtendedLifetime(second) {}
  }

  private func wait(_ signal: DispatchSemaphore, until isDone: () -> Bool) {
    while !isDone() {
      guard signal.wait(timeout: .now() + 20) == .success else {
        Issue.record("no call came")
        return
      }
    }
  }

  @Test("several watchers of several files hear of theirs only, and leave no descriptor behind")
  func several() throws {
    let directory = try TemporaryDirectory()
    let first = try openEnvironment(directory, "one")
    let second = try openEnvironment(directory, "two")
    do {
      let ones = DispatchSemaphore(value: 0)
      let twos = Collected<Int>()
      let watchers = try [
        CommitWatcher(path: first.path) { ones.signal() }, CommitWatcher(path: first.path) { ones.signal() },
        CommitWatcher(path: second.path) { twos.append(1) },
      ]
      try first.store([1])
      #expect(ones.wait(timeout: .now() + 20) == .success)
      #expect(ones.wait(timeout: .now() + 20) == .success)
      #expect(twos.values.isEmpty)
      #if os(Linux)
        #expect(watchCount([first.path]) > 0)
      #endif
      withExtendedLifetime(watchers) {}
    }
    #if os(Linux)
      // The hub's thread lets go of a file a moment after its last watch. Other suites watch files of their own.
      let paths = [first.path, second.path]
      for _ in 0..<200 where watchCount(paths) > 0 { usleep(10_000) }
      #expect(watchCount(paths) == 0)
    #endif
  }

  #if os(Linux)
    @Test("own commits are not told of while no other process has the file, and those of one that comes are")
    func quiet() throws {
      let directory = try TemporaryDirectory()
      let environment = try openEnvironment(directory)
      let calls = Collected<UInt64>()
      let signal = DispatchSemaphore(value: 0)
      let watcher = try CommitWatcher(
        path: environment.path,
        foreignUse: { [weak environment] in environment?.foreignUse ?? ForeignUse(hasReaders: false, commit: 0) }
      ) { [weak environment] in
        calls.append(environment?.lastTransactionID ?? 0)
        signal.signal()
      }
      // The events that the kernel keeps for the watch tell what it listens to.
      func isQuiet() -> Bool { watchMasks(environment.path).allSatisfy { $0 & UInt32(IN_MODIFY) == 0 } }
      #expect(!isQuiet())
      try environment.store([1])
      wait(signal, until: { (calls.values.last ?? 0) >= environment.lastTransactionID })
      for round in 0..<2 {
        for _ in 0..<400 where !isQuiet() { usleep(10_000) }
        #expect(isQuiet())
        let before = calls.values.count
        for number in 0..<50 { try environment.store([UInt64(number)]) }
        #expect(calls.values.count == before, "round \(round)")
        let worker = try WorkerProcess.run("LMDBWorker", ["write", environment.path, "5", "1", "8"])
        #expect(worker.status == 0)
        wait(signal, until: { (calls.values.last ?? 0) >= environment.lastTransactionID })
      }
      withExtendedLifetime(watcher) {}
    }

    /// The events that the process's watches of a file are for.
    private func watchMasks(_ path: String) -> [UInt32] {
      watchLines([path]).compactMap { line in
        line.split(separator: " ").first { $0.hasPrefix("mask:") }.flatMap { UInt32($0.dropFirst(5), radix: 16) }
      }
    }

    /// Returns the number of the process's watches that are for one of the files.
    private func watchCount(_ paths: [String]) -> Int { watchLines(paths).count }

    /// Returns what the system says of the process's watches of the files.
    private func watchLines(_ paths: [String]) -> [Substring] {
      let inodes = paths.compactMap { path -> String? in
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.systemFileNumber] as? NSNumber).map { "ino:" + String($0.uint64Value, radix: 16) }
      }
      let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo")) ?? []
      return descriptors.flatMap { name in
        let text = (try? String(contentsOfFile: "/proc/self/fdinfo/\(name)", encoding: .utf8)) ?? ""
        let watches = text.split(separator: "\n").filter { $0.hasPrefix("inotify") }
        return watches.filter { watch in inodes.contains { watch.split(separator: " ").contains($0[...]) } }
      }
    }
  #endif

  @Test("starting and stopping from many threads while the file changes")
  func churn() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      do {
        for round in 0..<30 {
          let called = DispatchSemaphore(value: 0)
          let watcher = try CommitWatcher(path: environment.path) { called.signal() }
          try environment.store([UInt64(thread * 1000 + round)])
          #expect(called.wait(timeout: .now() + 20) == .success)
          watcher.stop()
        }
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test("a missing file is an error")
  func missing() throws {
    let directory = try TemporaryDirectory()
    #expect(code { _ = try CommitWatcher(path: directory.file("none")) {} } == .noSuchFile)
  }

  @Test("looking at the file's times is the fallback")
  func polling() throws {
    let directory = try TemporaryDirectory()
    let environment = try openEnvironment(directory)
    let called = DispatchSemaphore(value: 0)
    let watch = PollingWatch(path: environment.path) { called.signal() }
    usleep(20_000)
    try environment.store(0..<100, size: 3000)
    #expect(called.wait(timeout: .now() + 20) == .success)
    watch.stop()
  }
}
