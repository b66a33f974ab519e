import ArgumentParser
import LarderExchange
import LarderInspection
import LarderLocks

/// The command that all verbs belong to, for what they share: messages, help, and running one verb from within another.
///
/// `Main` says which it is before anything is parsed, so that a verb need not know the list of all of them.
enum RootCommand {
  private struct Known: @unchecked Sendable {
    // Unchecked: a type never changes.
    let type: any ParsableCommand.Type
  }

  private struct Unknown: ParsableCommand {}

  private static let known = Lock(Known(type: Unknown.self))

  static var type: any ParsableCommand.Type { known.withLock { $0.type } }

  static func set(_ type: any ParsableCommand.Type) { known.withLock { $0 = Known(type: type) } }

  static var verbs: [any ParsableCommand.Type] { type.configuration.subcommands }

  /// Runs a verb with its arguments; `beforeRun` sees it first.
  ///
  /// - Throws: What the parser and the verb throw, `Failure.Misuse` for what the verb finds wrong with the arguments.
  static func run(_ arguments: [String], beforeRun: (any ParsableCommand) -> Void = { _ in }) throws {
    try requireVerb(arguments)
    var command = try type.parseAsRoot(arguments)
    beforeRun(command)
    if let verb = command as? any ColoredVerb {
      let choice = verb.colors.color
      Terminal.forceColors(choice == .auto ? nil : choice == .always)
    }
    if let verb = command as? any PagedVerb, !verb.screen.noPager { Pager.shared.want() }
    defer { Pager.shared.end() }
    do {
      try command.run()
    } catch let error as ValidationError {
      throw Failure.Misuse(message: error.message, verb: Swift.type(of: command))
    }
  }

  /// Throws for a first word that is no verb, which the parser would call an unexpected argument.
  private static func requireVerb(_ arguments: [String]) throws {
    var words = arguments[...]
    if words.first == "help" { words = words.dropFirst() }
    guard let word = words.first, !word.hasPrefix("-") else { return }
    let verbs = verbs.compactMap { $0.configuration.commandName } + ["help"]
    guard !verbs.contains(word) else { return }
    throw ValidationError("there is no verb '\(word)'.\(Suggestion.sentence(for: word, in: verbs))")
  }
}
