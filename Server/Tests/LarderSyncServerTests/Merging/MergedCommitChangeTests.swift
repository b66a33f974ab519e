import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// A commit comes out of the log as it was merged, and bytes that are no commit do no harm.
@Suite struct MergedCommitChangeTests {
  private typealias Commit = MergedCommit<ObjectSummary>

  /// All that devices need of a commit.
  private struct Content: Equatable {
    struct Object: Equatable {
      let name: ObjectName
      let summaries: [ObjectSummary]
      let deltas: [CellDelta]
      let columns: [SyncProperty]
      let flags: [Bool]
    }

    let numbers: [UInt64]
    let site: SiteID
    let isClamped: Bool
    let results: [OperationResult]
    let objects: [Object]

    init(_ commit: Commit) {
      numbers = [commit.version, commit.siteVersion, commit.nonce, commit.time.rawValue]
      site = commit.site
      isClamped = commit.isClamped
      results = commit.results
      objects = commit.objects.map {
        Object(
          name: $0.object, summaries: [$0.before, $0.after], deltas: $0.deltas, columns: $0.columns,
          flags: [$0.changesAll, $0.authorNeedsAll, $0.isNew])
      }
    }
  }

  /// The row of the log that a commit becomes.
  private func record(_ commit: Commit) -> ChangeRecord {
    let change = commit.change { name in [SyncProperty("notes", .link(name)), SyncProperty("owner", .null)] }
    return ChangeRecord(
      version: Int64(commit.version), site: SiteKey(commit.site), siteVersion: Int64(commit.siteVersion),
      nonce: commit.nonce, time: change.time, merged: 5, delta: change.delta, before: change.before)
  }

  /// Random commits of three sites, as a server has merged them.
  private func merged(_ count: Int, _ random: inout SeededRandom) -> [Commit] {
    var generator = RandomCommits()
    var oracle = OracleMerger()
    return (0..<count).map { number in
      let site = SiteID.test(random.int(1...3))
      return oracle.merge(generator.next(site, &random), site: site, now: UInt64(number) * 1000)
    }
  }

  @Test("random commits are read from the log as they were merged")
  func roundTrip() throws {
    var random = SeededRandom.forTest()
    // So many that each kind of result is among them.
    let commits = merged(3_000, &random)
    for commit in commits {
      var images: [ObjectName: [SyncProperty]] = [:]
      let record = record(commit)
      let read = try Commit(record, images: &images)
      #expect(Content(read) == Content(commit))
      let change = read.change { images[$0] ?? [] }
      #expect(change.delta == record.delta && change.before == record.before)
      // A device that the object comes into the view of, or that has it wrong, is sent all of it.
      for object in commit.objects {
        let isNeeded = object.changesAll || object.authorNeedsAll || object.before != object.after
        #expect((images[object.object] != nil) == (isNeeded && object.after.isAlive))
      }
    }
    // The commits say something about each field only when they have it.
    let objects = commits.flatMap(\.objects)
    #expect(commits.contains { $0.isClamped } && commits.contains { !$0.isClamped })
    #expect(objects.contains { $0.changesAll } && objects.contains { $0.authorNeedsAll })
    #expect(objects.contains { $0.isNew } && objects.contains { !$0.columns.isEmpty })
    #expect(objects.contains { !$0.deltas.isEmpty } && objects.contains { $0.before != $0.after })
    let missing = Set<OperationResult>([.plain, .echo, .whole, .noop, .noRow])
      .subtracting(commits.flatMap(\.results))
    #expect(missing.isEmpty)
  }

  @Test("every kind of result, change and value is read as it was written")
  func everything() throws {
    let id = OperationID(site: .test(1), siteVersion: 4, operation: 2, index: 7)
    let other = OperationID(site: .test(2), siteVersion: 1, operation: 0)
    let list = SyncCollectionPath(SyncPath("notes", [.element(id, in: other), .key("k", in: id)]), incarnation: other)
    let run = try #require(OperationIDRun(first: other, count: 3))
    let map = SyncValue.map(SyncMap(incarnation: id, entries: [SyncMapEntry("x", .link(TaskSchema.task(1)))]))
    let deltas: [CellDelta] = [
      .set(SyncPath("a", [.property("b", in: id)]), map), .add(SyncPath("c"), .int(-4)),
      .setInsert(list, [.bool(true), .null]), .setRemove(list, [.string("é")]), .mapPut(list, "k", .data([1, 2])),
      .mapRemove(list, ["k", "l"]), .listInsert(list, [.float(.nan)], first: id, left: nil),
      .listMove(list, id, position: other, left: other), .listRemove(list, [run]),
    ]
    let results: [OperationResult] =
      [.plain, .at(left: nil), .at(left: other), .lost, .echo, .whole, .noop, .noRow]
      + RefusalReason.allCases.map { .refused($0) }
    let summary = ObjectSummary(isAlive: true, values: ["owner": .string("ann"), "id": .int(1)])
    let objects = [
      TouchedObject(
        object: TaskSchema.task(1), before: ObjectSummary(), after: summary, deltas: deltas, changesAll: true,
        columns: [SyncProperty("b", map), SyncProperty("a", .null)], authorNeedsAll: true, isNew: true),
      TouchedObject(object: TaskSchema.task(2), before: summary, after: summary),
    ]
    let commit = Commit(
      version: 9, site: .test(1), siteVersion: 4, nonce: .max, time: SyncTime(rawValue: .max), isClamped: true,
      results: results, objects: objects)
    #expect(Content(try Commit(record(commit))) == Content(commit))
  }

  @Test("mutated rows are refused as damaged, or have one form")
  func mutations() {
    var random = SeededRandom.forTest()
    var accepted = 0
    for commit in merged(400, &random) {
      for _ in 0..<5 {
        var row = record(commit)
        mutate(&row, &random)
        do throws(SyncStoreError) {
          var images: [ObjectName: [SyncProperty]] = [:]
          let read = try Commit(row, images: &images)
          accepted += 1
          let again = read.change { images[$0] ?? [] }
          #expect(again.delta == row.delta && again.before == row.before, "bytes that are not canonical: \(row)")
        } catch {
          #expect(error.kind == .damaged)
        }
      }
    }
    #expect(accepted > 0, "no mutation was accepted: the test says nothing about canonical form")
  }

  private func mutate(_ row: inout ChangeRecord, _ random: inout SeededRandom) {
    switch random.int(0...9) {
    case 0: row.version = -row.version
    case 1: row.site = .test(3)
    case 2, 3: row.before = mutated(row.before, &random)
    default: row.delta = mutated(row.delta, &random)
    }
  }

  private func mutated(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<random.int(1...3) {
      let place = random.int(0...bytes.count)
      switch random.int(0...5) {
      case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.int(0...7))
      case 1 where place < bytes.count: bytes[place] = UInt8(random.int(0...255))
      case 2: bytes.insert(UInt8(random.int(0...255)), at: place)
      case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + random.int(0...9))], at: place)
      case 4: bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], at: place)
      default: bytes.removeSubrange(place..<min(bytes.count, place + random.int(0...3)))
      }
    }
    return bytes
  }

  @Test("no part of a row's bytes is a row's bytes")
  func truncations() {
    var random = SeededRandom.forTest()
    for commit in merged(20, &random) {
      let whole = record(commit)
      for count in whole.delta.indices {
        var row = whole
        row.delta = Array(whole.delta[..<count])
        #expect(throws: SyncStoreError.self) { try Commit(row) }
      }
      for count in whole.before.indices {
        var row = whole
        row.before = Array(whole.before[..<count])
        #expect(throws: SyncStoreError.self) { try Commit(row) }
      }
    }
  }

  @Test("a commit without effect takes few bytes")
  func small() {
    let summary = ObjectSummary(isAlive: true, values: ["owner": .string("ann")])
    let object = TouchedObject(object: TaskSchema.task(1), before: summary, after: summary)
    let commit = Commit(
      version: 1, site: .test(1), siteVersion: 1, nonce: 1, time: SyncTime(rawValue: 1), results: [.plain],
      objects: [object])
    #expect(commit.change { _ in [] }.delta.count == 4 + 7 + 3)
  }
}
