import ArgumentParser
import LarderExchange
import LarderInspection
import LarderQuery

struct QueryCommand: ParsableCommand, PagedVerb {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Prints the objects of a class that match a predicate.",
    discussion: """
      The predicate is written as in Realm: comparisons, BEGINSWITH, CONTAINS, ENDSWITH, LIKE, IN, BETWEEN, TEXT, ANY, AND, \
      OR, NOT, and key paths over links. Dates are written in ISO 8601, data in base64, both in quotes as text is.

      EXAMPLE
        larder query world.larder City 'country.name == "Japan"' --sort name:desc
        larder query world.larder City 'ANY alternateNames CONTAINS "東京"' --limit 5
        larder query notes.larder Note 'body TEXT "swift -java"' --by-relevance
        larder query fly.larder Flight 'hour > "2013-01-31T22:00:00Z"' --count
        larder query world.larder City --group-by timezone --count --sort count:desc
        larder query fly.larder Flight --group-by 'hour(hour) AS hour' --count
        larder query world.larder City --median population --distinct timezone
        larder query world.larder City 'population > 5000000 LIMIT(3)' --rql
        larder query world.larder City 'population > 10000000' --sort name --explain
        larder query world.larder City 'name == "Lisbon"' --vertical
        larder query world.larder City 'population > 5000000' --format html > big.html
      """)

  @OptionGroup var encryption: KeyFlags

  @OptionGroup var question: QueryArguments

  @Flag(help: "Print what fits a full-text search best first.")
  var byRelevance = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many objects are printed at most, or 'all', as without it; on a terminal \(RowLimit.onTerminal) without it.",
      valueName: "number"))
  var limit: RowLimit?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many objects or groups are left out before the first.", valueName: "number"))
  var offset = 0

  @OptionGroup var forms: FormFlags

  @Option(
    help: ArgumentHelp(
      "Properties to print, also over links, as 'list.@count' and computed as 'distance / airTime AS speed', separated by commas.",
      valueName: "names"), completion: .schemaName)
  var properties: String?

  @Option(parsing: .unconditional, help: "How many links away objects are written out in JSON.")
  var depth = 0

  @OptionGroup var groups: GroupFlags

  @OptionGroup var joining: JoinFlags

  @Flag(help: "Print only how many objects match; with --group-by, how many of each group.")
  var count = false

  @Flag(help: "Print how the query is answered, and what each step finds and takes, instead of the objects.")
  var explain = false

  @OptionGroup var screen: ScreenFlags

  func validate() throws {
    if let limit, !limit.isPossible { throw ValidationError("--limit is not negative") }
    if let properties, PropertyList.split(properties).isEmpty {
      throw ValidationError("--properties names at least one property")
    }
    guard offset >= 0 else { throw ValidationError("--offset is not negative") }
    if groups.groupBy != nil || !groups.aggregates.isEmpty, byRelevance || properties != nil {
      throw ValidationError("groups do not go with --by-relevance and --properties")
    }
    guard 0...100 ~= depth else { throw ValidationError("--depth must be between 0 and 100") }
  }

  func run() throws {
    var request = question.request
    request.byRelevance = byRelevance
    (request.offset, request.join) = (offset, joining.request)
    request.width = Terminal.tableWidth
    request.limit = rowLimit
    request.format = forms.form
    request.properties = properties.map { PropertyList.split($0) }
    request.depth = depth
    request.groupBy = groups.paths
    request.aggregates = (count ? [.aggregate(.count, "")] : []) + groups.aggregates
    request.having = groups.having
    try Spinner.show("querying") {
      var runner = try QueryRunner(StoreAccess.open(reading: question.store).snapshot(), request)
      runner.lineEnd = forms.lineEnd
      try answer(runner)
    }
  }

  /// The limit of results. There may be more than a terminal is for; plans and counts are of everything.
  private var rowLimit: Int? {
    switch limit {
    case .count(let count): count
    case .all: nil
    case nil: Terminal.outputIsTerminal && !count && !explain ? RowLimit.onTerminal : nil
    }
  }

  private func answer(_ runner: QueryRunner) throws {
    let json = forms.json
    if explain {
      Terminal.write(try runner.explanation(titled: "Plan: \(question.title)"))
      return
    }
    if runner.request.isGrouped {
      let report = try GroupedReport(runner)
      var output = begun()
      let printed = try report.write { output.write($0) }
      try finish(&output, runner, printed, of: report.count, "group")
      return
    }
    if count {
      let count = try runner.count()
      Terminal.write(json ? (["count": .init(count)] as JSONValue).line : "\(count)\n")
      return
    }
    if runner.request.join != nil {
      let report = try PairReport(runner)
      var output = begun()
      let printed = try report.write { output.write($0) }
      try finish(&output, runner, printed, of: report.count, "pair")
      return
    }
    var output = begun()
    let printed = try runner.run({ output.write($0) }, { output.write(bytes: $0) })
    let isCut = runner.request.limit.map { printed >= $0 } ?? false
    try finish(&output, runner, printed, of: isCut || offset > 0 ? try runner.count() : printed, "object")
  }

  /// Standard output, with what comes before a table.
  private func begun() -> Output {
    var output = Output()
    if forms.form == .html { output.write(HTMLText.head(question.title)) }
    return output
  }

  /// Ends the results by how many they were, in a table; a limit that no one asked for is reported in any format.
  private func finish(
    _ output: inout Output, _ runner: QueryRunner, _ printed: Int, of total: Int, _ what: String
  ) throws {
    let number = total > printed ? "\(printed) of \(total) \(what)s" : "\(printed) \(what)\(printed == 1 ? "" : "s")"
    let hint = limit == nil && total > printed ? "; --limit all prints all" : ""
    let form = runner.request.format
    switch form {
    case .table, .vertical: output.write("\(number)\(hint)\n")
    case .markdown: output.write("\n\(number)\(hint)\n")
    case .html: output.write("<p>\(number)\(hint)</p>\n\(HTMLText.foot)")
    case .json, .csv: break
    }
    try output.finish()
    if !form.isForPeople, !hint.isEmpty {
      Pager.shared.end()
      Terminal.note("larder: \(number)\(hint)")
    }
  }
}

/// The number of results that are printed.
enum RowLimit: ExpressibleByArgument, Equatable {
  case count(Int)
  case all

  /// On a terminal, where nothing is said.
  static let onTerminal = 1000

  /// True if there can be so many.
  var isPossible: Bool { if case .count(let count) = self { count >= 0 } else { true } }

  /// The limit as an argument.
  var text: String { if case .count(let count) = self { String(count) } else { "all" } }

  init?(argument: String) {
    if argument == "all" {
      self = .all
    } else if let count = Int(argument) {
      self = .count(count)
    } else {
      return nil
    }
  }
}
