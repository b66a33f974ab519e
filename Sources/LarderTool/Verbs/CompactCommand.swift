import ArgumentParser
import LarderInspection

struct CompactCommand: ParsableCommand, WritingVerb {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Writes a store without free space.",
    discussion: """
      In its place, with --write, when it is open nowhere else; then a power cut leaves the old file or the new one. With --into to a new file, \
      while it is in use. Both need as much room on the disk as the store has data.

      EXAMPLE
        larder compact world.larder --write
        larder compact world.larder --into small.larder
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .store)
  var store: String

  @Option(help: "A new file, instead of the store's own place.", completion: .file())
  var into: String?

  @OptionGroup
  var write: WriteFlag

  var writes: Bool { write.isGiven }

  @Flag(help: "Write JSON.")
  var json = false

  func run() throws {
    let target = into
    guard target != nil || write.isGiven else {
      let room = try StoreCopying.room(of: store)
      Terminal.write(json ? room.json() : "\(room.text())\n\(WriteFlag.hint)\n")
      return
    }
    let result = try TemporaryFiles.shared.copying(target ?? store) {
      try Spinner.show("compacting") {
        try target.map { try StoreCopying.copy(store, to: $0) } ?? StoreCopying.compact(store)
      }
    }
    Terminal.write(json ? result.json() : "\(result.text())\n")
  }
}
