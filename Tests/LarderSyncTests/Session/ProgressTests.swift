import LarderLocks
import Testing

@testable import LarderSync

@Suite("Session: progress")
struct ProgressTests {
  private func status(
    _ phase: EngineStatus.Phase, _ done: Int = 0, of expected: Int? = nil, unsent: Int = 0, oldest: UInt64? = nil
  ) -> EngineStatus {
    var status = EngineStatus()
    status.connection = .connected
    status.phase = phase
    (status.objectsDone, status.objectsExpected) = (done, expected)
    (status.unsentCommits, status.oldestUnsent) = (unsent, oldest)
    return status
  }

  @Test("Y-34: Nothing is said before the connection; nothing to do is one report of 1")
  func nothingToDo() {
    var tracker = ProgressTracker(.download, .forCurrentlyOutstandingWork, start: 5)
    let report1 = tracker.update(EngineStatus())
    #expect(report1 == nil)
    let report2 = tracker.update(status(.connecting))
    #expect(report2 == nil)
    let report3 = tracker.update(status(.following))
    #expect(report3?.progressEstimate == 1)
    let report4 = tracker.update(status(.following))
    #expect(report4 == nil)
    var upload = ProgressTracker(.upload, .forCurrentlyOutstandingWork, start: 5)
    let report5 = upload.update(status(.following))
    #expect(report5?.isTransferComplete == true)
  }

  @Test("Y-34: Receiving is 0 to 0.8 and applying 0.8 to 1; it does not fall, and is 1 only when it is complete")
  func bootstrap() {
    var tracker = ProgressTracker(.download, .reportIndefinitely, start: 5)
    let steps: [EngineStatus] = [
      status(.bootstrapping), status(.bootstrapping, 50, of: 100), status(.bootstrapping, 60, of: 200),
      status(.bootstrapping, 200, of: 200), status(.applying, 0, of: 200), status(.applying, 200, of: 200),
      status(.following),
    ]
    let estimates = steps.compactMap { tracker.update($0)?.progressEstimate }
    #expect(estimates.count == steps.count)
    #expect(estimates == estimates.sorted())
    #expect(estimates[1] == 0.4)
    #expect(estimates[3] == 0.8)
    #expect(estimates.dropLast().allSatisfy { $0 < 1 })
    #expect(estimates.last == 1)
    // A new bootstrap begins again.
    let report6 = tracker.update(status(.bootstrapping))
    #expect(report6?.progressEstimate == 0)
  }

  @Test("Y-35: Outstanding uploads are done when what was there at registration is sent")
  func uploads() {
    var tracker = ProgressTracker(.upload, .forCurrentlyOutstandingWork, start: 100)
    let report7 = tracker.update(status(.following, unsent: 4, oldest: 50))
    #expect(report7?.progressEstimate == 0)
    let report8 = tracker.update(status(.following, unsent: 2, oldest: 60))
    #expect(report8?.progressEstimate == 0.5)
    let report9 = tracker.update(status(.following, unsent: 3, oldest: 90))
    #expect(report9?.progressEstimate == 0.5)
    let report10 = tracker.update(status(.following, unsent: 3, oldest: 101))
    #expect(report10?.isTransferComplete == true)
    #expect(tracker.isFinished)
  }

  @Test("Y-35: A report of what is outstanding ends, one without end goes on until its token is invalidated")
  @MainActor func tokens() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration())
    let session = try #require(realm.syncSession)
    let engine = try fixture.engine(of: realm)
    let reports = Shared<[Double]>([])
    let token = session.addProgressNotification(for: .download, mode: .reportIndefinitely) { progress in
      reports.value.withLock { $0.append(progress.progressEstimate) }
    }
    engine.change { $0 = status(.following) }
    try await eventually { reports.value.withLock { $0 } == [1] }
    engine.change { $0 = status(.bootstrapping, 1, of: 2) }
    engine.change { $0 = status(.following) }
    try await eventually { reports.value.withLock { $0.count > 1 && $0.last == 1 } }
    token?.invalidate()
    let count = reports.value.withLock { $0.count }
    engine.change { $0 = status(.bootstrapping, 1, of: 2) }
    var outstanding = session.progress(for: .upload, mode: .forCurrentlyOutstandingWork).makeAsyncIterator()
    #expect(await outstanding.next()?.progressEstimate == 1)
    #expect(await outstanding.next() == nil)
    #expect(reports.value.withLock { $0.count } == count)
  }
}
