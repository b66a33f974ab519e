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

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .file())
  var store: String

  @Flag(help: "Walk every page of the file, too.")
  var deep = false

  @Option(help: "How many problems are listed at most.")
  var limit = 100

  @Flag(help: "Write JSON.")
  var json = false

  @Flag(name: .shortAndLong, help: "Say nothing when the store is sound.")
  var quiet = false

  /// Checks, where the file is a store at all.
  private func verified() throws -> StoreCheck {
    do {
      return try Activity.show("checking") { try StoreCheck(path: store, isDeep: deep, limit: max(1, limit)) }
    } catch let error as StorageError where [.corrupted, .truncated].contains(error.code) {
      // Damage that keeps the store from being opened is what was looked for.
      _ = Failure.tell(error, isJSON: json)
      throw Failure.found
    }
  }

  func run() throws {
    let check = try verified()
    guard !json else {
      Terminal.write(check.json(path: store))
      guard check.problems.isEmpty else { throw Failure.found }
      return
    }
    for problem in check.problems { Terminal.write("\(problem)\n") }
    guard check.problems.isEmpty else {
      let more = check.problems.count >= limit ? " or more" : ""
      Terminal.complain("'\(store)' has \(check.problems.count)\(more) problem\(check.problems.count == 1 ? "" : "s")")
      throw Failure.found
    }
    if !quiet { Terminal.write("\(store): sound; version \(check.version), \(check.objectCount) objects\n") }
  }
}
