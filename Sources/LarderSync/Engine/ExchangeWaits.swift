/// The waits until something is at the server, or here (Y-36). They outlive connections.
struct ExchangeWaits: Sendable {
  private var uploads: [Int: UInt64] = [:]
  /// With the mark that has to come; nil for one that was not asked for yet.
  private var downloads: [Int: UInt64?] = [:]
  private var ended: [Int] = []

  /// Waits until a commit is durable on the server.
  mutating func addUpload(_ id: Int, through siteVersion: UInt64) { uploads[id] = siteVersion }

  /// Waits for the next mark that is asked for.
  mutating func addDownload(_ id: Int) { downloads[id] = .some(nil) }

  mutating func remove(_ id: Int) {
    uploads[id] = nil
    downloads[id] = nil
  }

  /// True if a wait needs a mark that was not asked for.
  var needsMark: Bool { downloads.values.contains { $0 == nil } }

  mutating func acknowledged(through siteVersion: UInt64) {
    let reached = uploads.filter { $0.value <= siteVersion }.keys.sorted()
    for id in reached { uploads[id] = nil }
    ended += reached
  }

  /// Commits after one have other numbers, from 1 on.
  mutating func forked(_ common: UInt64) { uploads = uploads.mapValues { $0 - min(common, $0) } }

  mutating func asked(_ mark: UInt64) {
    for (id, known) in downloads where known == nil { downloads[id] = .some(mark) }
  }

  mutating func reached(_ mark: UInt64) {
    let reached = downloads.filter { $0.value.map { $0 <= mark } ?? false }.keys.sorted()
    for id in reached { downloads[id] = nil }
    ended += reached
  }

  /// A mark came while more is to come that belongs before it.
  mutating func missed(_ mark: UInt64) {
    for (id, known) in downloads { if let known, known <= mark { downloads[id] = .some(nil) } }
  }

  /// Marks that were asked for do not come any more.
  mutating func disconnected() {
    for id in downloads.keys { downloads[id] = .some(nil) }
  }

  mutating func takeEnded() -> [Int] {
    defer { ended = [] }
    return ended
  }
}
