import ArgumentParser
import LarderInspection

/// The objects that are asked for, of which store and in which order: what `query`, `explain` and `watch` have in common.
struct QueryArguments: ParsableArguments {
  @Argument(help: "The store.", completion: .store)
  var store: String

  @Argument(help: "The class whose objects are asked for.", completion: .schemaName)
  var className: String

  @Argument(help: "The predicate; without one, all objects.", completion: .schemaName)
  var predicate: String?

  @Option(
    help: ArgumentHelp(
      "Sort by properties or key paths, with :desc for descending order, separated by commas; may be repeated.",
      valueName: "path[:desc]"), completion: .schemaName)
  var sort: [String] = []

  @Flag(help: "The predicate is a query in RQL, with SORT, DISTINCT, LIMIT and @links.")
  var rql = false

  func validate() throws {
    guard !rql || predicate != nil else { throw ValidationError("--rql needs a query") }
  }

  /// The title of a page of the results.
  var title: String { ([className] + (predicate.map { [$0] } ?? [])).joined(separator: " ") }

  /// The request so far.
  var request: QueryRunner.Request {
    var request = QueryRunner.Request(className: className)
    request.predicate = predicate
    (request.sort, request.isRQL) = (sort.flatMap { PropertyList.split($0) }, rql)
    return request
  }
}
