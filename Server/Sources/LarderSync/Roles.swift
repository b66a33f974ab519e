import ArgumentParser
import Foundation
import LarderSyncProtocol
import LarderSyncServer

/// `larder-sync roles`
struct Roles: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say who may read and write what in a tenant.", subcommands: [Push.self, Check.self, Show.self])

  struct Push: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a file the newest roles of a tenant.",
      discussion: "Servers that run use them within seconds; devices lose what their users may not see any more.")
    @Argument(help: "The name of the tenant.") var tenant: String
    @Argument(help: "The file with the roles in JSON; - for standard input.") var path: String
    @OptionGroup var place: Place

    func run() async throws {
      let text = try InputFile.bytes(path)
      let tenant = try TenantID(tenant)
      let (version, isNew) = try await place.withStore {
        try await TenantAdministration(store: $0).pushRoles(text, to: tenant)
      }
      print(
        isNew
          ? "'\(tenant)' has version \(version) of its roles now."
          : "'\(tenant)' has these roles already, as version \(version).")
    }
  }

  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check a file with roles, and print what users may do.",
      discussion:
        "Nothing is changed. The schema is a tenant's newest, or a file's. Ends with 1 when the roles are wrong.")
    @Argument(help: "The file with the roles in JSON; - for standard input.") var path: String
    @Option(help: "The tenant whose schema counts.") var tenant: String?
    @Option(help: "A file with the schema in JSON.") var schema: String?
    @Option(help: "The claims of a user as an object of JSON; several times for several users.") var claims: [String] =
      []
    @Option(help: "A claim of one more user, as name=value; may be there several times.") var claim: [String] = []
    @OptionGroup var place: Place

    func validate() throws {
      guard (tenant == nil) != (schema == nil) else { throw ValidationError("Give either --tenant or --schema.") }
    }

    func run() async throws {
      let roles = try RolesDocument(try InputFile.bytes(path), schema: try await document())
      var users: [(String, UserClaims)] = []
      for text in claims { users.append((text, try UserClaims(unsigned: Array(text.utf8)))) }
      if !claim.isEmpty {
        let values = try Claims(claim).values
        users.append((claim.joined(separator: " "), UserClaims(subject: "", expires: .max, values: values)))
      }
      for (title, user) in users {
        print(title)
        for summary in roles.summary(for: user) { print(summary.lines.map { "  " + $0 }.joined(separator: "\n")) }
      }
      print("The roles are right.")
    }

    private func document() async throws -> SyncSchema {
      if let schema { return try SchemaDocument.schema(try InputFile.bytes(schema)) }
      let tenant = try TenantID(tenant ?? "")
      return try await place.withStore { try await TenantAdministration(store: $0).schema(of: tenant) }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the newest roles of a tenant.")
    @Argument(help: "The name of the tenant.") var tenant: String
    @OptionGroup var place: Place

    func run() async throws {
      let tenant = try TenantID(tenant)
      let roles = try await place.withStore { try await TenantAdministration(store: $0).roles(of: tenant) }
      guard let roles else { throw ValidationError("'\(tenant)' has no roles: no one may read or write anything.") }
      print(String(decoding: roles, as: UTF8.self))
    }
  }
}
