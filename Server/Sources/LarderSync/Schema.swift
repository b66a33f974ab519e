import ArgumentParser
import LarderSyncServer

/// `larder-sync schema`
struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Give a tenant a schema, or print it.", subcommands: [Push.self, Show.self])

  struct Push: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a file the newest schema of a tenant.",
      discussion:
        "The file may add classes and properties. What is there has to stay, because devices with the old schema go on."
    )
    @Argument(help: "The name of the tenant.") var tenant: String
    @Argument(help: "The file with the schema in JSON; - for standard input.") var path: String
    @OptionGroup var place: Place

    func run() async throws {
      let schema = try SchemaDocument.schema(try InputFile.bytes(path))
      let tenant = try TenantID(tenant)
      let (newest, isNew, additions) = try await place.withStore {
        try await TenantAdministration(store: $0).push(schema, to: tenant)
      }
      print(
        isNew
          ? "'\(tenant)' has version \(newest.version) of its schema now, with \(newest.classes.count) classes."
          : "'\(tenant)' has this schema already, as version \(newest.version).")
      for addition in additions { print("  new: \(addition)") }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the newest schema of a tenant.")
    @Argument(help: "The name of the tenant.") var tenant: String
    @OptionGroup var place: Place

    func run() async throws {
      let tenant = try TenantID(tenant)
      let schema = try await place.withStore { try await TenantAdministration(store: $0).schema(of: tenant) }
      print(SchemaDocument.text(schema), terminator: "")
    }
  }
}
