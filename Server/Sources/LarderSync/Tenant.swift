import ArgumentParser
import LarderSyncServer

/// `larder-sync tenant`
struct Tenant: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make, list and change tenants: the data sets that devices connect to.",
    subcommands: [Create.self, List.self, Retention.self, RaiseEpoch.self])

  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make a tenant; one that is there stays as it is.")
    @Argument(help: "The name of the tenant.") var name: String
    @OptionGroup var place: Place

    func run() async throws {
      let tenant = try TenantID(name)
      let isNew = try await place.withStore { try await TenantAdministration(store: $0).create(tenant) }
      print(isNew ? "Made the tenant '\(name)'." : "There is a tenant '\(name)' already.")
    }
  }

  struct Retention: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Change how long the log of a tenant is kept.",
      discussion: """
        Servers that run remove what is older within ten minutes, together with what is kept of deleted objects. A device that was away for \
        longer gets everything again.
        """)
    @Argument(help: "The name of the tenant.") var name: String
    @Argument(help: "How long: 15m, 12h or 30d.") var time: Lifetime
    @OptionGroup var place: Place

    func run() async throws {
      let tenant = try TenantID(name)
      try await place.withStore { [time] in
        try await TenantAdministration(store: $0).setRetention(time.seconds * 1_000, of: tenant)
      }
      print("The log of '\(name)' is kept for \(time.text).")
    }
  }

  struct RaiseEpoch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "raise-epoch",
      abstract: "Say that the data of a tenant were replaced by older ones.",
      discussion: """
        Do so after a backup was restored, before devices connect again. Each device then takes over what is there, keeps a copy of what it had, \
        and sends again what it still has of its own commits.
        """)
    @Argument(help: "The name of the tenant.") var name: String
    @OptionGroup var place: Place

    func run() async throws {
      let tenant = try TenantID(name)
      let epoch = try await place.withStore { try await TenantAdministration(store: $0).raiseEpoch(of: tenant) }
      print("The epoch of '\(name)' is \(epoch).")
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the names of all tenants.")
    @OptionGroup var place: Place

    func run() async throws {
      for tenant in try await place.withStore({ try await TenantAdministration(store: $0).tenants() }) {
        print(tenant.id)
      }
    }
  }
}
