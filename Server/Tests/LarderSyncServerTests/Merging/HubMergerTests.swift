import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// The outcome of batches, as a computation without a store.
@Suite struct HubMergerTests {
  private let a = SiteID.test(1)
  private let b = SiteID.test(2)
  private let tenant = TenantID(stored: "acme")

  /// A merge of all uploads of a batch, or of some, over rows.
  private func merge(
    _ uploads: [SubmittedUpload], taken: [Int]? = nil, objects: [ObjectWrite] = [], floor: Int64 = 0, head: Int64 = 10
  ) throws -> MergedUploads {
    let rows = (taken ?? Array(uploads.indices)).map { uploads[$0].row }
    let state = MergeState(
      uploads: rows, part: PartRecord(tenant: tenant, part: .first, head: head, floor: floor),
      clients: [SiteKey(a): ClientRecord(site: SiteKey(a), secretHash: [])],
      objects: Dictionary(uniqueKeysWithValues: objects.map { ($0.record.key, $0.record) }))
    return try HubMerger(uploads: uploads, now: 1_000_000).merge(state)
  }

  private func commits(_ uploads: [SubmittedUpload], _ merged: MergedUploads) throws -> [MergedCommit<ObjectSummary>] {
    try zip(uploads, merged.changes).enumerated().map { offset, pair in
      try MergedCommit(
        ChangeRecord(
          version: 11 + Int64(offset), site: pair.0.row.site, siteVersion: pair.0.row.siteVersion,
          nonce: pair.0.row.nonce, time: pair.1.time, merged: 0, delta: pair.1.delta, before: pair.1.before))
    }
  }

  @Test("commits of a batch see what those before them did, and each object is written once")
  func batch() throws {
    let uploads = [
      try SubmittedUpload.test(a, .create(1, task: 1, owner: "ann")),
      try SubmittedUpload.test(b, .set(2, task: 1, "rank", .int(5))),
      try SubmittedUpload.test(a, .set(3, task: 1, "rank", .null)),
    ]
    let merged = try merge(uploads)
    let log = try commits(uploads, merged)
    #expect(log.map(\.results) == [[.plain], [.plain], [.plain]])
    #expect(log[2].objects[0].before["rank"] == .int(5))
    #expect(log[2].objects[0].after["rank"] == .null)
    let write = try #require(merged.objects.first)
    #expect(merged.objects.count == 1)
    #expect(write.record.version == 13)
    #expect(write.record.isAlive)
    #expect(write.fields == ["id": .int(1), "owner": .string("ann"), "rank": .null])
    let state = try ObjectState(write.record)
    #expect(state.touchedVersion == 13)
  }

  @Test("a merge that is asked again comes to the same")
  func pure() throws {
    let first = try merge([try .test(a, .create(1, task: 1, owner: "ann"))])
    let uploads = [try SubmittedUpload.test(a, .set(2, task: 1, "owner", .string("bob")))]
    let (one, two) = (try merge(uploads, objects: first.objects), try merge(uploads, objects: first.objects))
    #expect(one.changes == two.changes)
    #expect(one.objects == two.objects)
    #expect(one.objects[0].fields.values["owner"] == .string("bob"))
  }

  @Test("uploads that the store does not let through are left out")
  func taken() throws {
    let uploads = try (1...4).map { try SubmittedUpload.test(a, .create($0, task: $0)) }
    let merged = try merge(uploads, taken: [1, 3])
    #expect(Set(merged.objects.map(\.record.key)) == Set([2, 4].map { ObjectKey(TaskSchema.task($0)) }))
    #expect(throws: SyncStoreError.self) { try merge(uploads, taken: [1, 0]) }
  }

  @Test("Y-27: operations that rules refuse leave the others of their commit merged")
  func refused() throws {
    let access = try TaskSchema.owner("ann")
    let (mine, foreign) = (TaskSchema.task(1), TaskSchema.task(2))
    let theirs = try merge([try .test(b, .create(1, task: 2, owner: "bob"))])
    let commit = SyncCommit.test(
      1,
      [
        SyncOperation(mine, .create([CreatedProperty("owner", .string("ann"))])),
        SyncOperation(foreign, .set(SyncPath("rank"), .int(1))),
        SyncOperation(mine, .set(SyncPath("owner"), .string("bob"))),
        SyncOperation(ObjectName(className: "Other", key: .int(1)), .create([])),
        SyncOperation(ObjectName(className: "Place", key: .int(1)), .create([])),
        SyncOperation(ObjectName(className: "Task", key: .string("x")), .create([])),
        SyncOperation(mine, .set(SyncPath("rank"), .int(7))),
      ])
    let uploads = [try SubmittedUpload.test(a, commit, access: access)]
    let merged = try merge(uploads, objects: theirs.objects)
    let results = try commits(uploads, merged)[0].results
    #expect(
      results == [
        .plain, .refused(.objectBefore), .refused(.objectAfter), .refused(.schema), .refused(.schema),
        .refused(.schema), .plain,
      ])
    let states = try merged.objects.map { ($0.record.key, try ObjectState($0.record)) }
    let found = Dictionary(uniqueKeysWithValues: states)
    #expect(found[ObjectKey(mine)]?.value(of: "owner") == .string("ann"))
    #expect(found[ObjectKey(mine)]?.value(of: "rank") == .int(7))
    #expect(found[ObjectKey(foreign)]?.value(of: "rank") == nil)
    // Nothing is kept of objects that are not there and never were.
    #expect(Set(found.keys) == [ObjectKey(mine), ObjectKey(foreign)])
  }

  @Test("Y-46: objects that devices only send are made once, by who may insert them, with all that their commit says")
  func sentOnly() throws {
    let schema = SyncSchema(
      version: 1,
      classes: [
        SchemaClass(
          "Reading", kind: .asymmetric, primaryKey: "id",
          properties: [SchemaProperty("id", .int), SchemaProperty("notes", .string, collection: .list)])
      ])
    let sender = UserAccess(["Reading": ClassAccess(insert: .everything)], in: schema)
    let reading = ObjectName(className: "Reading", key: .int(1))
    let notes = SyncCollectionPath(SyncPath("notes"))
    func commit(_ siteVersion: Int, _ site: SiteID, _ more: [SyncOperation] = []) -> SyncCommit {
      let name = OperationID(site: site, siteVersion: UInt64(siteVersion), operation: 1)
      let insert = SyncEdit.listInsert(notes, [.string("x")], first: name, left: nil, right: nil)
      return .test(siteVersion, [SyncOperation(reading, .create([])), SyncOperation(reading, insert)] + more)
    }
    let uploads = [
      try SubmittedUpload.test(b, commit(1, b), access: UserAccess([:], in: schema)),
      try SubmittedUpload.test(a, commit(2, a), access: sender),
      try SubmittedUpload.test(b, commit(3, b, [SyncOperation(reading, .delete)]), access: sender),
    ]
    let merged = try merge(uploads)
    let log = try commits(uploads, merged)
    #expect(log[0].results == [.refused(.insert), .noRow])
    #expect(log[1].results == [.plain, .plain])
    #expect(log[2].results == [.refused(.objectBefore), .refused(.objectBefore), .refused(.delete)])
    guard case .list(let list) = try ObjectState(merged.objects[0].record).value(of: "notes") else {
      return #expect(Bool(false), "no list")
    }
    #expect(list.entries.count == 1)
  }

  @Test("MR-6: a commit from too far ahead gets the server's time, and the log says so")
  func clamped() throws {
    let late = SyncCommit(
      siteVersion: 1, time: SyncTime(milliseconds: 10_000_000), nonce: 1,
      operations: [SyncOperation(TaskSchema.task(1), .create([]))])
    let uploads = [try SubmittedUpload.test(a, late), try SubmittedUpload.test(a, .create(2, task: 2))]
    let log = try commits(uploads, try merge(uploads))
    #expect(log.map(\.isClamped) == [true, true])
    #expect(log[0].time == SyncTime(milliseconds: 1_000_000, counter: 1))
    #expect(log[1].time > log[0].time)
  }

  @Test("MR-22: an object that was touched last before the end of the log is trimmed when it is touched again")
  func trimmed() throws {
    let name = OperationID(site: a, siteVersion: 1, operation: 1)
    let notes = SyncCollectionPath(SyncPath("notes"))
    let run = try #require(OperationIDRun(first: name, count: 40))
    let full = SyncCommit.test(
      1,
      [
        SyncOperation(TaskSchema.task(1), .create([])),
        SyncOperation(
          TaskSchema.task(1),
          .listInsert(notes, (0..<40).map { .string(SyncText("\($0)")) }, first: name, left: nil, right: nil)),
        SyncOperation(TaskSchema.task(1), .listRemove(notes, [run])),
      ])
    let rows = try merge([try .test(a, full)]).objects
    let uploads = [try SubmittedUpload.test(b, .set(2, task: 1, "rank", .int(1)))]
    let (kept, trimmed) = (
      try merge(uploads, objects: rows, floor: 10), try merge(uploads, objects: rows, floor: 11)
    )
    #expect(kept.objects[0].record.body.count > 80)
    #expect(trimmed.objects[0].record.body.count < 80)
    #expect(kept.objects[0].fields == trimmed.objects[0].fields)
  }

  @Test("a row that cannot be read is damaged")
  func damaged() throws {
    var rows = try merge([try .test(a, .create(1, task: 1))]).objects
    rows[0].record.body.removeLast()
    let error = #expect(throws: SyncStoreError.self) {
      try merge([try .test(a, .set(2, task: 1, "rank", .int(1)))], objects: rows)
    }
    #expect(error?.kind == .damaged)
  }

  @Test("filters get values that databases compare, and nothing of deleted objects")
  func fields() throws {
    let properties = [
      CreatedProperty("owner", .string("é")), CreatedProperty("weight", .double(1)), CreatedProperty("rank", .int(-1)),
    ]
    let uploads = [
      try SubmittedUpload.test(a, .test(1, [SyncOperation(TaskSchema.task(1), .create(properties))]))
    ]
    let there = try merge(uploads).objects
    #expect(there[0].fields == ["id": .int(1), "owner": .string("é"), "rank": .int(-1)])
    let deletion = try SubmittedUpload.test(b, .test(2, [SyncOperation(TaskSchema.task(1), .delete)]))
    let deleted = try merge([deletion], objects: there).objects
    #expect(deleted[0].fields == [:])
    #expect(!deleted[0].record.isAlive)
  }
}
