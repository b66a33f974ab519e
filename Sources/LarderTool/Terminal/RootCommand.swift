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
    var command = try type.parseAsRoot(separated(arguments))
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

  /// Arguments in which a predicate or a key that begins with a minus comes after `--`, so that it is taken for no flag.
  static func separated(_ arguments: [String]) -> [String] {
    guard !arguments.contains("--") else { return arguments }
    var (kept, moved): ([String], [String]) = ([], [])
    for (index, argument) in arguments.enumerated() {
      // After a flag it may be that flag's value.
      let isFree = index > 0 && !arguments[index - 1].hasPrefix("-")
      if isFree, isValue(argument) { moved.append(argument) } else { kept.append(argument) }
    }
    return moved.isEmpty ? arguments : kept + ["--"] + moved
  }

  /// True if an argument that begins with a minus is no flag: a number, or a text with spaces or comparisons.
  private static func isValue(_ argument: String) -> Bool {
    guard argument.hasPrefix("-"), !argument.hasPrefix("--"), let second = argument.dropFirst().first else {
      return false
    }
    return second.isNumber || argument.contains { $0.isWhitespace || "=<>!".contains($0) }
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
