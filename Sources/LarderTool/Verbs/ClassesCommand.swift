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
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .file())
  var store: String

  @Argument(help: "One class only.")
  var className: String?

  @Flag(help: "Write JSON.")
  var json = false

  @OptionGroup var screen: ScreenFlags

  func run() throws {
    let listing = ClassListing(try StoreAccess.open(reading: store).snapshot())
    Terminal.write(json ? try listing.json(only: className) : try listing.text(only: className))
  }
}
