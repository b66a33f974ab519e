import Foundation
import LarderInspection

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

/// Standard output or a new file, written in large pieces.
struct Output {
  private let handle: FileHandle
  private var pending: [UInt8] = []
  private static let pieceSize = 1 << 16

  /// Standard output.
  init() { handle = .standardOutput }

  /// A file that must not exist yet.
  ///
  /// - Throws: `InputFileError` with the path when it does, or cannot be made.
  init(creating path: String) throws {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw InputFileError(path: path, message: "the file is there already; nothing was written")
    }
    guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
    else { throw InputFileError(path: path, message: "the file cannot be made; is its folder there and writable?") }
    handle = file
  }

  mutating func write(_ text: String) {
    pending.append(contentsOf: text.utf8)
    if pending.count >= Self.pieceSize { flush() }
  }

  mutating func flush() {
    handle.write(Data(pending))
    pending.removeAll(keepingCapacity: true)
  }
}
