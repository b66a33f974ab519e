import ArgumentParser
import Foundation
import LarderExchange
import LarderInspection

struct ImportCommand: ParsableCommand, WritingVerb {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Reads a JSON Lines or CSV file, packed with gzip or not, into a class of a store.",
    discussion: """
      The whole file is one transaction: after a fault the store is as it was. Types come from the mapping, from the \
      store, or else from the values of the file. A store that exists is changed only with --write; a new one is there when \
      all was imported.

      What 'larder export' wrote is a whole store, and makes a new one.

      A mapping is a JSON file:
        {"class": "City", "null": ["NA"], "properties": {
          "id":       {"from": "geonameid", "type": "int", "primaryKey": true},
          "name":     {"type": "string", "indexed": true},
          "elevation": "int?",
          "country":  {"from": "countrycode", "link": "Country", "by": "iso"},
          "location": {"embed": "Location",
                       "properties": {"latitude": "double", "longitude": "double"}},
          "names":    {"from": "alternatenames", "type": "string", "list": true},
          "tags":     {"type": "string", "split": ";"}}}

      EXAMPLE
        larder import lands.jsonl --into world.larder --class Land --primary-key iso
        larder import towns.jsonl.gz --into world.larder --mapping towns.json --write
        larder import world.sqlite --into copy.larder
        larder import fly.csv --into fly.larder --write --class Leg --link via=Airport
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The file to read, or a folder that 'larder export' wrote.", completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("The store; it is made when there is none.", valueName: "store"), completion: .file())
  var into: String

  @Option(name: .customLong("class"), help: "The class to import into.")
  var className: String?

  @Option(
    help: ArgumentHelp("A mapping file that says how fields become properties.", valueName: "file"),
    completion: .file())
  var mapping: String?

  @Option(help: "jsonl, csv or tsv; by default the file's name tells.")
  var format: InputFormat?

  @Option(help: "The character between CSV fields.")
  var separator: String?

  @OptionGroup
  var lines: LineFlags

  @OptionGroup(title: "Mapping by flags")
  var flags: MappingFlags

  @Flag(help: "Leave out lines with faults and report them, instead of ending at the first.")
  var keepGoing = false

  @Flag(
    help: "Overwrite objects whose primary key is in the store; required properties without a field keep their values.")
  var update = false

  @Flag(help: "Let fields that an existing class does not know become new properties.")
  var addProperties = false

  @Flag(name: .shortAndLong, help: "Say nothing when all goes well.")
  var quiet = false

  @OptionGroup
  var write: WriteFlag

  var writes: Bool { write.isGiven }

  @Flag(help: "Write what was done as JSON.")
  var json = false

  func validate() throws {
    if let separator, separator.utf8.count != 1 {
      throw ValidationError("--separator takes one ASCII character, not '\(separator)'")
    }
    guard mapping == nil || flags.only == nil else {
      throw ValidationError("--only has no meaning beside --mapping: the mapping names the properties")
    }
  }

  /// Reads what `export` wrote: all classes, into a store without any.
  private func importExport() throws {
    guard className == nil, mapping == nil, format == nil, !update, !keepGoing, !addProperties else {
      throw ValidationError("'\(file)' holds a whole store: no flags say how to read it")
    }
    try write.require(for: into, to: "import into it")
    try WholeStoreLoad(file: file, into: into, lineLimit: lines.dumpLimit, json: json, quiet: quiet, done: "imported")
      .run()
  }

  func run() throws {
    guard !ObjectSources.isExport(file) else { return try importExport() }
    var options = ImportOptions(path: file)
    options.mapping = try flags.apply(to: try mapping.map { try MappingFile.read($0) } ?? ImportMapping())
    options.className = className ?? options.mapping.className
    options.format = format
    options.separator = separator?.utf8.first
    options.lineLimit = lines.limit
    options.keepsGoing = keepGoing
    options.updates = update
    options.addsProperties = addProperties
    guard options.className != nil else {
      throw ValidationError("the class to import into is missing: say --class, or \"class\" in the mapping")
    }
    guard FileManager.default.isReadableFile(atPath: file) else {
      throw InputFileError(path: file, message: "there is no such file, or it may not be read")
    }
    try write.require(for: into, to: "import into it")
    let begin = DispatchTime.now()
    let bar = ProgressBar()
    defer { bar.end() }
    let report = try TemporaryFiles.shared.makingStore(into) { store in
      try Importer(store: store, options: options, progress: bar.show).run()
    }
    bar.end()
    let seconds = Double(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1e9
    try tell(report, seconds)
  }

  private func tell(_ report: ImportReport, _ seconds: Double) throws {
    if !json, !quiet { for notice in report.notices { Terminal.note("larder: \(notice)") } }
    if json {
      Terminal.write(report.json)
    } else if !quiet {
      var line = "\(report.className): \(report.imported) imported"
      if report.updated > 0 { line += ", \(report.updated) updated" }
      Terminal.write("\(line) in \(String(format: "%.2f", seconds)) s; version \(report.version)\n")
    }
    guard !report.skipped.isEmpty else { return }
    guard !json else { throw Failure.found }
    for fault in report.skipped { Terminal.note("larder: skipped: \(fault)") }
    Terminal.complain("\(report.skipped.count) line\(report.skipped.count == 1 ? "" : "s") left out")
    throw Failure.found
  }
}

extension InputFormat: ExpressibleByArgument {}
