import ArgumentParser

/// The server of Larder's synchronisation.
@main
struct LarderSync: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "larder-sync", abstract: "The server of Larder's synchronisation, and what its database needs.",
    subcommands: [
      Serve.self, Migrate.self, Tenant.self, Schema.self, Roles.self, Token.self, Inspect.self, Move.self, Bench.self,
    ])
}
