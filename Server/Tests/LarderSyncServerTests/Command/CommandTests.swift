import Foundation
import Testing

@testable import LarderSyncServer

/// The command as it is run, with what it prints and how it ends.
@Suite struct CommandTests {
  private func run(_ arguments: String...) throws -> String { try run(arguments) }

  @Test func migrateAndMove() throws {
    guard case .file(let path) = try Backend.file.emptyLocation(),
      case .postgres(let url) = try Backend.postgres.emptyLocation()
    else { return }
    defer { for suffix in ["", "-wal", "-shm"] { _ = unlink(path + suffix) } }
    #expect(try run("migrate", "--file", path) == "Made the tables, version \(StoreMigrator.newest).\n")
    #expect(try run("migrate", "--file", path) == "The tables have version \(StoreMigrator.newest) already.\n")
    #expect(try run("move", "--from", path, "--to", url).contains("larder_tenant: 0 rows\n"))
    #expect(try run("migrate", "--database", url) == "The tables have version \(StoreMigrator.newest) already.\n")
  }

  @Test func failures() throws {
    func failure(_ arguments: String...) -> String {
      let error = #expect(throws: TestPostgres.Failure.self) { _ = try run(arguments) }
      return error?.description ?? ""
    }
    #expect(failure("migrate").contains("Give either --database or --file."))
    #expect(failure("migrate", "--file", "/nowhere/at/all/x").contains("cannotConnect: unable to open database file"))
    #expect(failure("migrate", "--database", "nonsense").contains("invalidLocation"))
    #expect(failure("move", "--from", "/nowhere/at/all/x", "--to", "/nowhere/at/all/y").contains("cannotConnect"))
  }

  @Test("limits of devices are options of serve, and have to be greater than 0")
  func limits() throws {
    let usual = DeviceLimits()
    #expect(usual.commitsPerSecond == 5_000 && usual.uploadBytesPerSecond == 16 << 20 && usual.queriesPerSet == 1_000)
    let options = [
      "--commits-per-second", "--upload-bytes-per-second", "--queries-per-set", "--connections", "--bytes-per-second",
    ]
    for option in options {
      let wrong = try CommandLine.run(["serve", "--development", "--plain", "--secret", "secret", option, "0"])
      #expect(wrong.status != 0)
      #expect(wrong.errors.contains("Limits are greater than 0."))
      #expect(try CommandLine.run(["serve", "--help"]).output.contains(option))
    }
    let many = try CommandLine.run(
      ["serve", "--development", "--plain", "--secret", "secret", "--queries-per-set", "1001"])
    #expect(many.status != 0 && many.errors.contains("at most 1000"))
  }

  /// The programs of a package are built into the folder that the tests are started from.
  private func run(_ arguments: [String]) throws -> String {
    try TestPostgres.run(Bundle.main.bundleURL.appending(path: "larder-sync").path, arguments)
  }
}
