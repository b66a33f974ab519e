import Foundation
import Testing

@testable import LarderSyncServer

/// `tenant`, `schema` and `roles`, as they are run.
@Suite struct TenantCommandTests {
  @Test("a tenant is made and listed, and gets schemas and roles: the examples of the documentation")
  func all() throws {
    let store = try CommandStore()
    #expect(try store.output("tenant", "create", "acme") == "Made the tenant 'acme'.\n")
    #expect(try store.output("tenant", "create", "acme") == "There is a tenant 'acme' already.\n")
    #expect(try store.output("tenant", "list") == "acme\n")
    let schema = try DocumentExamples.schema
    #expect(
      try store.output("schema", "push", "acme", "-", input: schema).hasPrefix("'acme' has version 1 of its schema now")
    )
    let shown = try store.output("schema", "show", "acme")
    #expect(
      try store.output("schema", "push", "acme", "-", input: shown) == "'acme' has this schema already, as version 1.\n"
    )
    let roles = try DocumentExamples.roles
    #expect(try store.output("roles", "push", "acme", "-", input: roles) == "'acme' has version 1 of its roles now.\n")
    #expect(
      try store.output("roles", "push", "acme", "-", input: roles) == "'acme' has these roles already, as version 1.\n")
    #expect(try store.output("roles", "show", "acme") == roles + "\n")
  }

  @Test("F-110: tenant changes how long logs are kept and raises the epoch, and inspect shows both")
  func retention() throws {
    let store = try CommandStore()
    _ = try store.output("tenant", "create", "acme")
    #expect(try store.output("tenant", "retention", "acme", "36h") == "The log of 'acme' is kept for 36h.\n")
    #expect(try store.output("inspect", "tenants", "--json").contains("\"retention\": \"36h\""))
    #expect(try store.output("tenant", "raise-epoch", "acme") == "The epoch of 'acme' is 2.\n")
    #expect(try store.output("inspect", "parts", "--json").contains("\"epoch\": 2, \"oldest\": null"))
    for arguments in [["retention", "other", "1d"], ["raise-epoch", "other"]] {
      let outcome = try CommandLine.run(["tenant"] + arguments + ["--file", store.path])
      #expect(outcome.status == 1 && outcome.errors.contains("There is no tenant 'other'"))
    }
    #expect(try store.run("tenant", "retention", "acme", "0d").status != 0)
  }

  @Test("what does not fit is refused with what to do, and ends with 1")
  func refused() throws {
    let store = try CommandStore()
    func failure(_ arguments: String..., input: String = "") throws -> String {
      let outcome = try CommandLine.run(arguments + ["--file", store.path], input: input)
      #expect(outcome.status == 1)
      #expect(outcome.output.isEmpty)
      return outcome.errors
    }
    let schema = #"{"T": {"primaryKey": "id", "properties": {"id": "int", "a": "string"}}}"#
    #expect(
      try failure("schema", "push", "acme", "-", input: schema).contains(
        "There is no tenant 'acme'; make it with larder-sync tenant create."))
    _ = try store.output("tenant", "create", "acme")
    #expect(try failure("schema", "show", "acme").contains("give it one with larder-sync schema push"))
    #expect(try failure("roles", "push", "acme", "-", input: "{}").contains("'acme' has no schema"))
    _ = try store.output("schema", "push", "acme", "-", input: schema)
    let other = #"{"T": {"primaryKey": "id", "properties": {"id": "int", "a": "int"}}}"#
    let message = try failure("schema", "push", "acme", "-", input: other)
    #expect(message.contains("property 'T.a' changes from \"string\" to \"int\"; make a new property"))
    let roles = #"{"T": [{"name": "a", "read": "b == 1"}]}"#
    #expect(try failure("roles", "push", "acme", "-", input: roles).contains("class 'T', role 'a', key 'read'"))
    let missing = try store.run("schema", "push", "acme", "/nowhere/x.json")
    #expect(missing.status != 0 && missing.errors.contains("'/nowhere/x.json' cannot be read"))
  }

  @Test("roles are checked without being stored, and what users may do is printed")
  func check() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    // A folder that cannot be removed does no harm to the test.
    defer { try? FileManager.default.removeItem(at: folder) }
    let schema = folder.appending(path: "schema.json").path
    try DocumentExamples.schema.write(toFile: schema, atomically: false, encoding: .utf8)
    let roles = try DocumentExamples.roles
    let arguments = ["roles", "check", "-", "--schema", schema]
    let right = try CommandLine.run(
      arguments + ["--claims", #"{"sub": "ann", "groups": ["admins"]}"#, "--claim", "sub=bob"], input: roles)
    #expect(right.status == 0)
    #expect(right.output.contains("Task: role 'administrator'\n    read: all"))
    #expect(right.output.contains("sub=bob\n"))
    #expect(right.output.contains("Task: role 'owner'"))
    #expect(right.output.hasSuffix("The roles are right.\n"))
    let wrong = try CommandLine.run(arguments, input: #"{"Task": [{"name": "a", "read": "ownr == 1"}]}"#)
    #expect(wrong.status == 1)
    #expect(wrong.errors.contains("class 'Task', role 'a', key 'read': Class 'Task' has no property 'ownr'"))
    #expect(try CommandLine.run(arguments + ["--claims", "[]"], input: roles).errors.contains("no object of JSON"))
    #expect(try CommandLine.run(["roles", "check", "-"]).errors.contains("Give either --tenant or --schema."))
  }

  @Test("the environment names the database")
  func environment() throws {
    guard case .postgres(let url) = try Backend.postgres.emptyLocation() else { return }
    let environment = ["LARDER_SYNC_DATABASE": url]
    #expect(try CommandLine.run(["tenant", "list"], environment: environment).errors.contains("notMigrated"))
    #expect(
      try CommandLine.run(["migrate"], environment: environment).output
        == "Made the tables, version \(StoreMigrator.newest).\n")
    #expect(try CommandLine.run(["tenant", "create", "acme"], environment: environment).status == 0)
    #expect(try CommandLine.run(["tenant", "list"], environment: environment).output == "acme\n")
  }
}
