import Foundation
import LarderExchange
import LarderInspection

/// Shows on a terminal how far work of known length is; nothing anywhere else.
final class ProgressBar {
  private let isShown = ProgressLine.isShown
  private var lastShown = DispatchTime(uptimeNanoseconds: 0)
  private static let interval: UInt64 = 80_000_000
  private static let width = 30

  func show(_ progress: ImportProgress) {
    guard isShown else { return }
    let now = DispatchTime.now()
    guard now.uptimeNanoseconds > lastShown.uptimeNanoseconds + Self.interval else { return }
    lastShown = now
    ProgressLine.draw(Self.text(progress))
  }

  /// Shows so many of so many objects.
  func show(_ step: String, _ objects: Int, of total: Int) {
    guard isShown else { return }
    show(ImportProgress(consumed: objects, total: total, records: objects, step: step))
  }

  static func text(_ progress: ImportProgress) -> String {
    var line = progress.step
    if let total = progress.total, total > 0 {
      let part = min(1, Double(progress.consumed) / Double(total))
      let done = Int(part * Double(width))
      let bar = String(repeating: "█", count: done) + String(repeating: "·", count: width - done)
      line += "  \(bar) \(Int(part * 100)) %"
    }
    return "\(line)  \(progress.records) records"
  }

  /// Takes the bar away.
  func end() { ProgressLine.erase() }
}
