import ArgumentParser
import Foundation
import LarderExchange
import LarderInspection

struct LoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Makes a store from what `dump` wrote.",
    discussion: """
      The store must be new, or one without classes. All is one transaction: after a fault, or when the process is killed, nothing is there. The file may \
      be packed with gzip. It is read twice, so what comes from a pipe is kept in a temporary file.

      EXAMPLE
        larder load world.jsonl --into copy.larder
        larder load world.jsonl.gz --into copy.larder --json
        larder dump world.larder | larder load /dev/stdin --into copy.larder
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The dump.", completion: .file())
  var file: String

  @Option(help: ArgumentHelp("The store to make.", valueName: "store"), completion: .file())
  var into: String

  @OptionGroup
  var lines: LineFlags

  @OptionGroup
  var write: WriteFlag

  @Flag(help: "Write what was done as JSON.")
  var json = false

  @Flag(name: .shortAndLong, help: "Say nothing when all goes well.")
  var quiet = false

  func run() throws {
    guard FileManager.default.isReadableFile(atPath: file) else {
      throw InputFileError(path: file, message: "there is no such file, or it may not be read")
    }
    try write.require(for: into, to: "load into it")
    try WholeStoreLoad(file: file, into: into, lineLimit: lines.dumpLimit, json: json, quiet: quiet, done: "loaded")
      .run()
  }
}
