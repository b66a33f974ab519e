import ArgumentParser
import Foundation
import LarderInspection

/// How the tool ends when something goes wrong: a line on standard error and an exit code. docs/tool.md has the table.
enum Failure {
  /// What was looked for is there: a problem, a difference, something lost or left out.
  static let found = ExitCode(1)
  /// The command line makes no sense, or does not allow what it asks for.
  static let usage = ExitCode(2)
  /// Something could not be done.
  static let failed = ExitCode(3)

  /// Whether arguments ask for JSON: errors are then JSON, too.
  static func isJSON(_ arguments: some Sequence<String>) -> Bool {
    arguments.prefix { $0 != "--" }.contains("--json")
  }

  /// Prints what is to be said of an error and ends the process.
  static func report(_ error: any Error) -> Never {
    Foundation.exit(tell(error, isJSON: isJSON(CommandLine.arguments)))
  }

  /// Prints what is to be said of an error.
  ///
  /// - Returns: The exit code it stands for.
  static func tell(_ error: any Error, isJSON: Bool) -> Int32 {
    if let code = error as? ExitCode { return code.rawValue }
    let code = LarderCommand.exitCode(for: error)
    if code == .success {
      // Help and version are errors to the parser, not to people.
      Terminal.write(LarderCommand.fullMessage(for: error) + "\n")
      return code.rawValue
    }
    let isUsage = code == .validationFailure
    guard !isJSON else {
      let message = isUsage ? LarderCommand.message(for: error) : nil
      Terminal.note(ErrorText.json(error, usage: message))
      return (isUsage ? usage : failed).rawValue
    }
    guard isUsage else {
      Terminal.complain(ErrorText.plain(error))
      return failed.rawValue
    }
    var message = LarderCommand.fullMessage(for: error)
    if message.hasPrefix("Error: ") { message.removeFirst("Error: ".count) }
    Terminal.complain(message)
    return usage.rawValue
  }
}
