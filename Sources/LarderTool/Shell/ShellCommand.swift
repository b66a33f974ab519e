import ArgumentParser
import Foundation
import LarderInspection
import LarderStorage

struct ShellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shell",
    abstract: "Takes verbs line by line, with the store open.",
    discussion: """
      A line is a verb with what follows the store's name. It goes on in the next line after a backslash, and within quotes and \
      brackets. Tab completes verbs, classes and properties, the arrow keys bring earlier lines back; they are kept in \
      $LARDER_HISTORY, or in larder/history below $XDG_STATE_HOME, which is ~/.local/state where it is not set. '.help' lists the \
      verbs and what begins with a dot: .timer, .output and .limit. '.exit' and Control-D end. Without a terminal it reads a \
      script, lines that begin with # aside, and ends at the first error.

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
    let code = isInteractive ? converse(session) : session.runScript()
    if code != 0 { throw ExitCode(code) }
  }

  private func converse(_ session: ShellSession) -> Int32 {
    Self.catchInterruptions()
    Terminal.write("\(store): \(session.shared.schema.classes.count) classes; '.help' lists the verbs\n")
    let shared = session.shared
    let editor = LineEditor(history: LineEditor.historyPath) { line, word in
      let completion = ShellCompletion(shared.schema)
      return (completion.candidates(line: line, word: word), completion.isWhole(line: line, word: word))
    }
    var statement = ShellStatement()
    while let line = editor.next(prompt: statement.isEmpty ? "larder> " : "   ...> ") {
      if editor.wasInterrupted {
        statement = ShellStatement()
      } else if statement.add(line) {
        guard session.run(statement.take()) else { break }
      }
    }
    return 0
  }

  /// Lets Control-C end the verb that runs, or the line that is typed.
  private static func catchInterruptions() {
    TemporaryFiles.shared.onInterruption {
      if !ShellChild.shared.interrupt() { KeyboardInput.shared.interrupt() }
    }
    // Else the line editor would take it for the end of the process.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGINT)
    pthread_sigmask(SIG_BLOCK, &mask, nil)
  }
}
