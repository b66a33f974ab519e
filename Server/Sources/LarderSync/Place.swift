import ArgumentParser
import Foundation
import LarderSyncServer

/// The store that a verb works on.
struct Place: ParsableArguments {
  @Option(help: "The URL of a PostgreSQL, postgresql://user@host:port/database; else LARDER_SYNC_DATABASE.")
  var database: String?
  @Option(help: "The path of an SQLite file (default: larder-sync.sqlite).") var file: String?

  func validate() throws {
    guard database == nil || file == nil else { throw ValidationError("Give either --database or --file.") }
  }

  /// The location of the store.
  var location: StoreLocation { DatabasePlace(database: database, file: file).location }

  /// The store, which has its tables.
  func open() async throws -> SQLSyncStore {
    switch location {
    case .postgres(let url): try await SQLSyncStore.postgres(url)
    case .file(let path): try await SQLSyncStore.file(path)
    }
  }

  /// Runs a body with the store and closes it.
  func withStore<Result>(_ body: (SQLSyncStore) async throws -> Result) async throws -> Result {
    let store = try await open()
    defer { store.close() }
    return try await body(store)
  }
}

/// Reading files that operators name.
enum InputFile {
  /// The bytes of a file; `-` for standard input.
  static func bytes(_ path: String) throws -> [UInt8] {
    if path == "-" { return Array(try FileHandle.standardInput.readToEnd() ?? Data()) }
    do {
      return Array(try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw ValidationError("'\(path)' cannot be read: \(error.localizedDescription)")
    }
  }
}
