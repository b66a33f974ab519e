import Foundation
import LarderLocks

/// Shows results page by page on a terminal, by a program such as `less`.
///
/// The pager is a job of its own, as Foundation starts all processes: it is given the terminal, and what it does with Control-C is its
/// own affair. When it ends first, no one wants the rest.
final class Pager: Sendable {
  static let shared = Pager()

  private struct Run {
    let process: Process
    /// The terminal.
    let output: Int32
    let foreground: pid_t
    let settings: termios
  }

  private enum State {
    case off
    /// A verb runs whose results go through the pager, once there are any.
    case wanted
    case running(Run)
  }

  private let state = Lock(State.off)

  /// The command line of the pager; nil where results go straight to the terminal: `$LARDER_PAGER`, else `$PAGER`, else less where it is
  /// installed. Empty, and `cat`, are none.
  static func command(_ environment: [String: String], hasLess: () -> Bool) -> String? {
    guard environment["TERM"] != "dumb" else { return nil }
    guard let chosen = environment["LARDER_PAGER"] ?? environment["PAGER"] else { return hasLess() ? "less" : nil }
    let command = chosen.trimmingCharacters(in: .whitespaces)
    return command.isEmpty || command == "cat" ? nil : command
  }

  private static func hasLess() -> Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/less") }
  }

  /// True if this job may give the terminal away: it is this job's, or that of the shell that waits for it. A job in the background would
  /// take it from whatever runs there.
  private static var hasTerminal: Bool {
    let foreground = tcgetpgrp(FileHandle.standardOutput.fileDescriptor)
    return foreground == getpgrp() || (ShellText.isShell && foreground == getpgid(getppid()))
  }

  /// True if the terminal is the pager's.
  var isRunning: Bool { state.withLock { if case .running = $0 { true } else { false } } }

  /// From now on results go through a pager, if they go to a terminal.
  func want() {
    guard Terminal.outputIsTerminal else { return }
    state.withLock { if case .off = $0 { $0 = .wanted } }
  }

  /// Starts the pager if one is wanted; called before results are written.
  func begin() {
    state.withLock { state in
      guard case .wanted = state else { return }
      state = .off
      let environment = ProcessInfo.processInfo.environment
      guard Self.hasTerminal, let command = Self.command(environment, hasLess: Self.hasLess),
        let run = try? Self.start(command, environment)
      else { return }
      state = .running(run)
    }
  }

  private static func start(_ command: String, _ environment: [String: String]) throws -> Run {
    let (pipe, process) = (Pipe(), Process())
    let output = dup(FileHandle.standardOutput.fileDescriptor)
    // The end of one page is enough, colours pass, and the screen stays as it is.
    let defaults = ["LESS": "FRX", "LESSCHARSET": "utf-8"]
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.environment = environment.merging(defaults) { given, _ in given }
    process.standardInput = pipe.fileHandleForReading
    process.standardOutput = FileHandle(fileDescriptor: output, closeOnDealloc: false)
    // A terminal that is taken and given back, and a pager that ends first, end nothing here.
    for number in [SIGTTOU, SIGPIPE] { signal(number, SIG_IGN) }
    let foreground = tcgetpgrp(output)
    var settings = termios()
    tcgetattr(output, &settings)
    set(output, withoutSuspension(settings))
    do {
      try process.run()
    } catch {
      set(output, settings)
      throw error
    }
    try? pipe.fileHandleForReading.close()
    dup2(pipe.fileHandleForWriting.fileDescriptor, FileHandle.standardOutput.fileDescriptor)
    try? pipe.fileHandleForWriting.close()
    tcsetpgrp(output, process.processIdentifier)
    // It may have asked for the terminal before it had it.
    kill(-process.processIdentifier, SIGCONT)
    return Run(process: process, output: output, foreground: foreground, settings: settings)
  }

  /// Settings without Control-Z, which would stop the pager alone, and no one could wake it.
  private static func withoutSuspension(_ settings: termios) -> termios {
    var settings = settings
    withUnsafeMutableBytes(of: &settings.c_cc) { $0[Int(VSUSP)] = 0 }
    return settings
  }

  /// Changes the settings of a terminal; never while a pager runs, which has set its own.
  private static func set(_ terminal: Int32, _ settings: termios) {
    var settings = settings
    tcsetattr(terminal, TCSANOW, &settings)
  }

  /// Ends the results and waits until they are read.
  func end() {
    let run: Run? = state.withLock { state in
      defer { state = .off }
      if case .running(let run) = state { return run }
      return nil
    }
    guard let run else { return }
    // The pager sees the end of its input once nothing writes to it.
    dup2(run.output, FileHandle.standardOutput.fileDescriptor)
    run.process.waitUntilExit()
    tcsetpgrp(run.output, run.foreground)
    Self.set(run.output, run.settings)
    close(run.output)
  }
}
