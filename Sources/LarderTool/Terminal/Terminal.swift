import Foundation
import LarderExchange
import LarderInspection
import LarderLocks

/// Standard output and standard error.
enum Terminal {
  /// True if a person looks at standard error.
  static var errorIsTerminal: Bool { isatty(FileHandle.standardError.fileDescriptor) == 1 }

  /// True if a person looks at standard output, as it was when the tool began: a pager that shows it is no terminal.
  static var outputIsTerminal: Bool { outputWasTerminal && !isRedirected.withLock { $0 } }

  private static let outputWasTerminal = isatty(FileHandle.standardOutput.fileDescriptor) == 1
  private static let isRedirected = Lock(false)

  /// Calls `body`, while standard output is a file.
  static func redirected(to file: FileHandle, _ body: () throws -> Void) rethrows {
    let standard = FileHandle.standardOutput.fileDescriptor
    let kept = dup(standard)
    dup2(file.fileDescriptor, standard)
    isRedirected.withLock { $0 = true }
    defer {
      dup2(kept, standard)
      close(kept)
      isRedirected.withLock { $0 = false }
    }
    try body()
  }

  /// Columns and lines for what fills a screen: those of the terminal, with a line left for the prompt.
  static var size: (width: Int, height: Int) {
    var size = winsize()
    guard outputIsTerminal, ioctl(FileHandle.standardOutput.fileDescriptor, UInt(TIOCGWINSZ), &size) == 0,
      size.ws_col > 0
    else { return (80, 23) }
    return (Int(size.ws_col), Int(size.ws_row) - 1)
  }

  /// Columns that a line of a table may have; nil: as many as it likes.
  static var tableWidth: Int? { outputIsTerminal ? size.width : nil }

  /// The characters that histograms are drawn with.
  static var marks: Sparkline.Marks { .of(ProcessInfo.processInfo.environment) }

  /// A colour that tells what something is; nothing is shown by colour alone.
  enum Style: String {
    case red = "31"
    case green = "32"
    case yellow = "33"
    case bold = "1"
  }

  /// Colours are for terminals only, and not where NO_COLOR is set (no-color.org).
  static func mayColor(isTerminal: Bool, environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
    isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  private static let forcedColors = Lock<Bool?>(nil)

  /// Has results and errors coloured from now on wherever they go, or nowhere; nil: on terminals, as `mayColor` says.
  static func forceColors(_ isForced: Bool?) { forcedColors.withLock { $0 = isForced } }

  private static let colorsTerminal = mayColor(isTerminal: outputWasTerminal)
  private static let colorsErrorTerminal = mayColor(isTerminal: errorIsTerminal)
  private static var colorsOutput: Bool { forcedColors.withLock { $0 } ?? (colorsTerminal && outputIsTerminal) }
  private static var colorsErrors: Bool { forcedColors.withLock { $0 } ?? colorsErrorTerminal }

  private static func escaped(_ text: String, _ style: Style) -> String { "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" }

  /// Writes an error as `larder: error: …`.
  static func complain(_ message: String) {
    let head = "larder: error:"
    writeError("\(colorsErrors ? escaped(head, .red) : head) \(VisibleText.lines(message))\n")
  }

  /// Text for standard output without anything that a terminal would obey, where it goes to one.
  static func shown(_ text: String, _ escaping: ScreenText.Escaping = .visible) -> String {
    outputIsTerminal ? ScreenText.safe(text, escaping) : text
  }

  /// The same, with lines that begin with -, + or ~ in the colour of what they tell: removed, added, changed.
  static func shownChanges(_ text: String) -> String {
    let text = shown(text)
    guard colorsOutput else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let style: Style? =
        switch line.first {
        case "-": .red
        case "+": .green
        case "~": .yellow
        default: nil
        }
      return style.map { escaped(String(line), $0) } ?? String(line)
    }.joined(separator: "\n")
  }

  /// Opens standard input, output and error on the null device where the process was started without them. A file of a store would get their
  /// numbers otherwise, and then the messages.
  static func openStandardFiles() {
    for number in Int32(0)...2 where fcntl(number, F_GETFD) == -1 {
      _ = open("/dev/null", number == 0 ? O_RDONLY : O_WRONLY)
    }
  }

  /// Writes a line to standard error; control characters of what it tells of are made visible.
  static func note(_ line: String) {
    writeError(VisibleText.lines(line) + "\n")
  }

  /// Writes text to standard error.
  static func writeError(_ text: String) {
    // A message that cannot be written changes no exit code.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Writes text to standard output, made safe for a terminal; ends the process when it cannot be written, as on a full disk.
  static func write(_ text: String) { writeShown(shown(text)) }

  /// Writes lines that tell of changes, in colours.
  static func writeChanges(_ text: String) { writeShown(shownChanges(text)) }

  private static func writeShown(_ text: String) {
    do {
      try writeBytes(text.utf8)
    } catch { Failure.report(OutputError(error, path: nil)) }
  }

  /// Writes bytes to standard output, through the pager where one is wanted.
  static func writeBytes(_ bytes: some Sequence<UInt8>) throws {
    try ProgressLine.aside {
      Pager.shared.begin()
      do {
        try FileHandle.standardOutput.write(contentsOf: Data(bytes))
      } catch  where Pager.shared.isRunning {
        // The pager was left: what it was shown is enough.
        Pager.shared.end()
        exit(0)
      }
    }
  }
}

/// Standard output or a new file, written in large pieces.
struct Output {
  private let handle: FileHandle
  private var pending: [UInt8] = []
  /// The first fault; nothing is written after it.
  private var failure: OutputError?
  private static let pieceSize = 1 << 16
  private let escaping: ScreenText.Escaping

  /// Standard output.
  ///
  /// - Parameter escaping: How what a terminal would obey is shown on one.
  init(_ escaping: ScreenText.Escaping = .visible) {
    handle = .standardOutput
    self.escaping = escaping
  }

  /// A file that must not exist yet.
  ///
  /// - Throws: `InputFileError` with the path when it does, or cannot be made.
  init(creating path: String) throws {
    handle = try Self.newFile(path)
    escaping = .visible
    TemporaryFiles.shared.add(path)
    self.path = path
  }

  /// A file that was not there, open for writing.
  ///
  /// - Throws: `InputFileError` with the path when it was, or cannot be made.
  static func newFile(_ path: String) throws -> FileHandle {
    // As private as the stores that results come from.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw InputFileError(
        path: path,
        message: errno == EEXIST
          ? "the file is there already; nothing was written"
          : "the file cannot be made; is its folder there and writable?")
    }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// The file that is being made; nil for standard output.
  private var path: String?

  mutating func write(_ text: String) { add(path == nil ? Terminal.shown(text, escaping) : text) }

  /// Text in UTF-8.
  mutating func write(bytes: [UInt8]) {
    // What a terminal shows is looked through first.
    if path == nil, Terminal.outputIsTerminal { return write(String(decoding: bytes, as: UTF8.self)) }
    pending.append(contentsOf: bytes)
    if pending.count >= Self.pieceSize { flush() }
  }

  /// Lines that tell of changes, in colours on a terminal.
  mutating func writeChanges(_ text: String) { add(path == nil ? Terminal.shownChanges(text) : text) }

  private mutating func add(_ text: String) {
    pending.append(contentsOf: text.utf8)
    if pending.count >= Self.pieceSize { flush() }
  }

  private mutating func flush() {
    guard failure == nil else { return }
    do {
      if path == nil { try Terminal.writeBytes(pending) } else { try handle.write(contentsOf: Data(pending)) }
    } catch { failure = OutputError(error, path: path) }
    pending.removeAll(keepingCapacity: true)
  }

  /// Writes what is left.
  ///
  /// - Throws: `OutputError` when anything could not be written.
  mutating func finish() throws {
    flush()
    if let failure { throw failure }
    if let path { TemporaryFiles.shared.keep(path) }
  }
}

/// Results that could not be written.
struct OutputError: Error, CustomStringConvertible {
  let description: String

  init(_ error: any Error, path: String?) {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
    let reason =
      cause.domain == NSPOSIXErrorDomain ? String(cString: strerror(Int32(cause.code))) : cause.localizedDescription
    description = "\(path.map { "'\($0)'" } ?? "the results") cannot be written: \(reason)"
  }
}
