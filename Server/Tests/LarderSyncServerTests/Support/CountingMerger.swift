@testable import LarderSyncServer

/// Adds one to a counter in each object that an upload names: what was merged twice, or not at all, shows in the sum.
struct CountingMerger: UploadMerger {
  func merge(_ state: MergeState) throws -> MergedUploads {
    var counts = state.objects.mapValues { CountingMerger.count($0.body) }
    var versions: [ObjectKey: Int64] = [:]
    var changes: [MergedChange] = []
    for (offset, upload) in state.uploads.enumerated() {
      for key in upload.keys {
        counts[key, default: 0] += 1
        versions[key] = state.part.head + 1 + Int64(offset)
      }
      changes.append(MergedChange(time: upload.time, delta: upload.body, before: []))
    }
    let objects = versions.map { key, version in
      ObjectWrite(
        ObjectRecord(key: key, isAlive: true, version: version, body: CountingMerger.body(counts[key] ?? 0)),
        fields: ["count": .int(Int64(counts[key] ?? 0))])
    }
    return MergedUploads(changes: changes, objects: objects)
  }

  static func count(_ body: [UInt8]) -> Int { body.reduce(0) { $0 << 8 | Int($1) } }
  static func body(_ count: Int) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) } }
}

extension SiteKey {
  /// A site for tests by a number.
  static func test(_ number: Int) -> SiteKey { SiteKey(stored: [UInt8(number >> 8), UInt8(number & 255), 7]) }
}

extension ObjectKey {
  static func test(_ number: Int, _ className: String = "Task") -> ObjectKey {
    ObjectKey(className: className, primaryKey: (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) })
  }
}

extension Upload {
  /// The commit of a site by its number, which touches some objects.
  static func test(_ site: SiteKey, _ siteVersion: Int, _ keys: [ObjectKey], session: Int64 = 1) -> Upload {
    Upload(
      site: site, session: session, siteVersion: Int64(siteVersion),
      nonce: UInt64(siteVersion) &* 0x9E37_79B9_7F4A_7C15, time: UInt64(siteVersion) << 16, keys: keys,
      body: Array("commit \(siteVersion)".utf8))
  }
}
