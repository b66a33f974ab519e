import ArgumentParser
import Foundation
import LarderExchange
import LarderInspection

/// The ways that the tool ends when something goes wrong: a line on standard error and an exit code. docs/tool.md has the table.
enum Failure {
  /// The verb found what it looked for: a problem, a difference, something lost or left out.
  static let found = ExitCode(1)
  /// The command line makes no sense, or does not allow what it asks for.
  static let usage = ExitCode(2)
  /// Something could not be done.
  static let failed = ExitCode(3)
  /// Nothing was written since values would have been lost.
  static let loss = ExitCode(4)

  /// True if arguments ask for JSON: errors are then JSON, too.
  static func isJSON(_ arguments: some Sequence<String>) -> Bool {
    let flags = Array(arguments.prefix { $0 != "--" })
    guard !flags.contains("--json") else { return true }
    // The format of a file that is read or made is no form of results.
    guard !flags.contains("import"), !flags.contains("export") else { return false }
    return flags.contains("--format=json")
      || zip(flags, flags.dropFirst()).contains { $0 == "--format" && $1 == "json" }
  }

  /// Prints what is to be said of an error and ends the process.
  static func report(_ error: any Error) -> Never {
    Foundation.exit(tell(error, isJSON: isJSON(CommandLine.arguments)))
  }

  /// Prints what is to be said of an error.
  ///
  /// - Returns: The exit code it means.
  static func tell(_ error: any Error, isJSON: Bool) -> Int32 {
    // What is said comes after the results, not among them.
    Pager.shared.end()
    if let code = error as? ExitCode { return code.rawValue }
    let misuse = error as? Misuse
    let code = misuse == nil ? RootCommand.type.exitCode(for: error) : .validationFailure
    if code == .success {
      // Help and version are errors to the parser, not to people.
      Terminal.write(inTerms(RootCommand.type.fullMessage(for: error)) + "\n")
      return code.rawValue
    }
    let isUsage = code == .validationFailure
    guard !isJSON else {
      let message = isUsage ? misuse?.message ?? RootCommand.type.message(for: error) : nil
      Terminal.writeError(ErrorText.json(error, usage: message) + "\n")
      return (isUsage ? usage : failed).rawValue
    }
    guard isUsage else {
      Terminal.complain(ErrorText.plain(error))
      return failed.rawValue
    }
    var message = misuse?.fullMessage ?? RootCommand.type.fullMessage(for: error)
    if message.hasPrefix("Error: ") { message.removeFirst("Error: ".count) }
    Terminal.complain(inTerms(message))
    return usage.rawValue
  }

  private static func inTerms(_ text: String) -> String { ShellText.isShell ? ShellText.own(text) : text }

  /// Prints what is no error but should be known: a line on standard error.
  static func warn(_ sentence: String, path: String) {
    guard isJSON(CommandLine.arguments) else { return Terminal.note("larder: warning: \(sentence)") }
    let warning: JSONValue = ["message": .init(sentence), "path": .init(path)]
    Terminal.writeError((["warning": warning] as JSONValue).line)
  }

  /// A command line that a verb found wrong when it ran.
  struct Misuse: Error {
    let message: String
    let verb: any ParsableCommand.Type

    /// The message with how the verb is used, as the parser says it of what it finds wrong itself.
    var fullMessage: String {
      let name = verb.configuration.commandName ?? ""
      let help = RootCommand.type.helpMessage(for: verb).split(separator: "\n", omittingEmptySubsequences: false)
      let usage = help.drop { !$0.hasPrefix("USAGE: ") }.prefix { !$0.isEmpty }.joined(separator: "\n")
      return "\(message)\nUsage: \(usage.dropFirst("USAGE: ".count))\n  See 'larder help \(name)' for more information."
    }
  }
}
