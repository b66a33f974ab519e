import ArgumentParser
import LarderInspection

struct RekeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rekey",
    abstract: "Encrypts or decrypts a store, or gives it another key.",
    discussion: """
      In its place, when no one has it open: a power cut leaves the old file or the new one. The store stays the same one, with the keys of its \
      objects, its versions, its log and its consumers. Needs as much room on the disk as the store has data. The old file's blocks on the \
      disk and earlier backups are not wiped.

      --key-file, or LARDER_KEY, is the key that the store has; a plain one needs none.

      EXAMPLE
        (umask 077; head -c 64 /dev/urandom > new.key)
        larder rekey world.larder --new-key-file new.key --write
        larder rekey world.larder --key-file new.key --new-key-file newer.key --write
        larder rekey world.larder --key-file newer.key --decrypt --write
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .store)
  var store: String

  @Option(
    help: ArgumentHelp("The key that the store gets: 64 bytes, or 128 hexadecimal digits.", valueName: "file"),
    completion: .file())
  var newKeyFile: String?

  @Flag(help: "Make the store plain.")
  var decrypt = false

  @OptionGroup
  var write: WriteFlag

  @Flag(help: "Write JSON.")
  var json = false

  func validate() throws {
    guard (newKeyFile != nil) != decrypt else { throw ValidationError("say --new-key-file or --decrypt") }
  }

  func run() throws {
    let rekeying = try StoreRekeying(store, newKey: newKeyFile.map { .file($0) })
    guard write.isGiven else {
      let plan = rekeying.plan
      Terminal.write(json ? plan.json() : "\(plan.text())\n\(WriteFlag.hint)\n")
      return
    }
    let result = try TemporaryFiles.shared.copying(store) { try Spinner.show("writing") { try rekeying.run() } }
    Terminal.write(json ? result.json() : "\(result.text())\n")
  }
}
