import ArgumentParser
import LarderInspection
import LarderQuery

/// What objects are grouped by, and what is worked out over each group.
struct GroupFlags: ParsableArguments {
  @Option(
    name: .customLong("group-by"),
    help: ArgumentHelp(
      "Print groups of objects with equal values instead of objects: key paths, separated by commas.",
      valueName: "paths"))
  var groupBy: String?

  @Option(help: ArgumentHelp("With --group-by: add up a property; may be repeated.", valueName: "property"))
  var sum: [String] = []

  @Option(help: ArgumentHelp("With --group-by: the smallest value of a property.", valueName: "property"))
  var min: [String] = []

  @Option(help: ArgumentHelp("With --group-by: the largest value of a property.", valueName: "property"))
  var max: [String] = []

  @Option(help: ArgumentHelp("With --group-by: the average of a property.", valueName: "property"))
  var average: [String] = []

  func validate() throws {
    guard groupBy != nil || aggregates.isEmpty else {
      throw ValidationError("--sum, --min, --max and --average need --group-by")
    }
  }

  /// The key paths of the groups; none without `--group-by`.
  var paths: [String] { groupBy.map { $0.split(separator: ",").map(String.init) } ?? [] }

  /// The aggregates that were asked for, besides the number of objects.
  var aggregates: [GroupedReport.Aggregate] {
    sum.map { .of(.sum, $0) } + min.map { .of(.min, $0) } + max.map { .of(.max, $0) }
      + average.map { .of(.average, $0) }
  }
}
