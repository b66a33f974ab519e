import ArgumentParser
import Foundation
import LarderExchange
import LarderInspection
import LarderLocks
import LarderStorage

/// Runs the statements of a shell: those of a script with the store open, those of a conversation as processes of their own.
final class ShellSession {
  private let path: String
  private let isInteractive: Bool
  private var settings = ShellSettings()
  /// The schema, which verbs may change.
  let shared: Shared
  /// Kept, so that every verb of a script finds it open.
  private var open: Store?
  private(set) var code: Int32 = 0

  /// The data that completion reads, on whatever thread that is.
  final class Shared: Sendable {
    private let lock: Lock<StoreSchema>

    fileprivate init(_ schema: StoreSchema) { lock = Lock(schema) }

    fileprivate(set) var schema: StoreSchema {
      get { lock.withLock { $0 } }
      set { lock.withLock { $0 = newValue } }
    }
  }

  /// Verbs that have no use here: the store is there and open with its key, and the rest is for the shell of the system.
  private static let others: Set<String> = ["shell", "studio", "load", "rekey", "completions", "man"]

  /// Verbs that take the store, in the order of the tool's help.
  static var verbs: [String] {
    RootCommand.verbs.compactMap { $0.configuration.commandName }.filter { !others.contains($0) }
  }

  /// - Throws: `StorageError` for a store that cannot be opened.
  init(path: String, isInteractive: Bool) throws {
    self.path = path
    self.isInteractive = isInteractive
    let store = try StoreAccess.open(reading: path)
    shared = Shared(try store.snapshot().schema)
    if !isInteractive { open = store }
    ShellText.isShell = true
  }

  /// Runs the statements of standard input up to the first error.
  ///
  /// - Returns: The exit code.
  func runScript() -> Int32 {
    var statement = ShellStatement()
    while let line = readLine() {
      guard statement.add(line) else { continue }
      guard run(statement.take()), code == 0 || code == Failure.found.rawValue else { return code }
    }
    if !statement.isEmpty { _ = run(statement.take()) }
    return code
  }

  /// Runs a statement; what goes wrong is reported.
  ///
  /// - Returns: False when it says that this was all.
  func run(_ line: String) -> Bool {
    var words: [String] = []
    do {
      words = try Self.words(of: line)
      guard let verb = words.first else { return true }
      switch verb {
      case "exit", "quit", ".exit", ".quit": return false
      case "help", ".help": Terminal.write(try help(words.dropFirst().first))
      case _ where verb.hasPrefix("."): try settings.set(verb, words.dropFirst())
      default:
        let begin = DispatchTime.now()
        try settings.writing { try run(verb, Array(words.dropFirst()), output: $0) }
        settings.tellTime(since: begin)
      }
    } catch {
      let failed = Failure.tell(error, isJSON: Failure.isJSON(words))
      if failed != 0 { code = max(code, failed) }
    }
    return true
  }

  /// The words of a line; a statement in SQL, whose quotes are its own, is one.
  private static func words(of line: String) throws -> [String] {
    if let hint = ShellHint.of(line) { throw ValidationError(hint) }
    let parts = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard parts.first == ".sql", parts.count == 2 else { return try ShellWords.split(line) }
    return ["sql", String(parts[1])]
  }

  private func run(_ verb: String, _ words: [String], output: FileHandle?) throws {
    _ = try command(verb)
    let arguments = RootCommand.separated(try self.arguments(verb, words))
    // What is wrong with the line is reported here, in the shell's own terms.
    let parsed = try RootCommand.type.parseAsRoot(arguments)
    guard !isInteractive else {
      code = max(code, try ShellChild.shared.run(arguments, output: output))
      if parsed is any WritingVerb { refreshSchema() }
      return
    }
    defer { if parsed is any WritingVerb { refreshSchema() } }
    try RootCommand.run(arguments) {
      // What is open for reading cannot be opened for writing.
      if ($0 as? any WritingVerb)?.writes == true { open = nil }
    }
    if open == nil { open = try StoreAccess.open(reading: path) }
  }

  /// The arguments of the tool for a verb and what follows it here.
  private func arguments(_ verb: String, _ words: [String]) throws -> [String] {
    guard verb != "import" else {
      guard !words.contains(where: { $0 == "--into" || $0.hasPrefix("--into=") }) else {
        throw ValidationError("import writes to the store that is open here: leave --into out")
      }
      return [verb] + words + ["--into", path]
    }
    return [verb, path] + words + (verb == "query" ? settings.limitArguments(besides: words) : [])
  }

  private func refreshSchema() {
    guard let schema = try? StoreAccess.open(reading: path).snapshot().schema else { return }
    shared.schema = schema
  }

  private func command(_ verb: String) throws -> any ParsableCommand.Type {
    let found = RootCommand.verbs.first { $0.configuration.commandName == verb }
    guard Self.verbs.contains(verb), let found else {
      throw ValidationError(
        "there is no verb '\(verb)' here.\(Suggestion.sentence(for: verb, in: Self.verbs)) '.help' lists the verbs")
    }
    return found
  }

  // MARK: Help

  private func help(_ verb: String?) throws -> String {
    guard let verb else { return Self.help }
    return ShellText.own(RootCommand.type.helpMessage(for: try command(verb))) + "\n"
  }

  private static var help: String {
    let lines =
      RootCommand.verbs.compactMap { command -> (String, String)? in
        guard let name = command.configuration.commandName, verbs.contains(name) else { return nil }
        return (name, command.configuration.abstract)
      } + ShellSettings.help
    let width = lines.map(\.0.count).max() ?? 0
    return lines.reduce("") { text, line in
      text + line.0 + String(repeating: " ", count: width + 2 - line.0.count) + line.1 + "\n"
    }
  }
}
