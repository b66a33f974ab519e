import Foundation
import LarderInspection

/// Shows on a terminal how far an import is; nothing anywhere else.
final class ProgressBar {
  private let isShown = Terminal.errorIsTerminal
  private var lastShown = DispatchTime(uptimeNanoseconds: 0)
  private static let interval: UInt64 = 80_000_000
  private static let width = 30

  func show(_ progress: ImportProgress) {
    guard isShown else { return }
    let now = DispatchTime.now()
    guard now.uptimeNanoseconds > lastShown.uptimeNanoseconds + Self.interval else { return }
    lastShown = now
    var line = progress.step
    if let total = progress.total, total > 0 {
      let part = min(1, Double(progress.consumed) / Double(total))
      let done = Int(part * Double(Self.width))
      let bar = String(repeating: "█", count: done) + String(repeating: "·", count: Self.width - done)
      line += "  \(bar) \(Int(part * 100)) %"
    }
    Terminal.writeError("\r\u{1B}[K\(line)  \(progress.records) records")
  }

  /// Takes the bar away.
  func end() {
    if isShown { Terminal.writeError("\r\u{1B}[K") }
  }
}
