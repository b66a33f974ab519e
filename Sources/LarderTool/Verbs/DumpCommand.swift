import ArgumentParser
import Foundation
import LarderExchange
import LarderInspection

struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Writes a whole store as JSON Lines, from which `load` makes the same store again.",
    discussion: """
      The first line holds the schema, then comes a line for each object. Every value keeps every bit. Objects are named \
      by their place in their class, so that two stores with the same contents have the same dump. The store may be in \
      use meanwhile: all is of one version.

      EXAMPLE
        larder dump world.larder > world.jsonl
        larder dump world.larder --out world.jsonl
        larder dump world.larder | gzip > world.jsonl.gz
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .store)
  var store: String

  @Option(
    help: ArgumentHelp("The file to write, which must not exist; without it, standard output.", valueName: "file"),
    completion: .file())
  var out: String?

  @Flag(help: "With --out, tell what was written as JSON; errors are JSON, too. A dump is always JSON Lines.")
  var json = false

  @Flag(name: .shortAndLong, help: "Say nothing when all goes well.")
  var quiet = false

  func run() throws {
    let snapshot = try StoreAccess.open(reading: store).snapshot()
    let total = try StoreAccess.objectCount(in: snapshot)
    var dump = DumpWriter(snapshot)
    let bar = ProgressBar()
    defer { bar.end() }
    func write() throws {
      var output = try out.map { try Output(creating: $0) } ?? Output(.json)
      var lines = 0
      try dump.run {
        output.write($0)
        lines += 1
        // The first line is the schema.
        bar.show("dumping", lines - 1, of: total)
      }
      try output.finish()
    }
    if let out { try TemporaryFiles.shared.making(out, write) } else { try write() }
    bar.end()
    if dump.danglingLinks > 0 {
      Terminal.note("larder: \(dump.danglingLinks) links to deleted objects were left out")
    }
    if let out, json {
      let value: JSONValue = [
        "file": .init(out), "objects": .init(dump.objects), "danglingLinks": .init(dump.danglingLinks),
      ]
      Terminal.write(value.line)
    } else if !quiet, out != nil {
      Terminal.note("\(dump.objects) objects")
    }
  }
}
