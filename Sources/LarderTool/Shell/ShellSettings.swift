import ArgumentParser
import Foundation
import LarderExchange
import LarderInspection

/// The settings of a shell, which directives change: lines that begin with a dot.
struct ShellSettings {
  private var timesVerbs = false
  /// The file that results go to; nil: standard output.
  private var output: FileHandle?
  /// The limit of a `query` that is given none itself.
  private var limit: RowLimit?

  static let directives = [".exit", ".help", ".limit", ".output", ".sql", ".timer"]

  /// Each directive with what it does.
  static let help = [
    (".help [VERB]", "Lists the verbs, or says how one is used."),
    (
      ".limit [N | all]", "How many objects 'query' prints where it is not told; without a number, as in the beginning."
    ),
    (".output [FILE]", "Writes results to a new file from now on; without a file, here again."),
    (".sql SELECT …", "Answers a statement as the verb 'sql' does, without quotes around it."),
    (".timer on | off", "Tells how long each verb takes."),
    (".exit", "Ends, as Control-D does."),
  ]

  /// Follows a directive.
  ///
  /// - Throws: `ValidationError` for one that makes no sense, `InputFileError` for a file that cannot be made.
  mutating func set(_ directive: String, _ words: ArraySlice<String>) throws {
    guard words.count <= 1 else { throw ValidationError("'\(directive)' takes one word. '.help' lists the directives") }
    switch (directive, words.first) {
    case (".timer", "on"): timesVerbs = true
    case (".timer", "off"): timesVerbs = false
    case (".timer", _): throw ValidationError("say '.timer on' or '.timer off'")
    case (".limit", nil): limit = nil
    case (".limit", let text?):
      guard let limit = RowLimit(argument: text), limit.isPossible else {
        throw ValidationError("'.limit' takes a number that is not negative, 'all' or nothing, not '\(text)'")
      }
      self.limit = limit
    case (".output", nil):
      try output?.close()
      output = nil
    case (".output", let path?):
      let file = try Output.newFile(path)
      try output?.close()
      output = file
    default:
      throw ValidationError(
        "there is no '\(directive)'.\(Suggestion.sentence(for: directive, in: Self.directives)) '.help' lists the directives"
      )
    }
  }

  /// Returns the arguments that give `query` the limit.
  func limitArguments(besides words: [String]) -> [String] {
    // What follows -- is no option; a count and a plan have no limit.
    let options = words.prefix { $0 != "--" }
    let isLimited = options.contains { $0.hasPrefix("--limit") || $0 == "--count" || $0 == "--explain" }
    guard let limit, !isLimited, options.count == words.count else { return [] }
    return ["--limit", limit.text]
  }

  /// Calls `body`, whose results go where they are to go; it is given the file, for a process of its own.
  func writing(_ body: (FileHandle?) throws -> Void) rethrows {
    guard let output else { return try body(nil) }
    try Terminal.redirected(to: output) { try body(output) }
  }

  func tellTime(since begin: DispatchTime) {
    guard timesVerbs else { return }
    let seconds = Double(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1e9
    Terminal.note(String(format: "%.3f s", seconds))
  }
}
