import ArgumentParser
import LarderInspection
import LarderStorage

struct MigrateCommand: ParsableCommand, WritingVerb {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Brings a store to the schema of a file.",
    discussion: """
      The whole migration is one transaction: after a fault the store is as it was. Classes that the file does not name stay \
      as they are. A schema file is what 'larder schema --json' writes, with rules:
        {"schemaVersion": 4,
         "classes": {"Pet": {"properties": {
           "id": "int primary", "given": "string indexed", "age": "double?"}}},
         "rename": {"Dog": "Pet", "Pet.name": "given"},
         "convert": {"Pet.age": "strict"},
         "delete": ["Cat"]}
      Renamed properties are named by the new name of their class. A conversion is strict, and fails for a value that does not \
      fit the new type, or lenient. Without a version a store that changes gets the next one.

      EXAMPLE
        larder migrate world.larder schema.json --dry-run
        larder migrate world.larder schema.json --write
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .file())
  var store: String

  @Argument(help: "The schema file.", completion: .file())
  var schema: String

  @OptionGroup
  var write: WriteFlag

  /// A dry run is a transaction that is never committed.
  var writes: Bool { true }

  @Flag(help: "Change nothing, as without --write; list every step, and every object and value that would be lost.")
  var dryRun = false

  @Flag(help: "Write JSON.")
  var json = false

  func validate() throws {
    guard !(dryRun && write.isGiven) else { throw ValidationError("choose one of --dry-run and --write") }
  }

  func run() throws {
    let file = try SchemaFile.read(schema)
    // Must exist: a store that is made by a migration is a slip of the pen.
    try StoreAccess.requireStore(store)
    let isDryRun = dryRun || !write.isGiven
    let report = try Activity.show("migrating") {
      try StoreMigrator(store: try StoreAccess.open(writing: store), file: file).run(isDryRun: isDryRun)
    }
    let isSame = report.steps.isEmpty && report.newSchemaVersion == report.oldSchemaVersion
    let text = MigrationText(
      report, isDryRun: isDryRun, reason: isDryRun && !dryRun && !isSame ? WriteFlag.hint : "nothing was changed")
    Terminal.write(json ? text.json() : text.text(store: store))
  }
}
