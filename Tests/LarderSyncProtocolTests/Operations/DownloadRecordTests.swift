import LarderSyncProtocol
import Testing

@Suite("Records of the download stream")
struct DownloadRecordTests {
  private let site = SyncGenerator.sites[5]

  @Test("a marker that is all plain has no results")
  func plain() throws {
    let marker = OwnMarker(siteVersion: 3, results: [.plain, .plain])
    #expect(marker == OwnMarker(siteVersion: 3))
    #expect(marker.result(of: 1) == .plain)
    #expect(OwnMarker(siteVersion: 3, results: [.plain, .lost]).result(of: 1) == .lost)
    #expect(marker.encoded() == [3, 0])
    #expect(throws: SyncDecodingError(.notCanonical("results that are all plain"), at: 1)) {
      try OwnMarker(decoding: [3, 1, 0])
    }
  }

  @Test("the marker of a plain commit takes few bytes after another one")
  func markerSize() {
    func size(_ count: UInt64) -> Int {
      let records = (0..<count).map {
        DownloadRecord(
          version: 1_000_000 + $0, time: SyncTime(milliseconds: 1_700_000_000_000 + $0), site: site,
          own: OwnMarker(siteVersion: 100 + $0))
      }
      return SyncFrame(.download(Download(records: records, cursor: [1]))).encoded().count
    }
    #expect(size(11) - size(1) <= 10 * 9 + 1)
  }

  @Test("versions that do not ascend are refused")
  func versions() throws {
    let record = DownloadRecord(version: 5, time: SyncTime(rawValue: 1), site: site)
    let later = DownloadRecord(version: 6, time: SyncTime(rawValue: 1), site: site)
    var bytes = Download(records: [record, later], cursor: []).encoded()
    // The second record is its difference in version, the difference in time, its site, no marker, no objects; then the cursor.
    let place = bytes.count - 6
    #expect(bytes[place...] == [1, 0, 1, 0, 0, 0])
    bytes[place] = 0
    #expect(throws: SyncDecodingError(.notCanonical("versions are not in ascending order"), at: place)) {
      try Download(decoding: bytes)
    }
  }

  @Test("objects are ordered by name, each once")
  func objects() {
    let (first, second) = (ObjectName(className: "A", key: .int(2)), ObjectName(className: "A", key: .string("1")))
    let record = DownloadRecord(
      version: 1, time: SyncTime(rawValue: 1), site: site,
      objects: [
        ObjectDelta(second, .gone), ObjectDelta(first, .gone),
        ObjectDelta(second, .columns([SyncProperty("y", .null), SyncProperty("x", .null)])),
      ])
    #expect(record.objects.map(\.object) == [first, second])
    #expect(record.objects[1].change == .columns([SyncProperty("x", .null), SyncProperty("y", .null)]))
  }
}
