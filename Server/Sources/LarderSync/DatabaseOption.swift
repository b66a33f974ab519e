import ArgumentParser
import Foundation
import LarderSyncServer

/// The database that is made or measured, which has to be named.
struct DatabaseOption: ParsableArguments {
  @Option(help: "The URL of a PostgreSQL, postgresql://user@host:port/database; else LARDER_SYNC_DATABASE.")
  var database: String?
  @Option(help: "The path of an SQLite file.") var file: String?

  func validate() throws {
    guard database == nil || file == nil, place.hasName else {
      throw ValidationError("Give either --database or --file.")
    }
  }

  var location: StoreLocation { place.location }

  private var place: DatabasePlace { DatabasePlace(database: database, file: file) }
}

/// The location of a database, by options or by the environment.
struct DatabasePlace {
  let database: String?
  let file: String?

  /// True if an option or LARDER_SYNC_DATABASE names the location.
  var hasName: Bool { file != nil || url != nil }

  /// The location; without a name, a file in the folder that the program runs in.
  var location: StoreLocation {
    if let file { return .file(path: file) }
    return url.map { .postgres(url: $0) } ?? .file(path: "larder-sync.sqlite")
  }

  private var url: String? { database ?? ProcessInfo.processInfo.environment["LARDER_SYNC_DATABASE"] }
}
