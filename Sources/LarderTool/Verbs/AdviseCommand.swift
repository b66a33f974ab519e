import ArgumentParser
import Foundation
import LarderExchange
import LarderInspection

struct AdviseCommand: ParsableCommand, PagedVerb {
  static let configuration = CommandConfiguration(
    commandName: "advise",
    abstract: "Says which indexes would have helped a query, or a file of queries.",
    discussion: """
      Counts what each index would lead to, with a scan for each; nothing is changed. Declare an index with \
      @Persisted(indexed: true), or over several properties on the class. Classes of fewer than 100 objects need none: a scan \
      of them is as fast.

      A file has a class and a predicate on each line; lines that begin with # are skipped. SORT, DISTINCT and LIMIT may follow \
      a predicate as in RQL.

      EXAMPLE
        larder advise world.larder City 'timezone == "Asia/Tokyo"'
        larder advise world.larder --queries slow.txt
        larder advise world.larder City 'timezone == "x"' --format markdown
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .store)
  var store: String

  @Argument(help: "The class whose objects are asked for.", completion: .schemaName)
  var className: String?

  @Argument(help: "The predicate; without one, all objects.", completion: .schemaName)
  var predicate: String?

  @Option(
    help: ArgumentHelp(
      "Sort by a property, with :desc for descending order; may be repeated.", valueName: "path[:desc]"))
  var sort: [String] = []

  @Option(parsing: .unconditional, help: "How many of the first objects are wanted.")
  var limit: Int?

  @Option(help: ArgumentHelp("A file of queries.", valueName: "file"), completion: .file())
  var queries: String?

  @OptionGroup var forms: FormFlags

  @OptionGroup var screen: ScreenFlags

  func validate() throws {
    guard className != nil || queries != nil else { throw ValidationError("name a class, or a file with --queries") }
    if let limit, limit < 0 { throw ValidationError("--limit is not negative") }
  }

  func run() throws {
    try Spinner.show("counting") { try advise() }
  }

  private func advise() throws {
    var advisor = QueryAdvisor(try StoreAccess.open(reading: store).snapshot())
    if let className {
      var request = QueryRunner.Request(className: className)
      request.predicate = predicate
      request.sort = sort
      request.limit = limit
      try advisor.add(request)
    }
    if let queries {
      guard let lines = try? String(contentsOfFile: queries, encoding: .utf8) else {
        throw InputFileError(path: queries, message: "this is no text file that can be read")
      }
      try advisor.add(lines: lines, file: queries)
    }
    switch forms.form {
    case .table: Terminal.write(try advisor.report())
    case .json: Terminal.write(try advisor.json())
    case .vertical, .csv, .markdown, .html:
      Terminal.write(try advisor.page(as: forms.form, fitting: Terminal.tableWidth, lineEnd: forms.lineEnd))
    }
  }
}
