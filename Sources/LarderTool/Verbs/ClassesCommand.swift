import ArgumentParser
import LarderExchange
import LarderInspection

struct ClassesCommand: ParsableCommand, PagedVerb {
  static let configuration = CommandConfiguration(
    commandName: "classes",
    abstract: "Lists the classes of a store with their properties.",
    discussion: """
      EXAMPLE
        larder classes world.larder
        larder classes world.larder City --json
        larder classes world.larder --format markdown
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .store)
  var store: String

  @Argument(help: "One class only.", completion: .schemaName)
  var className: String?

  @OptionGroup var forms: FormFlags

  @OptionGroup var screen: ScreenFlags

  func run() throws {
    let listing = ClassListing(try StoreAccess.open(reading: store).snapshot())
    switch forms.form {
    case .table: Terminal.write(try listing.text(only: className))
    case .json: Terminal.write(try listing.json(only: className))
    case .vertical, .csv, .markdown, .html:
      Terminal.write(
        try listing.page(
          "Classes of \(store)", as: forms.form, fitting: Terminal.tableWidth, only: className,
          lineEnd: forms.lineEnd))
    }
  }
}
