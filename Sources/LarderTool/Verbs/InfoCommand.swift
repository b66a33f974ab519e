import ArgumentParser
import LarderExchange
import LarderInspection

struct InfoCommand: ParsableCommand, PagedVerb {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Tells format, versions, sizes and live readers of a store.",
    discussion: """
      EXAMPLE
        larder info world.larder
        larder info world.larder --json | jq .fileBytes
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .file())
  var store: String

  @Flag(help: "Write JSON, with sizes in bytes.")
  var json = false

  func run() throws {
    let report = try Spinner.show("measuring") { try StoreReport(StoreAccess.open(reading: store)) }
    Terminal.write(
      json ? try report.json() : try report.text(width: Terminal.outputIsTerminal ? Terminal.size.width : nil))
  }
}
