import Dispatch
import Foundation
import Testing

@testable import Larder

/// Covers E-37, E-41, E-42, M-92 and N-71 to N-73 for queued writes.
@Suite("Rules of queued writes", .timeLimit(.minutes(30))) struct QueuedWriteRulesTests {
  @MainActor
  private static func finish(_ realm: Realm) async throws {
    while realm.isPerformingAsynchronousWriteOperations { try await Task.sleep(for: .milliseconds(1)) }
  }

  @MainActor
  @Test("M-92, E-37 with too many versions in use a queued block does not run, and its completion says why")
  func tooManyVersions() async throws {
    var configuration = temporaryConfiguration()
    configuration.maximumNumberOfActiveVersions = 2
    let realm = try await Realm(configuration: configuration)
    let recorder = Recorder()
    func queue() {
      realm.writeAsync {
        recorder.add("block")
      } onComplete: { error in
        let text = (error as? Realm.Error).map { "\($0)" } ?? "no error"
        recorder.add(text.contains("3 versions of") && text.contains("the limit is 2") ? "too many" : text)
      }
    }
    var frozen: [Realm] = []
    for id in 0..<3 {
      try realm.write { realm.add(Person(id: id)) }
      frozen.append(realm.freeze())
    }
    queue()
    try await Self.finish(realm)
    #expect(recorder.all == ["too many"] && realm.objects(Person.self).count == 3)
    frozen = []
    queue()
    try await Self.finish(realm)
    #expect(recorder.all == ["too many", "block", "no error"])
  }

  @Test("M-92, E-37 a block of beginAsyncWrite that cannot run is reported in the log") func toldInTheLog() async {
    await #expect(processExitsWith: .success) {
      let recorder = Recorder()
      Logger.shared = Logger(level: .error) { level, text in recorder.add("\(level) \(text)") }
      let queue = DispatchQueue(label: "owner")
      var configuration = temporaryConfiguration()
      configuration.maximumNumberOfActiveVersions = 1
      let kept = configuration
      let realm = UncheckedBox(try queue.sync { try Realm(configuration: kept, queue: queue) })
      let frozen = UncheckedBox(
        try queue.sync {
          try realm.value.write { realm.value.add(Person(id: 1)) }
          let frozen = realm.value.freeze()
          try realm.value.write { realm.value.add(Person(id: 2)) }
          realm.value.beginAsyncWrite { recorder.add("block") }
          return frozen
        })
      guard recorder.wait(), recorder.all.count == 1, recorder.all[0].hasPrefix("error A queued write did not run"),
        recorder.all[0].contains("2 versions of")
      else { fatalError("\(recorder.all)") }
      withExtendedLifetime(frozen) {}
    }
  }

  @MainActor
  private static func cancelInCompletion() async throws {
    let realm = try await Realm(configuration: temporaryConfiguration())
    realm.writeAsync {
    } onComplete: { _ in
      try? realm.cancelAsyncWrite(1)
    }
    try await Task.sleep(for: .seconds(20))
  }

  @Test("N-71, E-42 cancelling in a completion block") func cancellingInCompletion() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await Self.cancelInCompletion()
    }
    #expect(misuseText(result).contains("cannot be begun or cancelled inside of a completion block"))
  }

  @Test("N-71, E-41 a thread whose run loop does not run") func plainThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      elsewhere {
        let realm = try? makeRealm()
        _ = realm?.writeAsync {}
      }
    }
    #expect(misuseText(result).contains("Async writes need the main thread, a thread whose run loop runs"))
  }

  @MainActor
  @Test(
    "N-72 commits that may share a sync are each told, in order, and read by others when they are",
    arguments: [true, false])
  func grouping(isAllowed: Bool) async throws {
    let configuration = temporaryConfiguration()
    let realm = try await Realm(configuration: configuration)
    let recorder = Recorder()
    for id in 0..<4 {
      realm.beginAsyncWrite {
        realm.add(Person(id: id))
        realm.commitAsyncWrite(allowGrouping: isAllowed) { error in
          var seen = 0
          elsewhere { seen = (try? Realm(configuration: configuration))?.objects(Person.self).count ?? 0 }
          recorder.add("\(id) \(error == nil) \(seen > id)")
        }
      }
    }
    try await Self.finish(realm)
    #expect(recorder.all == (0..<4).map { "\($0) true true" })
  }

  @MainActor
  @Test("N-73, R-7 invalidating drops queued blocks") func invalidatingQueued() async throws {
    let configuration = temporaryConfiguration()
    let realm = try await Realm(configuration: configuration)
    let blocker = try await HeldLock(configuration)
    let recorder = Recorder()
    realm.writeAsync {
      recorder.add("block")
    } onComplete: { _ in
      recorder.add("done")
    }
    realm.beginAsyncWrite { recorder.add("block") }
    _ = realm.objects(Person.self).count
    realm.invalidate()
    #expect(!realm.isPerformingAsynchronousWriteOperations)
    blocker.release()
    // Queued afterwards, it would come after them.
    realm.writeAsync { recorder.add("later") }
    try await Self.finish(realm)
    #expect(recorder.all == ["later"])
  }

  @MainActor
  @Test("N-73, R-7 invalidating waits for a commit that is on its way") func invalidatingCommits() async throws {
    let configuration = temporaryConfiguration()
    let realm = try await Realm(configuration: configuration)
    let recorder = Recorder()
    realm.beginAsyncWrite {
      realm.add(Person(id: 1))
      realm.commitAsyncWrite { error in recorder.add("done \(error == nil)") }
      realm.invalidate()
      var seen = 0
      elsewhere { seen = (try? Realm(configuration: configuration))?.objects(Person.self).count ?? 0 }
      recorder.add("seen \(seen)")
    }
    try await Self.finish(realm)
    #expect(recorder.all == ["seen 1", "done true"] && realm.objects(Person.self).count == 1)
  }
}
