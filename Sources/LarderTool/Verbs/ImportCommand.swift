import ArgumentParser
import Foundation
import LarderExchange
import LarderInspection
import LarderRealmImport

struct ImportCommand: ParsableCommand, WritingVerb {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Reads a JSON Lines or CSV file, packed with gzip or not, into a class of a store; or a .realm file.",
    discussion: """
      The whole file is one transaction: after a fault the store is as it was. Types come from the mapping, from the \
      store, or else from the values of the file. A store that exists is changed only with --write; a new one is there when \
      all was imported.

      What 'larder export' wrote is a whole store, and makes a new one. So is a .realm file of RealmSwift, formats 10 to 24: it is only \
      read, and all classes come over with their objects, indexes and schema version; what cannot be carried is listed, with exit code 1. \
      There --key-file (or LARDER_KEY) is the key of the .realm file, and --new-key-file (or LARDER_KEY) that of the new store.

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
        larder import old.realm --into app.larder --report left-out.json
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The file to read, a .realm file, or a folder that 'larder export' wrote.", completion: .file())
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

  @OptionGroup
  var form: FormatFlags

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

  @OptionGroup(title: "For .realm files")
  var realmFile: RealmFileFlags

  @Flag(name: .shortAndLong, help: "Say nothing when all goes well.")
  var quiet = false

  @OptionGroup
  var write: WriteFlag

  var writes: Bool { write.isGiven }

  @Flag(help: "Write what was done as JSON.")
  var json = false

  func validate() throws {
    guard mapping == nil || flags.only == nil else {
      throw ValidationError("--only has no meaning beside --mapping: the mapping names the properties")
    }
  }

  /// Reads what `export` wrote: all classes, into a store without any.
  private func importExport() throws {
    guard className == nil, mapping == nil, form.format == nil, !update, !keepGoing, !addProperties else {
      throw ValidationError("'\(file)' holds a whole store: no flags say how to read it")
    }
    try write.require(for: into, to: "import into it")
    try WholeStoreLoad(file: file, into: into, lineLimit: lines.dumpLimit, json: json, quiet: quiet, done: "imported")
      .run()
  }

  /// Reads a `.realm` file: all classes, into a new store.
  private func importRealmFile() throws {
    guard className == nil, mapping == nil, form.format == nil, !update, !keepGoing, !addProperties else {
      throw ValidationError("'\(file)' is a .realm file: no flags say how to read it")
    }
    try RealmFileLoad(
      file: file, into: into, newKeyFile: realmFile.newKeyFile, isRehearsal: realmFile.dryRun,
      reportFile: realmFile.report, json: json, quiet: quiet
    ).run()
  }

  func run() throws {
    guard RealmFileKind(path: file) == nil else { return try importRealmFile() }
    try realmFile.refuse(for: file)
    guard !ObjectSources.isExport(file) else { return try importExport() }
    var options = ImportOptions(path: file)
    options.mapping = try flags.apply(to: try mapping.map { try MappingFile.read($0) } ?? ImportMapping())
    options.className = className ?? options.mapping.className
    options.format = form.format
    options.separator = form.separator?.utf8.first
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
