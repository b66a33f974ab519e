import ArgumentParser
import Foundation
import LarderInspection
import LarderStorage

struct ShellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shell",
    abstract: "Takes verbs line by line, with the store open.",
    discussion: """
      A line is a verb with what follows the store's name. Tab completes verbs, classes and properties, the arrow keys bring \
      earlier lines back; they are kept in $LARDER_HISTORY, or in ~/.local/state/larder/history. 'help' lists the verbs, 'exit' \
      and Control-D end. Without a terminal it reads a script, lines that begin with # aside, and ends at the first error.

      EXAMPLE
        larder shell world.larder
        echo "query City 'population > 10000000' --count" | larder shell world.larder
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .file())
  var store: String

  func run() throws {
    let isInteractive = isatty(FileHandle.standardInput.fileDescriptor) == 1 && Terminal.outputIsTerminal
    let session = try ShellSession(path: store, isInteractive: isInteractive)
    let code = isInteractive ? converse(session, session.schema) : session.runScript()
    if code != 0 { throw ExitCode(code) }
  }

  private func converse(_ session: ShellSession, _ schema: StoreSchema) -> Int32 {
    Self.catchInterruptions()
    Terminal.write("\(store): \(schema.classes.count) classes; 'help' lists the verbs\n")
    let completion = ShellCompletion(schema)
    let editor = LineEditor(history: LineEditor.historyPath) { line, word in
      (completion.candidates(line: line, word: word), completion.isWhole(line: line, word: word))
    }
    while let line = editor.next(prompt: "larder> ") {
      guard session.run(line) else { break }
    }
    return 0
  }

  /// Lets Control-C end the verb that runs, or the line that is typed.
  private static func catchInterruptions() {
    Leftovers.shared.onInterruption {
      if !ShellChild.shared.interrupt() { KeyboardInput.shared.interrupt() }
    }
    // Else the line editor would take it for the end of the process.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGINT)
    pthread_sigmask(SIG_BLOCK, &mask, nil)
  }
}

/// Runs the lines of a shell: those of a script with the store open, those of a conversation as processes of their own.
final class ShellSession {
  private let path: String
  private let isInteractive: Bool
  /// The schema as it was in the beginning.
  let schema: StoreSchema
  /// Kept, so that every verb of a script finds it open.
  private var open: Store?
  private(set) var code: Int32 = 0

  /// Verbs that take the store first.
  static let verbs = [
    "classes", "inspect", "query", "explain", "advise", "watch", "info", "du", "check", "schema", "diff", "dump",
    "export",
    "backup", "edit",
  ]

  /// - Throws: `StorageError` for a store that cannot be opened.
  init(path: String, isInteractive: Bool) throws {
    self.path = path
    self.isInteractive = isInteractive
    let store = try StoreAccess.open(reading: path)
    schema = try store.snapshot().schema
    if !isInteractive { open = store }
  }

  /// Runs lines of standard input up to the first error.
  ///
  /// - Returns: The exit code.
  func runScript() -> Int32 {
    while let line = readLine() {
      guard run(line), code == 0 || code == Failure.found.rawValue else { break }
    }
    return code
  }

  /// Runs a line; what goes wrong is told.
  ///
  /// - Returns: False when it says that this was all.
  func run(_ line: String) -> Bool {
    var words: [String] = []
    do {
      words = try ShellWords.split(line)
      guard let verb = words.first, !verb.hasPrefix("#") else { return true }
      switch verb {
      case "exit", "quit": return false
      case "help":
        Terminal.write(words.count > 1 ? LarderCommand.helpMessage(for: try command(words[1])) + "\n" : Self.help)
      default:
        _ = try command(verb)
        try run([verb, path] + words.dropFirst())
      }
    } catch {
      let failed = Failure.tell(error, isJSON: Failure.isJSON(words))
      if failed != 0 { code = max(code, failed) }
    }
    return true
  }

  private func run(_ arguments: [String]) throws {
    guard !isInteractive else {
      code = max(code, try ShellChild.shared.run(arguments))
      return
    }
    try Main.run(arguments) {
      // What is open for reading cannot be opened for writing.
      if ($0 as? any WritingVerb)?.writes == true { open = nil }
    }
    if open == nil { open = try StoreAccess.open(reading: path) }
  }

  private func command(_ verb: String) throws -> any ParsableCommand.Type {
    let found = LarderCommand.configuration.subcommands.first { $0.configuration.commandName == verb }
    guard Self.verbs.contains(verb), let found else {
      throw ValidationError("there is no verb '\(verb)' here.\(Suggestion.sentence(for: verb, in: Self.verbs))")
    }
    return found
  }

  private static var help: String {
    let width = verbs.map(\.count).max() ?? 0
    return LarderCommand.configuration.subcommands.reduce("") { text, command in
      guard let name = command.configuration.commandName, verbs.contains(name) else { return text }
      return text + name + String(repeating: " ", count: width + 2 - name.count) + "\(command.configuration.abstract)\n"
    } + "exit" + String(repeating: " ", count: width - 2) + "Ends, as Control-D does.\n"
  }
}
