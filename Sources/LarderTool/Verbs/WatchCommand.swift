import ArgumentParser
import LarderExchange
import LarderInspection

struct WatchCommand: ParsableCommand, ColoredVerb {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Prints what happens to the objects that match a predicate while other programs write.",
    discussion: """
      One line for each change: the version, and how many objects came, went and changed. Then the objects: - those that went, + those \
      that came, ~ those that changed. With --json there are positions, too; in CSV, Markdown and HTML each of them is a row. Ends with Control-C.

      EXAMPLE
        larder watch world.larder City 'population > 1000000' --sort population:desc
        larder watch world.larder City 'population > 1 SORT(name ASC) LIMIT(9)' --rql
        larder watch world.larder City --format csv > changes.csv
      """)

  @OptionGroup var encryption: KeyFlags

  @OptionGroup var question: QueryArguments

  @OptionGroup var forms: FormFlags

  @Option(parsing: .unconditional, help: "End after so many changes.")
  var changes: Int?

  @OptionGroup var colors: ColorFlags

  func validate() throws {
    if let changes, changes < 0 { throw ValidationError("--changes is not negative") }
  }

  func run() throws {
    let watcher = try QueryWatcher(
      try StoreAccess.open(reading: question.store), question.request, as: forms.form, lineEnd: forms.lineEnd)
    let isColored = forms.form == .table
    try watcher.run(changes: changes) { if isColored { Terminal.writeChanges($0) } else { Terminal.write($0) } }
  }
}
