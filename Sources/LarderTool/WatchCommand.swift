import ArgumentParser
import LarderInspection

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Prints what happens to the objects that match a predicate while other programs write.",
    discussion: """
      One line for each change: the version, and the positions of the objects that went (in the results before), came (in the \
      results now) and changed (in the results before). Then the objects: - #key, + object, ~ object. Ends with Control-C.

      EXAMPLE
        larder watch world.larder City 'population > 1000000' --sort population:desc
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .file())
  var store: String

  @Argument(help: "The class whose objects are watched.")
  var className: String

  @Argument(help: "The predicate; without one, all objects.")
  var predicate: String?

  @Option(
    help: ArgumentHelp(
      "Sort by a property or key path, with :desc for falling order; may be repeated.", valueName: "path[:desc]"))
  var sort: [String] = []

  @Flag(help: "Write JSON, an object a line.")
  var json = false

  @Option(help: "End after so many changes.")
  var changes: Int?

  func validate() throws {
    if let changes, changes < 0 { throw ValidationError("--changes is not negative") }
  }

  func run() throws {
    var request = QueryRunner.Request(className: className)
    request.predicate = predicate
    request.sort = sort
    try QueryWatcher(try StoreAccess.open(reading: store), request, json: json).run(changes: changes) {
      Terminal.write(json ? $0 : Terminal.styledChanges($0))
    }
  }
}
