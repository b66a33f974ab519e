import ArgumentParser
import LarderSyncServer

/// `larder-sync migrate`
struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make the tables of a database, or bring them to this server's version.",
    discussion: "Does nothing when they have it, and refuses tables of a newer server.")

  @OptionGroup var place: DatabaseOption

  func run() throws {
    let (before, after) = try StoreAdministration.migrate(place.location)
    switch before {
    case after: print("The tables have version \(after) already.")
    case 0: print("Made the tables, version \(after).")
    default: print("Brought the tables from version \(before) to \(after).")
    }
  }
}

/// The database that a verb works on.
struct DatabaseOption: ParsableArguments {
  @Option(help: "The URL of a PostgreSQL: postgresql://user@host:port/database.") var database: String?
  @Option(help: "The path of an SQLite file.") var file: String?

  func validate() throws {
    guard (database == nil) != (file == nil) else { throw ValidationError("Give either --database or --file.") }
  }

  var location: StoreLocation { database.map { .postgres(url: $0) } ?? .file(path: file ?? "") }
}
