import ArgumentParser
import LarderSyncServer

/// `larder-sync inspect`
struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print what a store has, without changing it.",
    subcommands: [Tenants.self, Parts.self, Clients.self, Log.self, Object.self])

  struct Tenants: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the tenants, with the versions of their schemas and roles.")
    @OptionGroup var form: ListingForm
    @OptionGroup var place: Place

    func run() async throws {
      print(form.text(try await place.withStore { try await StoreInspection(store: $0).tenants() }))
    }
  }

  struct Parts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print how far the logs of tenants are.",
      discussion: "For each part of a tenant the first and the last version that its log has, and its epoch.")
    @Option(help: "This tenant alone.") var tenant: String?
    @OptionGroup var form: ListingForm
    @OptionGroup var place: Place

    func run() async throws {
      let tenant = try tenant.map { try TenantID($0) }
      print(form.text(try await place.withStore { try await StoreInspection(store: $0).parts(of: tenant) }))
    }
  }

  struct Clients: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print what is known of the devices of a tenant.",
      discussion:
        "For each copy of the data its session, its last merged commit, the version of its subscriptions, and when it came."
    )
    @Option(help: "The name of the tenant.") var tenant: String
    @Option(help: "At most so many.") var limit = 1_000
    @OptionGroup var form: ListingForm
    @OptionGroup var place: Place

    func run() async throws {
      let tenant = try TenantID(tenant)
      let listing = try await place.withStore { [limit] in
        try await StoreInspection(store: $0).clients(of: tenant, limit: limit)
      }
      print(form.text(listing))
    }
  }

  struct Log: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the commits of a tenant.",
      discussion: """
        For each its version, when it was merged, the device's copy and the number of the commit there, its bytes, how many of its \
        operations were refused, and its objects: + before those that it created, - before those that it deleted.
        """)
    @Option(help: "The name of the tenant.") var tenant: String
    @Option(help: "Only those after this version.") var after: Int64 = 0
    @Option(help: "At most so many.") var limit = 100
    @OptionGroup var form: ListingForm
    @OptionGroup var place: Place

    func run() async throws {
      let tenant = try TenantID(tenant)
      let listing = try await place.withStore { [after, limit] in
        try await StoreInspection(store: $0).log(of: tenant, after: after, limit: limit)
      }
      print(form.text(listing))
    }
  }

  struct Object: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print an object as the server has merged it.")
    @Argument(help: "The class.") var className: String
    @Argument(help: "The primary key.") var key: String
    @Option(help: "The name of the tenant.") var tenant: String
    @OptionGroup var form: ListingForm
    @OptionGroup var place: Place

    func run() async throws {
      let tenant = try TenantID(tenant)
      let listing = try await place.withStore { [className, key] in
        try await StoreInspection(store: $0).object(className, key, of: tenant)
      }
      print(form.text(listing))
    }
  }
}

/// The form in which a listing is printed.
struct ListingForm: ParsableArguments {
  @Flag(help: "As JSON: a list with an object for each row.") var json = false

  func text(_ listing: Listing) -> String { json ? listing.json : listing.table }
}
