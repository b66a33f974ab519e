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
