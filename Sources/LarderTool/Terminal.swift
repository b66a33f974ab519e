import Foundation

/// Standard output and standard error.
enum Terminal {
  /// Whether standard error is looked at by somebody.
  static var errorIsTerminal: Bool { isatty(FileHandle.standardError.fileDescriptor) == 1 }

  /// Writes an error as `larder: error: …`.
  static func complain(_ message: String) {
    note("larder: error: \(message)")
  }

  /// Writes a line to standard error.
  static func note(_ line: String) {
    writeError(line + "\n")
  }

  /// Writes text to standard error.
  static func writeError(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }

  /// Writes text to standard output.
  static func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}

/// Standard output, written in large pieces.
struct Output {
  private var pending: [UInt8] = []
  private static let pieceSize = 1 << 16

  mutating func write(_ text: String) {
    pending.append(contentsOf: text.utf8)
    if pending.count >= Self.pieceSize { flush() }
  }

  mutating func flush() {
    FileHandle.standardOutput.write(Data(pending))
    pending.removeAll(keepingCapacity: true)
  }
}
