import ArgumentParser
import LarderExchange
import LarderInspection

struct DuCommand: ParsableCommand, PagedVerb {
  static let configuration = CommandConfiguration(
    commandName: "du",
    abstract: "Shows what takes how much of a store, the largest first.",
    discussion: """
      Bytes by class, property and, with --depth 3 and in JSON, by what a property is made of: values, large values, elements of \
      collections, index and backlinks. Bars show the share of the whole file. After texts, data and \
      collections is how their sizes are spread, by a sample of 1000 objects: the least, bars, and the most.

      EXAMPLE
        larder du world.larder
        larder du world.larder --depth 1
        larder du world.larder --treemap
        larder du world.larder --json | jq '.parts[0]'
        larder du world.larder --format csv > space.csv
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .store)
  var store: String

  @Option(
    parsing: .unconditional, help: "How many levels are shown: 1 classes, 2 properties, 3 what properties are made of.")
  var depth = 2

  @Flag(help: "Draw boxes as large as the bytes that parts take.")
  var treemap = false

  @OptionGroup var forms: FormFlags

  @OptionGroup var screen: ScreenFlags

  func validate() throws {
    guard !treemap || forms.form == .table else {
      throw ValidationError("choose one of --treemap and --\(forms.form == .json ? "json" : "format")")
    }
    guard 1...3 ~= depth else { throw ValidationError("--depth must be between 1 and 3") }
  }

  func run() throws {
    let report = try Spinner.show("measuring") { try SpaceReport(StoreAccess.open(reading: store)) }
    guard !treemap else {
      let (width, height) = Terminal.size
      return Terminal.write(Treemap(report.root, width: width, height: height, depth: depth).text)
    }
    switch forms.form {
    case .table: Terminal.write(report.text(depth: depth, marks: Terminal.marks))
    case .json: Terminal.write(report.json())
    case .vertical, .csv, .markdown, .html:
      Terminal.write(
        report.page(
          depth: depth, as: forms.form, fitting: Terminal.tableWidth, marks: Terminal.marks, lineEnd: forms.lineEnd))
    }
  }
}
