import CEditline
import Foundation
import LarderLocks

/// Lines typed on a terminal, with history and completion, by libedit. There is one in a process.
final class LineEditor {
  /// The words that continue one, given what stands before it, and whether a space follows them.
  typealias Completion = @Sendable (_ line: String, _ word: String) -> (words: [String], isWhole: Bool)

  private static let completion = Lock<Completion?>(nil)
  private static let candidates = Lock<[String]>([])
  private static let historyLength: Int32 = 1000
  private let history: String?
  /// True if Control-C ended the last line.
  private(set) var wasInterrupted = false

  /// The path of the file that keeps lines: `$LARDER_HISTORY`, else below `$XDG_STATE_HOME` or `~/.local/state`.
  static var historyPath: String? {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["LARDER_HISTORY"] { return path.isEmpty ? nil : path }
    let home = environment["HOME"].map { "\($0)/.local/state" }
    return (environment["XDG_STATE_HOME"] ?? home).map { "\($0)/larder/history" }
  }

  /// - Parameter history: The file that keeps lines; nil: none.
  init(history: String?, completion: @escaping Completion) {
    self.history = history
    Self.completion.withLock { $0 = completion }
    // Characters have more than one byte.
    if setlocale(LC_CTYPE, "").map({ String(cString: $0).uppercased().contains("UTF") }) != true {
      setlocale(LC_CTYPE, "C.UTF-8")
    }
    larder_editline_begin(
      { text, start, _ in
        larder_editline_no_files()
        let typed = text.map { String(cString: $0) } ?? ""
        let line =
          larder_editline_line().map { String(decoding: Data(bytes: $0, count: Int(start)), as: UTF8.self) } ?? ""
        let found = LineEditor.completion.withLock { $0 }?(line, typed) ?? (words: [], isWhole: true)
        LineEditor.candidates.withLock { $0 = found.words }
        larder_editline_append(found.isWhole ? 0x20 : 0)
        return rl_completion_matches(text) { _, number in
          let found = LineEditor.candidates.withLock { $0 }
          return Int(number) < found.count ? strdup(found[Int(number)]) : nil
        }
      },
      { _ in
        switch KeyboardInput.shared.next() {
        case .character(let character): Int32(bitPattern: character.value)
        case .interruption, .end: -1
        }
      })
    using_history()
    stifle_history(Self.historyLength)
    if let history { read_history(history) }
  }

  /// The next line; empty after Control-C, nil at the end.
  func next(prompt: String) -> String? {
    wasInterrupted = false
    guard let typed = readline(prompt) else {
      wasInterrupted = KeyboardInput.shared.takeInterruption()
      Terminal.write(wasInterrupted ? "^C\n" : "\n")
      return wasInterrupted ? "" : nil
    }
    defer { free(typed) }
    let line = String(cString: typed)
    if line.contains(where: { !$0.isWhitespace }) {
      add_history(line)
      keep()
    }
    return line
  }

  /// Writes the lines, for their owner alone.
  private func keep() {
    guard let history else { return }
    let manager = FileManager.default
    let folder = URL(fileURLWithPath: history).deletingLastPathComponent()
    try? manager.createDirectory(at: folder, withIntermediateDirectories: true)
    if !manager.fileExists(atPath: history) {
      _ = manager.createFile(atPath: history, contents: nil, attributes: [.posixPermissions: 0o600])
    }
    write_history(history)
  }
}
