import LarderSyncProtocol
import TestBasics
import Testing

@Suite("Commits")
struct SyncCommitTests {
  private let site = SyncGenerator.sites[5]
  private let object = ObjectName(className: "Person", key: .uuid(SyncUUID(high: 0x1234_5678_9ABC_DEF0, low: 42)))

  private func own(_ operation: UInt32, _ index: UInt32) -> OperationID {
    OperationID(site: site, siteVersion: 9, operation: operation, index: index)
  }

  private func commit(_ edits: [SyncEdit]) -> SyncCommit {
    SyncCommit(
      siteVersion: 9, time: SyncTime(milliseconds: 1_700_000_000_000), nonce: 0x0123_4567_89AB_CDEF,
      operations: edits.map { SyncOperation(object, $0) })
  }

  @Test(
    "one property of one object takes at most 60 bytes as an upload",
    arguments: [(1, 41 as Int64), (200, -1_000_000), (70_000, 1_700_000_000_000)] as [(UInt64, Int64)])
  func size(siteVersion: UInt64, value: Int64) throws {
    let commit = SyncCommit(
      siteVersion: siteVersion, time: SyncTime(milliseconds: 1_700_000_000_000), nonce: .max,
      operations: [SyncOperation(object, .set(SyncPath("age"), .int(value)))])
    let bytes = SyncFrame(.upload(Upload(commits: [commit]))).encoded(site: site)
    #expect(bytes.count <= 60)
    #expect(try SyncFrame(decoding: bytes, site: site).message == .upload(Upload(commits: [commit])))
  }

  @Test("an operation may take a single byte")
  func smallest() throws {
    let deletes = commit([.delete, .delete, .delete])
    #expect(deletes.encoded().suffix(2) == [0x41, 0x41])
    #expect(try SyncCommit(decoding: deletes.encoded()) == deletes)
  }

  @Test("what is decoded takes little memory for each item")
  func memory() {
    // The limits of items are chosen by these.
    #expect(MemoryLayout<SyncOperation>.stride <= 160)
    #expect(MemoryLayout<CellDelta>.stride <= 112)
    #expect(MemoryLayout<SyncListEntry>.stride <= 88)
  }

  @Test("a name and an object are written once")
  func names() {
    let one = commit([.set(SyncPath("population"), .int(1))])
    let ten = commit((0..<10).map { .set(SyncPath("population"), .int($0)) })
    let added =
      SyncFrame(.upload(Upload(commits: [ten]))).encoded(site: site).count
      - SyncFrame(.upload(Upload(commits: [one]))).encoded(site: site).count
    #expect(added <= 9 * 4 + 1)
  }

  @Test("names of the commit itself are short, and mean other things in another session")
  func ownNames() throws {
    let path = SyncCollectionPath(SyncPath("tags"))
    let insert = commit([.listInsert(path, [.bool(true)], first: own(0, 1), left: nil, right: nil)])
    let bytes = insert.encoded(site: site)
    #expect(try SyncCommit(decoding: bytes, site: site) == insert)
    #expect(insert.encoded().count > bytes.count + 16)
    let other = try SyncCommit(decoding: bytes, site: SyncGenerator.sites[6])
    guard case .listInsert(_, _, let first, _, _) = other.operations[0].edit else {
      Issue.record("no insert")
      return
    }
    #expect(first.site == SyncGenerator.sites[6])
  }

  @Test("a commit that gives its own names passes")
  func passes() throws {
    let derived = OperationID(site: SyncGenerator.sites[1], siteVersion: 0, operation: 0, index: 1)
    let path = SyncCollectionPath(SyncPath("items"))
    let embedded = SyncValue.embedded(SyncEmbedded(incarnation: own(1, 1)))
    let list = SyncValue.list(
      SyncList(incarnation: own(2, 0), entries: [SyncListEntry(element: own(2, 1), value: .int(1))]))
    let commit = commit([
      .create([CreatedProperty("a", .int(1)), CreatedProperty("b", .null, rank: .byDefault)]),
      .listInsert(path, [embedded, .null], first: own(1, 1), left: nil, right: own(0, 7)),
      .set(SyncPath("mixed"), list), .listInsert(path, [.null], first: derived, left: nil, right: nil),
      .listMove(path, own(1, 2), position: own(4, 0), left: own(1, 1), right: nil),
      .listRemove(path, [OperationIDRun(derived)]), .setInsert(path, .int(1)), .delete,
    ])
    try commit.check(site: site)
  }

  @Test("a commit that gives names of others, or one twice, does not pass")
  func faults() {
    let path = SyncCollectionPath(SyncPath("items"))
    let foreign = OperationID(site: SyncGenerator.sites[1], siteVersion: 9, operation: 0, index: 1)
    let set = SyncValue.set(SyncSet(incarnation: own(0, 1)))
    let moved = SyncList(
      incarnation: own(0, 0), entries: [SyncListEntry(element: own(0, 1), position: own(0, 2), value: .null)])
    let cases: [(SyncEdit, SyncCommitFault)] = [
      (.listInsert(path, [.null], first: foreign, left: nil, right: nil), .foreignName(foreign, operation: 0)),
      (.listInsert(path, [.null], first: own(1, 0), left: nil, right: nil), .foreignName(own(1, 0), operation: 0)),
      (.listInsert(path, [.null], first: .root, left: nil, right: nil), .foreignName(.root, operation: 0)),
      (.listInsert(path, [], first: own(0, 0), left: nil, right: nil), .nothing(operation: 0)),
      (.listMove(path, foreign, position: foreign, left: nil, right: nil), .foreignName(foreign, operation: 0)),
      (.listRemove(path, []), .nothing(operation: 0)),
      (.set(SyncPath("m"), .map(SyncMap(incarnation: .root))), .foreignName(.root, operation: 0)),
      (
        .create([CreatedProperty("a", set), CreatedProperty("b", set)]), .repeatedName(own(0, 1), operation: 0)
      ),
      (.create([CreatedProperty("a", .null), CreatedProperty("a", .null)]), .repeatedProperty("a", operation: 0)),
      (.setInsert(path, set), .containerInSet(operation: 0)),
      (.mapPut(path, "k", .list(moved)), .movedElement(own(0, 1), operation: 0)),
    ]
    for (edit, fault) in cases {
      #expect(throws: fault) { try commit([edit]).check(site: site) }
    }
  }
}
