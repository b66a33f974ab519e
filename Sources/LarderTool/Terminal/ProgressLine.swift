import Foundation
import LarderExchange
import LarderInspection
import LarderLocks

/// The one line of standard error that tells how far work is: drawn over and over on a terminal, and never in the way of results.
enum ProgressLine {
  private static let isDrawn = Lock(false)
  static let isShown = Terminal.errorIsTerminal
  private static let eraser = "\r\u{1B}[K"

  /// Draws the line again; nothing where standard error is no terminal.
  static func draw(_ text: String) {
    // A pager has the screen for itself.
    guard isShown, !Pager.shared.isRunning else { return }
    isDrawn.withLock { isDrawn in
      Terminal.writeError(eraser + VisibleText.line(text))
      isDrawn = true
    }
  }

  /// Takes the line away.
  static func erase() { aside {} }

  /// Calls `body`, which writes results, with the line out of the way.
  static func aside(_ body: () throws -> Void) rethrows {
    guard isShown else { return try body() }
    try isDrawn.withLock { isDrawn in
      if isDrawn { Terminal.writeError(eraser) }
      isDrawn = false
      try body()
    }
  }
}
