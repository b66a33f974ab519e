import ArgumentParser
import LarderInspection

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Verifies every structure of a store.",
    discussion: """
      Reads everything at the newest version: checksums of all leaves, values, lists, indexes, links in both directions, \
      owners of embedded objects, counters and the change log. With --deep every page of the file is walked first. \
      Ends with exit code 1 when something is wrong.

      EXAMPLE
        larder check world.larder --deep
        larder check world.larder --format html > check.html
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .store)
  var store: String

  @Flag(help: "Walk every page of the file, too.")
  var deep = false

  @Option(help: "How many problems are listed at most.")
  var limit = 100

  @OptionGroup var forms: FormFlags

  @Flag(name: .shortAndLong, help: "Say nothing when the store is sound.")
  var quiet = false

  func run() throws {
    let check = try Spinner.show("checking") { try StoreCheck(path: store, isDeep: deep, limit: max(1, limit)) }
    guard forms.form == .table else {
      let isJSON = forms.form == .json
      Terminal.write(
        isJSON ? check.json(path: store) : check.page(path: store, as: forms.form, lineEnd: forms.lineEnd))
      guard check.problems.isEmpty else { throw Failure.found }
      return
    }
    for problem in check.problems { Terminal.write("\(problem)\n") }
    if !quiet { for note in check.notes { Terminal.write("note: \(note)\n") } }
    guard check.problems.isEmpty else {
      let more = check.problems.count >= limit ? " or more" : ""
      Terminal.complain(
        "'\(store)' has \(check.problems.count)\(more) problem\(check.problems.count == 1 ? "" : "s"); "
          + "`larder repair` saves what can be read")
      throw Failure.found
    }
    if !quiet { Terminal.write("\(check.summary(path: store))\n") }
  }
}
