import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct CommitRingTests {
  private func commit(_ version: UInt64, bytes: Int = 10) -> LoggedCommit {
    LoggedCommit(
      MergedCommit(
        version: version, site: SiteID(high: 1, low: 1), siteVersion: version, nonce: 0, time: SyncTime(rawValue: 1)),
      images: [:], bytes: bytes)
  }

  private func versions(_ ring: inout CommitRing, after: UInt64, through: UInt64) -> [UInt64] {
    var versions: [UInt64] = []
    ring.forEach(after: after, through: through) { versions.append($0.version) }
    return versions
  }

  @Test("a ring keeps the newest commits, and takes no gaps")
  func append() {
    var ring = CommitRing(head: 5, capacity: 3)
    #expect(ring.floor == 5)
    #expect(ring.append(commit(7)) == false)
    for version in 6...9 { #expect(ring.append(commit(UInt64(version))) == true) }
    #expect(ring.floor == 6 && ring.head == 9)
    #expect(versions(&ring, after: 6, through: 9) == [7, 8, 9])
    #expect(versions(&ring, after: 7, through: 8) == [8])
    #expect(versions(&ring, after: 5, through: 9) == [])
  }

  @Test("F-109: a ring is bounded by bytes, and has the newest commit however large it is")
  func bytes() {
    var ring = CommitRing(head: 0, capacity: 100, bytes: 35)
    for version in 1...5 { #expect(ring.append(commit(UInt64(version))) == true) }
    #expect(ring.floor == 2 && ring.bytes == 30)
    #expect(ring.append(commit(6, bytes: 1_000)) == true)
    #expect(ring.floor == 5 && ring.bytes == 1_000)
    #expect(ring.append(commit(7)) == true)
    #expect(ring.floor == 6 && ring.bytes == 10)
    #expect(versions(&ring, after: 6, through: 7) == [7])
  }

  @Test("a batch is full at its bytes, has at least one commit, and none that the ring has lost")
  func end() {
    var ring = CommitRing(head: 0, capacity: 4)
    for version in 1...5 { #expect(ring.append(commit(UInt64(version), bytes: version == 3 ? 100 : 10)) == true) }
    #expect(ring.end(after: 0, bytes: 20) == nil)
    #expect(ring.end(after: 1, bytes: 20) == 3)
    #expect(ring.end(after: 2, bytes: 20) == 3)
    #expect(ring.end(after: 3, bytes: 1_000) == 5)
    #expect(ring.end(after: 5, bytes: 20) == nil)
  }

  @Test("a cursor's bytes say its version; other bytes say nothing", arguments: [0, 1, 300, UInt64.max])
  func cursor(_ version: UInt64) {
    let bytes = StreamCursor(version: version).bytes
    #expect(StreamCursor(bytes)?.version == version)
    #expect(StreamCursor(bytes + [0]) == nil)
    #expect(StreamCursor(Array(bytes.dropLast())) == nil)
    #expect(StreamCursor([2] + bytes.dropFirst()) == nil)
    let bound = StreamCursor(version: version, nonce: .max - version)
    #expect(StreamCursor(bound.bytes) == bound)
    #expect(StreamCursor(Array(bound.bytes.dropLast())) == nil && StreamCursor(bound.bytes + [0]) == nil)
  }
}
