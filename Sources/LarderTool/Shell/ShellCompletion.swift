import LarderExchange
import LarderInspection
import LarderStorage

/// The words that a person may type at a place in a shell.
struct ShellCompletion {
  private let schema: StoreSchema

  init(_ schema: StoreSchema) { self.schema = schema }

  /// The words that continue one: verbs first, then classes, then the properties of the class, also over links; options anywhere.
  ///
  /// - Parameters:
  ///   - line: What stands before the word.
  ///   - word: What was typed of it.
  func candidates(line: String, word: String) -> [String] {
    // The editor shows them as they are.
    all(line: line, word: word).filter { VisibleText.line($0) == $0 }
  }

  private func all(line: String, word: String) -> [String] {
    let before = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let verb = before.first else {
      return (ShellSession.verbs + ShellSettings.directives + ["help", "exit"]).filter { $0.hasPrefix(word) }.sorted()
    }
    if word.hasPrefix("-") { return Self.options(of: verb).filter { $0.hasPrefix(word) }.sorted() }
    if verb == "help" || verb == ".help" { return ShellSession.verbs.filter { $0.hasPrefix(word) }.sorted() }
    return SchemaNames(schema: schema).candidates(after: before.dropFirst(), word: word)
  }

  /// True if a continuation completes the word: a property may be followed by `.`, `:desc` or `=`.
  func isWhole(line: String, word: String) -> Bool {
    let before = line.split(whereSeparator: \.isWhitespace).map(String.init)
    return word.hasPrefix("-") || before.first?.hasSuffix("help") == true
      || !before.dropFirst().contains { schema[$0] != nil }
  }

  private static func options(of verb: String) -> [String] {
    let page = try? ManPage(dump: RootCommand.type._dumpHelp())
    return page?.options.first { $0.verb == verb }?.names.filter { $0.hasPrefix("--") } ?? []
  }
}
