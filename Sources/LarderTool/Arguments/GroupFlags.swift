import ArgumentParser
import LarderInspection
import LarderQuery

/// The keys of groups, the aggregates over each group or over all objects, and the condition on the groups that are printed.
struct GroupFlags: ParsableArguments {
  @Option(
    name: .customLong("group-by"),
    help: ArgumentHelp(
      "Print groups of objects with equal values instead of objects: key paths, or what is computed as in 'hour(date) AS hour', separated by commas.",
      valueName: "values"))
  var groupBy: String?

  @Option(
    help: ArgumentHelp(
      "Add up a property, or what is computed as in 'price * count AS total', of each group or of all; may be repeated.",
      valueName: "property"))
  var sum: [String] = []

  @Option(help: ArgumentHelp("The smallest value of a property.", valueName: "property"))
  var min: [String] = []

  @Option(help: ArgumentHelp("The largest value of a property.", valueName: "property"))
  var max: [String] = []

  @Option(help: ArgumentHelp("The average of a property.", valueName: "property"))
  var average: [String] = []

  @Option(help: ArgumentHelp("The value in the middle of a property's.", valueName: "property"))
  var median: [String] = []

  @Option(
    help: ArgumentHelp(
      "The value that so many of a hundred are not above, as in delay:90.", valueName: "property:number"))
  var percentile: [String] = []

  @Option(help: ArgumentHelp("How many different values a property has, nil aside.", valueName: "property"))
  var distinct: [String] = []

  @Option(
    help: ArgumentHelp(
      "Print the groups for which a condition holds, as in 'count > 100 AND average(delay) > 5'.",
      valueName: "condition"))
  var having: String?

  func validate() throws {
    guard groupBy != nil || having == nil else { throw ValidationError("--having needs --group-by") }
    if groupBy != nil, paths.isEmpty { throw ValidationError("--group-by names at least one value") }
    _ = try percentiles
  }

  /// The key paths to group by; empty without `--group-by`.
  var paths: [String] { groupBy.map { PropertyList.split($0) } ?? [] }

  /// The aggregates that were asked for, besides the number of objects.
  var aggregates: [GroupTerm] {
    func terms(_ operation: GroupOperation, _ paths: [String]) -> [GroupTerm] {
      paths.map { .aggregate(operation, $0) }
    }
    return terms(.sum, sum) + terms(.min, min) + terms(.max, max) + terms(.average, average) + terms(.median, median)
      + ((try? percentiles) ?? []) + terms(.distinct, distinct)
  }

  private var percentiles: [GroupTerm] {
    get throws {
      try percentile.map { text in
        let (path, title) = PropertyList.named(text)
        guard let colon = path.lastIndex(of: ":"), let rank = Double(path[path.index(after: colon)...]),
          0...100 ~= rank
        else { throw ValidationError("--percentile takes a property and a number from 0 to 100, as in delay:90") }
        return .aggregate(.percentile(rank), path[..<colon] + (title == path ? "" : " AS \(title)"))
      }
    }
  }
}
