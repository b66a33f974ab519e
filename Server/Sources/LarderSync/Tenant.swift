import ArgumentParser
import LarderSyncServer

/// `larder-sync tenant`
struct Tenant: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make and list tenants: the data sets that devices connect to.", subcommands: [Create.self, List.self])

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
