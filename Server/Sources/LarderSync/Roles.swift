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
      let version = try await place.withStore {
        try await TenantAdministration(store: $0).pushRoles(text, to: tenant)
      }
      print("'\(tenant)' has version \(version) of its roles now.")
    }
  }

  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check a file with roles, and print which a user would have.",
      discussion: "Nothing is changed. The schema is a tenant's newest, or a file's.")
    @Argument(help: "The file with the roles in JSON; - for standard input.") var path: String
    @Option(help: "The tenant whose schema counts.") var tenant: String?
    @Option(help: "A file with the schema in JSON.") var schema: String?
    @Option(help: "A claim of the user, as name=value; may be there several times.") var claim: [String] = []
    @OptionGroup var place: Place

    func validate() throws {
      guard (tenant == nil) != (schema == nil) else { throw ValidationError("Give either --tenant or --schema.") }
    }

    func run() async throws {
      let roles = try RolesDocument(try InputFile.bytes(path), schema: try await document())
      let values = try Claims(claim).values
      let user = UserClaims(subject: "", expires: .max, values: values)
      for (className, role) in roles.names(for: user).sorted(by: { $0.key < $1.key }) {
        print("\(className): \(role)")
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

/// Claims as the command line has them.
struct Claims {
  /// The values by name.
  private(set) var values: [String: [SyncValue]] = [:]

  init(_ texts: [String]) throws {
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw ValidationError("'\(text)' is no claim: write name=value.")
      }
      values[parts[0], default: []].append(Claims.value(parts[1]))
    }
  }

  private static func value(_ text: String) -> SyncValue {
    if let number = Int64(text) { return .int(number) }
    if let flag = Bool(text) { return .bool(flag) }
    return .string(SyncText(text))
  }
}
