import ArgumentParser
import LarderExchange
import LarderInspection

struct InfoCommand: ParsableCommand, PagedVerb {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Tells format, versions, sizes and live readers of a store.",
    discussion: """
      At the end of a property's line is how its values are spread, by a sample of 1000 objects: the least, a bar for each eighth of \
      the way to the most, and the most; of texts and data their lengths, of collections their numbers of elements.

      EXAMPLE
        larder info world.larder
        larder info world.larder --json | jq .fileBytes
        larder info world.larder --format markdown
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .store)
  var store: String

  @OptionGroup var forms: FormFlags

  @OptionGroup var screen: ScreenFlags

  func validate() throws {
    guard forms.form != .csv else { throw ValidationError("info prints several tables, which CSV cannot hold") }
  }

  func run() throws {
    let report = try Spinner.show("measuring") { try StoreReport(StoreAccess.open(reading: store)) }
    guard forms.form != .json else { return Terminal.write(try report.json()) }
    Terminal.write(try report.text(as: forms.form, width: Terminal.tableWidth, marks: Terminal.marks))
  }
}
