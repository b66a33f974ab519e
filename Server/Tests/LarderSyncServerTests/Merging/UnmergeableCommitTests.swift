import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// Commits that no device makes are refused before they are in a batch.
@Suite struct UnmergeableCommitTests {
  private let site = SiteID.test(1)

  private func refusal(_ commit: SyncCommit) -> UnmergeableCommit? {
    #expect(throws: UnmergeableCommit.self) { try SubmittedUpload.test(site, commit) }
  }

  @Test("the error names the commit and the operation")
  func operation() {
    let foreign = OperationID(site: .test(2), siteVersion: 3, operation: 1)
    let insert = SyncEdit.listInsert(
      SyncCollectionPath(SyncPath("notes")), [.string("x")], first: foreign, left: nil, right: nil)
    let commit = SyncCommit.test(3, [.init(TaskSchema.task(1), .delete), .init(TaskSchema.task(1), insert)])
    let error = refusal(commit)
    #expect(error?.siteVersion == 3)
    #expect(error?.operation == 1)
    #expect(error?.description == "commit 3, operation 1: it gives a name that is another operation's to give")
  }

  @Test("numbers of commits begin with 1 and fit the store")
  func numbers() {
    for number in [0, UInt64.max] {
      let commit = SyncCommit(siteVersion: number, time: SyncTime(rawValue: 1), nonce: 1, operations: [])
      #expect(refusal(commit)?.operation == nil)
    }
  }

  @Test("each object is named once, and objects of unknown classes have no rows")
  func keys() throws {
    let unknown = ObjectName(className: "Other", key: .int(1))
    let embedded = ObjectName(className: "Place", key: .int(1))
    let names = [1, 2, 1, 3, 2, 2].map { TaskSchema.task($0) } + [unknown, embedded]
    let upload = try SubmittedUpload.test(site, .test(1, names.map { SyncOperation($0, .delete) }))
    #expect(upload.names == [1, 2, 3].map { TaskSchema.task($0) })
    #expect(upload.row.keys == upload.names.map { ObjectKey($0) })
    #expect(try upload.row.keys.map { key throws(SyncStoreError) in try ObjectName(key) } == upload.names)
    #expect(try SiteID(upload.row.site) == site)
  }

  @Test("keys that no server wrote are damaged")
  func damagedKeys() {
    #expect(throws: SyncStoreError.self) { try SiteID(SiteKey(stored: [1, 2])) }
    #expect(throws: SyncStoreError.self) { try ObjectName(ObjectKey(className: "Task", primaryKey: [9])) }
  }
}
