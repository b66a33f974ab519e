import ArgumentParser
import Foundation
import LarderSyncServer

/// `larder-sync inspect`
struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print what a store has, without changing it.", subcommands: [Parts.self, Log.self])

  struct Parts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print how far the logs of tenants are.",
      discussion: "One line for each part of a tenant: tenant, part, first and last version of its log, epoch.")
    @Option(help: "This tenant alone.") var tenant: String?
    @OptionGroup var place: Place

    func run() async throws {
      try await place.withStore { store in
        var names = try tenant.map { [try TenantID($0)] } ?? []
        if names.isEmpty { names = try await TenantAdministration(store: store).tenants().map(\.id) }
        for name in names {
          for part in try await store.read({ try $0.parts(of: name) }) {
            print("\(name)\t\(part.part)\t\(part.floor + 1)\t\(part.head)\t\(part.epoch)")
          }
        }
      }
    }
  }

  struct Log: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the commits of a tenant.",
      discussion: "One line for each: version, time, site, number at the site, bytes.")
    @Argument(help: "The name of the tenant.") var tenant: String
    @Option(help: "Only those after this version.") var after: Int64 = 0
    @Option(help: "At most so many.") var limit: Int = 100
    @OptionGroup var place: Place

    func run() async throws {
      let tenant = try TenantID(tenant)
      try await place.withStore { store in
        let changes = try await store.read { [after, limit] in
          try $0.changes(tenant, .first, after: after, limit: limit)
        }
        for change in changes {
          let time = Date(timeIntervalSince1970: Double(change.merged) / 1000).formatted(.iso8601)
          print("\(change.version)\t\(time)\t\(change.site)\t\(change.siteVersion)\t\(change.delta.count)")
        }
      }
    }
  }
}
