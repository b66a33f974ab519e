@testable import LarderSyncProtocol
import Testing

@Suite("The work of merging")
struct MergerWorkTests {
  private struct Everything: WriteRules {
    func summary(of state: ObjectState, _ object: ObjectName) -> Bool { state.isAlive }
    func refusal(of operation: SyncOperation, before state: ObjectState) -> RefusalReason? { nil }
    func looksAfter(_ operation: SyncOperation) -> Bool { false }
    func refusalAfter(_ operation: SyncOperation, _ state: ObjectState) -> RefusalReason? { nil }
  }

  private struct Objects: MergeObjects {
    var states: [ObjectName: ObjectState] = [:]

    subscript(object: ObjectName) -> ObjectState {
      get { states[object] ?? ObjectState() }
      _modify { yield &states[object, default: ObjectState()] }
    }
  }

  private let site = SiteID(high: 0, low: 1)

  private func object(_ number: Int) -> ObjectName { ObjectName(className: "Thing", key: .int(Int64(number))) }

  /// The commit that creates objects and changes each of them after all were made.
  private func commit(_ count: Int, siteVersion: UInt64 = 1) -> SyncCommit {
    let operations =
      (0..<count).map { SyncOperation(object($0), .create([CreatedProperty("x", .int(Int64($0)))])) }
      + (0..<count).map { SyncOperation(object($0), .set(SyncPath("x"), .int(Int64($0) + 1))) }
    return SyncCommit(
      siteVersion: siteVersion, time: SyncTime(milliseconds: siteVersion), nonce: siteVersion, operations: operations)
  }

  private func work(_ count: Int) -> Int {
    var merger = Merger(part: PartState(), rules: Everything())
    var client = ClientState()
    var objects = Objects()
    let merged = merger.merge(commit(count), site: site, client: &client, now: 1_000, objects: &objects)
    #expect(merged.objects.map(\.object) == (0..<count).map(object))
    #expect(merged.objects.allSatisfy { $0.isNew && !$0.authorNeedsAll && $0.columns.isEmpty && $0.deltas.count == 1 })
    return merger.lookUps
  }

  @Test("F-108: names are looked up as often for each object of a commit of 20,000 as of one of 1,000")
  func linear() {
    let (small, large) = (work(1_000), work(20_000))
    #expect(large <= 21 * small)
    // Twice for each operation: when it is merged, and when its author's corrections are noted.
    #expect(large <= 20_000 * 2 * 2 * 2 + 100)
  }

  @Test(
    "F-108: objects keep the order in which a commit names them, and each has its author's corrections",
    arguments: [1, 8, 9, 40])
  func corrections(_ count: Int) {
    var merger = Merger(part: PartState(), rules: Everything())
    var (client, other) = (ClientState(), ClientState())
    var objects = Objects()
    _ = merger.merge(commit(count), site: site, client: &client, now: 1_000, objects: &objects)
    let late = (0..<count).reversed().flatMap { number in
      [
        SyncOperation(object(number), .set(SyncPath("x"), .int(-1))),
        SyncOperation(object(number), .set(SyncPath("y"), .int(2))),
      ]
    }
    let merged = merger.merge(
      SyncCommit(siteVersion: 1, time: SyncTime(rawValue: 1), nonce: 9, operations: late),
      site: SiteID(high: 0, low: 2), client: &other, now: 1_000, objects: &objects)
    #expect(merged.objects.map(\.object) == (0..<count).reversed().map(object))
    for (touched, number) in zip(merged.objects, (0..<count).reversed()) {
      #expect(touched.columns == [SyncProperty("x", .int(Int64(number) + 1))])
      #expect(touched.deltas == [.set(SyncPath("y"), .int(2))])
    }
  }
}
