import Foundation

/// The number of random inputs that each fuzz test tries: `LARDER_SYNC_INPUTS`, 2,000 unless set.
enum SyncInputs {
  static let count = ProcessInfo.processInfo.environment["LARDER_SYNC_INPUTS"].flatMap { Int($0) } ?? 2_000
}
