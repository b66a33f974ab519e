import ArgumentParser
import Foundation
import LarderExchange
import LarderInspection
import LarderRealmImport

struct ImportCommand: ParsableCommand, WritingVerb {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Reads JSON or CSV, packed with gzip or not, into a class of a store; or all of a SQLite or .realm file.",
    discussion: """
      The whole file is one transaction: after a fault the store is as it was. Types come from the mapping, from the \
      store, or else from the values of the file. A store that exists is changed only with --write; a new one is there when \
      all was imported.

      What 'larder export' wrote is a whole store, and makes a new one. Of another SQLite file each table becomes a class, and each \
      foreign key a link. A file named - is standard input.

      A .realm file of RealmSwift, formats 10 to 24, is a whole store, too: it is only read, and all classes come over with their \
      objects, indexes and schema version; what cannot be carried is listed, with exit code 1; asymmetric classes are left out. Its \
      key is given as that of an encrypted store is. The new store is encrypted with the same key, or with that of \
      --new-key-file (or LARDER_KEY); --plain makes a plain one.

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
        larder import shop.db --into shop.larder --join basket_product=basket.products
        larder import fly.csv --into fly.larder --write --class Leg --link via=Airport
        larder import old.realm --into app.larder --report left-out.json
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(
    help: "The file to read, - for standard input, a .realm file, or a folder that 'larder export' wrote.",
    completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("The store; it is made when there is none.", valueName: "store"), completion: .store)
  var into: String

  @Option(name: .customLong("class"), help: "The class to import into.")
  var className: String?

  @Option(
    help: ArgumentHelp("A mapping file that says how fields become properties.", valueName: "file"),
    completion: .file())
  var mapping: String?

  @OptionGroup(title: "The file's text")
  var text: TextFlags

  @OptionGroup
  var lines: LineFlags

  @OptionGroup(title: "Mapping by flags")
  var flags: MappingFlags

  @OptionGroup(title: "SQLite files")
  var tables: SQLiteFlags

  @OptionGroup
  var trial: TrialFlags

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
    guard className == nil, mapping == nil, text.format == nil, !trial.update, !trial.keepGoing, !trial.addProperties
    else {
      throw ValidationError("'\(file)' holds a whole store: no flags say how to read it")
    }
    try requireWrite()
    var load = WholeStoreLoad(
      file: file, into: into, lineLimit: lines.dumpLimit, json: json, quiet: quiet, done: "imported")
    load.isTrial = trial.dryRun
    try load.run()
  }

  /// Reads the tables of a SQLite file that another program wrote.
  private func importTables() throws {
    guard className == nil, mapping == nil, text.format == nil, !trial.update, !trial.addProperties else {
      throw ValidationError(
        "'\(file)' is a SQLite file: each table becomes a class; --only-tables, --rename and --type say how")
    }
    var options = try tables.options(file, flags)
    options.keepsGoing = trial.keepGoing
    options.isTrial = trial.dryRun
    try requireWrite()
    try TablesImport(options: options, into: into, json: json, quiet: quiet).run()
  }

  private func requireWrite() throws {
    if !trial.dryRun { try write.require(for: into, to: "import into it") }
  }

  /// Reads a `.realm` file: all classes, into a new store.
  private func importRealmFile() throws {
    guard className == nil, mapping == nil, text.format == nil, !trial.update, !trial.keepGoing, !trial.addProperties
    else {
      throw ValidationError("'\(file)' is a .realm file: no flags say how to read it")
    }
    try RealmFileLoad(
      file: file, into: into, newKeyFile: realmFile.newKeyFile, isPlain: realmFile.plain, isRehearsal: trial.dryRun,
      reportFile: realmFile.report, json: json, quiet: quiet
    ).run()
  }

  func run() throws {
    guard RealmFileKind(path: file) == nil else { return try importRealmFile() }
    try realmFile.refuse(for: file)
    if try SQLiteImporter.isTables(file, goesByName: text.format == nil) { return try importTables() }
    guard !tables.isGiven else {
      throw ValidationError("--only-tables, --join and --date are for SQLite files, and '\(file)' is none")
    }
    guard !ObjectSources.isExport(file) else { return try importExport() }
    var options = ImportOptions(path: file == "-" ? "/dev/stdin" : file)
    options.mapping = try flags.apply(to: try mapping.map { try MappingFile.read($0) } ?? ImportMapping())
    options.className = className ?? options.mapping.className
    try text.apply(to: &options.mapping.forms)
    options.format = text.format
    options.reading = text.reading
    options.lineLimit = lines.limit
    options.keepsGoing = trial.keepGoing
    options.updates = trial.update
    options.addsProperties = trial.addProperties
    options.isTrial = trial.dryRun
    guard options.className != nil else {
      throw ValidationError("the class to import into is missing: say --class, or \"class\" in the mapping")
    }
    guard FileManager.default.isReadableFile(atPath: options.path) else {
      throw InputFileError(path: file, message: "there is no such file, or it may not be read")
    }
    try requireWrite()
    let begin = DispatchTime.now()
    let bar = ProgressBar()
    defer { bar.end() }
    let report = try ImportTarget(path: into, isTrial: trial.dryRun).open { store in
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
    } else if trial.dryRun, !quiet {
      Terminal.write(
        "\(report.className): \(report.imported) would be imported, \(report.updated) updated; nothing was kept\n")
      for property in report.properties { Terminal.write("  \(property)\n") }
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
