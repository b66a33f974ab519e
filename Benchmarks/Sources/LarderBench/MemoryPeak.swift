import Foundation
import Synchronization

/// The most memory that the process had of its own while something ran, above what it had before: without the pages of mapped files.
///
/// A thread looks every few milliseconds; what comes and goes between two looks is not seen.
final class MemoryPeak: Sendable {
  private let before: Int
  private let most: Atomic<Int>
  private let isOver = Atomic<Bool>(false)

  /// Begins to look; nil where the system does not say what a process has.
  init?() {
    guard let now = Self.ownBytes() else { return nil }
    before = now
    most = Atomic(now)
    Thread.detachNewThread { [self] in
      while !isOver.load(ordering: .relaxed) {
        look()
        Thread.sleep(forTimeInterval: 0.005)
      }
    }
  }

  /// Ends the looking; bytes.
  func read() -> Double {
    look()
    isOver.store(true, ordering: .relaxed)
    return Double(most.load(ordering: .relaxed) - before)
  }

  private func look() { if let now = Self.ownBytes() { most.max(now, ordering: .relaxed) } }

  /// Resident pages that are not shared with a file.
  static func ownBytes() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let pages = text.split(separator: " ").compactMap { Int($0) }
    guard pages.count > 2 else { return nil }
    return (pages[1] - pages[2]) * Int(getpagesize())
  }
}
