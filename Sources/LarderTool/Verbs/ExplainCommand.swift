import ArgumentParser
import LarderExchange
import LarderInspection

struct ExplainCommand: ParsableCommand, PagedVerb {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Prints how a query is answered, and what each step finds and takes.",
    discussion: """
      Runs the query and prints the plan: the chosen index or the scan, how many objects each step expected and found, leaves \
      read and time. The same as 'larder query --explain'.

      EXAMPLE
        larder explain world.larder City 'country.name == "Japan"' --sort name
        larder explain world.larder City 'name BEGINSWITH "Lis"' --json | jq .steps
        larder explain world.larder City 'population > 5 LIMIT(3)' --rql
        larder explain world.larder City 'population > 5' --format csv
      """)

  @OptionGroup var encryption: KeyFlags

  @OptionGroup var question: QueryArguments

  @Flag(help: "Order by what fits a full-text search best.")
  var byRelevance = false

  @Option(parsing: .unconditional, help: "How many objects are wanted at most.")
  var limit: Int?

  @OptionGroup var forms: FormFlags

  @OptionGroup var screen: ScreenFlags

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit is not negative") }
  }

  func run() throws {
    var request = question.request
    request.byRelevance = byRelevance
    (request.limit, request.format, request.width) = (limit, forms.form, Terminal.tableWidth)
    var runner = try QueryRunner(try StoreAccess.open(reading: question.store).snapshot(), request)
    runner.lineEnd = forms.lineEnd
    Terminal.write(try Spinner.show("querying") { try runner.explanation(titled: "Plan: \(question.title)") })
  }
}
