import ArgumentParser
import LarderInspection

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compares two stores object by object.",
    discussion: """
      Prints what was inserted (+), deleted (-) and modified (~) on the way from the first store to the second, with old \
      and new values. Objects are matched by primary key, or by object key in classes without one. Ends with exit code 1 \
      when the stores differ.

      EXAMPLE
        larder diff monday.larder tuesday.larder
        larder diff monday.larder tuesday.larder City --summary
        larder diff monday.larder tuesday.larder --json | jq -c 'select(.change == "deleted")'
      """)

  @Argument(help: "The store as it was.", completion: .file())
  var old: String

  @Argument(help: "The store as it is.", completion: .file())
  var new: String

  @Argument(help: "A class; without one, all.")
  var className: String?

  @Flag(help: "Only count what differs, by class.")
  var summary = false

  @Flag(help: "Write JSON, an object a line.")
  var json = false

  func run() throws {
    let difference = StoreDifference(
      from: try StoreAccess.open(reading: old).snapshot(), to: try StoreAccess.open(reading: new).snapshot())
    var output = Output()
    var differs = false
    for name in className.map({ [$0] }) ?? difference.classNames {
      var counts: [StoreDifference.Change.Kind: Int] = [:]
      try difference.run(className: name) { change in
        differs = true
        counts[change.kind, default: 0] += 1
        if !summary {
          output.write(json ? DifferenceText.json(change) : Terminal.styledChanges(DifferenceText.text(change)))
        }
      }
      if summary { output.write(DifferenceText.summary(name, counts, json: json)) }
    }
    try output.finish()
    if differs { throw Failure.found }
  }
}
