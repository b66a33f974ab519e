import ArgumentParser
import LarderInspection

struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copies a store to a new file while it is in use.",
    discussion: """
      The copy is of the newest version, without free space, readable by its owner alone, and appears when it is complete and \
      on the disk. Nothing is ever overwritten. Never copy a store that is in use by other means: such a copy is torn.

      EXAMPLE
        larder backup world.larder world-$(date +%F).larder
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .store)
  var store: String

  @Argument(help: "The file to make.", completion: .file())
  var target: String

  @Flag(help: "Write JSON.")
  var json = false

  func run() throws {
    let result = try TemporaryFiles.shared.copying(target) {
      try Spinner.show("copying") { try StoreCopying.copy(store, to: target) }
    }
    Terminal.write(json ? result.json() : "\(result.text())\n")
  }
}
