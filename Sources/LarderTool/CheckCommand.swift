import ArgumentParser
import LarderInspection
import LarderStorage

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
      """)

  @Argument(help: "The store.", completion: .file())
  var store: String

  @Flag(help: "Walk every page of the file, too.")
  var deep = false

  @Option(help: "How many problems are listed at most.")
  var limit = 100

  @Flag(name: .shortAndLong, help: "Say nothing when the store is sound.")
  var quiet = false

  func run() throws {
    let check = try StoreCheck(path: store, isDeep: deep, limit: max(1, limit))
    for problem in check.problems { Terminal.write("\(problem)\n") }
    guard check.problems.isEmpty else {
      let more = check.problems.count >= limit ? " or more" : ""
      Terminal.complain("'\(store)' has \(check.problems.count)\(more) problem\(check.problems.count == 1 ? "" : "s")")
      throw Failure.failed
    }
    if !quiet { Terminal.write("\(store): sound; version \(check.version), \(check.objectCount) objects\n") }
  }
}
