@testable import LarderSyncProtocol
import TestBasics
import Testing

@Suite("States of objects as bytes")
struct ObjectStateCodingTests {
  @Test("a state is the same after decoding, and its bytes are", arguments: MergeVector.all)
  func vectors(_ vector: MergeVector) throws {
    var object = VectorObject()
    _ = vector.run(&object)
    let bytes = object.state.encoded()
    let decoded = try ObjectState(decoding: bytes)
    #expect(decoded.properties() == object.state.properties())
    #expect(decoded.encoded() == bytes)
    // What is merged afterwards goes to the same place.
    var (left, right) = (object.state, decoded)
    let id = OperationID(site: SiteID(high: 0, low: 9), siteVersion: 1, operation: 0)
    let stamp = Stamp(time: SyncTime(rawValue: 99), site: id.site, operation: 0)
    let edit = SyncEdit.listInsert(VectorObject.list, [.int(1)], first: id, left: nil, right: nil)
    #expect(left.merge(edit, stamp: stamp).deltas == right.merge(edit, stamp: stamp).deltas)
    #expect(left.encoded() == right.encoded())
  }

  @Test("a list of elements that came together takes two bytes for each beside the first")
  func size() {
    var state = ObjectState()
    let site = SiteID(high: 1, low: 1)
    let stamp = Stamp(time: SyncTime(rawValue: 5), site: site, operation: 0)
    _ = state.merge(.create([]), stamp: stamp)
    func encodedSize(_ count: Int) -> Int {
      var copy = state
      let first = OperationID(site: site, siteVersion: 1, operation: 1)
      let values = [SyncValue](repeating: .bool(true), count: count)
      _ = copy.merge(
        .listInsert(VectorObject.list, values, first: first, left: nil, right: nil), stamp: stamp)
      copy.trim()
      return copy.encoded().count
    }
    #expect(encodedSize(1_200) - encodedSize(200) == 2_000)
  }

  @Test("changed bytes are refused or are another state, and never crash")
  func damaged() {
    var random = SeededRandom.forTest()
    for vector in MergeVector.all {
      var object = VectorObject()
      _ = vector.run(&object)
      let bytes = object.state.encoded()
      for _ in 0..<50 {
        var changed = bytes
        changed[random.int(0..<bytes.count)] = UInt8(truncatingIfNeeded: random.next())
        if random.oneIn(4) { changed.removeLast(random.int(1...bytes.count)) }
        guard var state = try? ObjectState(decoding: changed) else { continue }
        _ = state.properties()
        state.trim()
      }
    }
  }
}
