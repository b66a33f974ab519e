import ArgumentParser
import LarderSyncServer

/// `larder-sync move`
struct Move: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy a store into an empty database: from an SQLite file to PostgreSQL, or any other way.",
    discussion: """
      Stop the server first. Everything is copied in one transaction and counted on both sides before its commit: the target has all of it
      or nothing, and the source is not changed.
      """)

  @Option(help: "The path of an SQLite file, or a URL of PostgreSQL.") var from: String
  @Option(help: "The same for where it goes.") var to: String

  func run() throws {
    let counts = try StoreAdministration.move(from: StoreLocation(from), to: StoreLocation(to))
    for (table, rows) in counts { print("\(table): \(rows) rows") }
  }
}
