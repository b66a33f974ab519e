import ArgumentParser
import LarderExchange
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

      Where objects or values would be lost, nothing is written, and the exit code is 4, unless --accept-loss is given. A nil that becomes \
      another value counts, too. What would be lost is counted by property and shown with some objects.

      EXAMPLE
        larder migrate world.larder schema.json --dry-run
        larder migrate world.larder schema.json --format html > migration.html
        larder migrate world.larder schema.json --write
      """)

  @OptionGroup var encryption: KeyFlags

  @Argument(help: "The store.", completion: .store)
  var store: String

  @Argument(help: "The schema file.", completion: .file())
  var schema: String

  @OptionGroup
  var write: WriteFlag

  /// A dry run is a transaction that is never committed.
  var writes: Bool { true }

  @Flag(help: "Change nothing, as without --write; list every step, and what would be lost.")
  var dryRun = false

  @Flag(help: "With --write: migrate also where objects or values are lost.")
  var acceptLoss = false

  @OptionGroup var forms: FormFlags

  func validate() throws {
    guard !(dryRun && write.isGiven) else { throw ValidationError("choose one of --dry-run and --write") }
    guard forms.form != .csv else { throw ValidationError("migrate prints several tables, which CSV cannot hold") }
  }

  func run() throws {
    let file = try SchemaFile.read(schema)
    // Must exist: a store that is made by a migration is a slip of the pen.
    try StoreAccess.requireStore(store)
    let isDryRun = dryRun || !write.isGiven
    let report = try Spinner.show("migrating") {
      try StoreMigrator(store: try StoreAccess.open(writing: store), file: file).run(
        isDryRun: isDryRun, acceptsLoss: acceptLoss)
    }
    let isSame = report.steps.isEmpty && report.newSchemaVersion == report.oldSchemaVersion
    let reason =
      report.isRefused
      ? "nothing was written: \(report.losses.count) objects and values would be lost; say --accept-loss to write all the same"
      : isDryRun && !dryRun && !isSame ? WriteFlag.hint : "nothing was changed"
    let text = MigrationText(report, isDryRun: isDryRun, reason: reason)
    switch forms.form {
    case .table: Terminal.write(text.text(store: store))
    case .json: Terminal.write(text.json())
    case .vertical, .csv, .markdown, .html: Terminal.write(text.page(store: store, as: forms.form))
    }
    if report.isRefused { throw Failure.loss }
  }
}
