import ArgumentParser
import Foundation

/// How the tool ends when something goes wrong: a line on standard error and an exit code.
enum Failure {
  /// Something failed, or a check found a problem.
  static let failed = ExitCode(1)
  /// The command line makes no sense.
  static let usage = ExitCode(2)

  /// Prints what is to be said of an error and ends the process.
  static func report(_ error: any Error) -> Never {
    let code = LarderCommand.exitCode(for: error)
    switch error {
    case let code as ExitCode: LarderCommand.exit(withError: code)
    case _ where code == .success:
      // Help and version are errors to the parser, not to people.
      LarderCommand.exit(withError: error)
    case _ where code == .validationFailure:
      var message = LarderCommand.fullMessage(for: error)
      if message.hasPrefix("Error: ") { message.removeFirst("Error: ".count) }
      Terminal.complain(message)
      Foundation.exit(usage.rawValue)
    default:
      Terminal.complain(describe(error))
      Foundation.exit(failed.rawValue)
    }
  }

  private static func describe(_ error: any Error) -> String {
    let text = String(describing: error)
    return text.isEmpty ? error.localizedDescription : text
  }
}
