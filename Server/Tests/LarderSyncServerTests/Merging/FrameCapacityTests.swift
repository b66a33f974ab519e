import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct FrameCapacityTests {
  private func list(_ count: Int) -> [SyncProperty] {
    let entries = (0..<count).map { index in
      let name = OperationID(site: .test(1), siteVersion: 1, operation: 0, index: UInt32(index))
      return SyncListEntry(element: name, value: .int(1))
    }
    return [SyncProperty("notes", .list(SyncList(incarnation: .root, entries: entries)))]
  }

  @Test("an object has to fit by its bytes, and by its items")
  func objects() {
    let name = TaskSchema.task(1)
    let bytes = FrameCapacity(frameBytes: 10_000)
    for (count, expected) in [(8_000, true), (9_900, true), (9_999, false), (20_000, false)] {
      let text = SyncProperty("owner", .string(SyncText(String(repeating: "x", count: count))))
      #expect(bytes.holds(name, [text]) == expected, "\(count) bytes")
    }
    let items = FrameCapacity(beside: DecodingLimits.standard.items - 1_000)
    #expect(items.holds(name, list(900)))
    #expect(!items.holds(name, list(1_100)))
    #expect(FrameCapacity().holds(name, list(1_100)))
  }

  @Test("a commit has to fit with what changes in its objects, and with the results of its operations")
  func commits() {
    let capacity = FrameCapacity(beside: DecodingLimits.standard.items - 1_000)
    func merged(_ results: [OperationResult], _ deltas: [CellDelta]) -> MergedCommit<ObjectSummary> {
      let summary = ObjectSummary(isAlive: true)
      let object = TouchedObject(object: TaskSchema.task(1), before: summary, after: summary, deltas: deltas)
      return MergedCommit(
        version: 1, site: .test(1), siteVersion: 1, nonce: 1, time: SyncTime(rawValue: 1), results: results,
        objects: [object])
    }
    let delta = CellDelta.set(SyncPath("rank"), .int(1))
    #expect(capacity.holds(merged([.plain], [CellDelta](repeating: delta, count: 900))))
    #expect(!capacity.holds(merged([.plain], [CellDelta](repeating: delta, count: 1_100))))
    #expect(capacity.holds(merged([OperationResult](repeating: .plain, count: 5_000), [delta])))
    #expect(!capacity.holds(merged([OperationResult](repeating: .echo, count: 1_100), [delta])))
  }
}
