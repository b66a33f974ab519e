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

  @Test("the marker of a plain commit takes few bytes")
  func markerSize() throws {
    func download(_ count: UInt64) -> SyncFrame {
      let records = (0..<count).map {
        DownloadRecord(
          version: 1_000_000 + $0, time: SyncTime(milliseconds: 1_700_000_000_000 + $0), site: site,
          own: OwnMarker(siteVersion: 100 + $0))
      }
      return SyncFrame(.download(Download(records: records, cursor: [1])))
    }
    let (one, eleven) = (download(1).encoded(site: site), download(11).encoded(site: site))
    #expect(try SyncFrame(decoding: eleven, site: site) == download(11))
    // The frame, part, number of records and cursor take 7 bytes.
    #expect(one.count == 7 + 16)
    #expect(eleven.count <= one.count + 10 * 8 + 1)
  }

  @Test("a marker by itself has its site")
  func markerElsewhere() throws {
    let record = DownloadRecord(version: 1, time: SyncTime(rawValue: 0), site: site, own: OwnMarker(siteVersion: 9))
    #expect(record.encoded(site: site) == [1, 0, 1, 9, 0, 0])
    #expect(record.encoded(site: SyncGenerator.sites[1]) == record.encoded())
    #expect(try DownloadRecord(decoding: record.encoded()) == record)
    #expect(throws: SyncDecodingError(.notCanonical("the own site in another form"), at: 3)) {
      try DownloadRecord(decoding: record.encoded(), site: site)
    }
    #expect(throws: SyncDecodingError(.unknownTag(1, of: "authors"), at: 3)) {
      try DownloadRecord(decoding: record.encoded(site: site))
    }
  }

  @Test("versions that do not ascend are refused")
  func versions() throws {
    let record = DownloadRecord(version: 5, time: SyncTime(rawValue: 1), site: site)
    let later = DownloadRecord(version: 6, time: SyncTime(rawValue: 1), site: site)
    var bytes = Download(records: [record, later], cursor: []).encoded()
    // The second record is its difference in version, the difference in time, another's commit, its site, no objects; then the cursor.
    let place = bytes.count - 6
    #expect(bytes[place...] == [1, 0, 0, 1, 0, 0])
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
