import ArgumentParser

/// The server of Larder's synchronisation.
@main
struct LarderSync: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "larder-sync", abstract: "The server of Larder's synchronisation, and what its database needs.",
    subcommands: [Migrate.self, Move.self, Bench.self])
}
