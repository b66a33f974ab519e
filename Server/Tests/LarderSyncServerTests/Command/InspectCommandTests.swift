import Foundation
import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// `inspect`, as it is run on a store that sites have uploaded to.
@Suite struct InspectCommandTests {
  /// A tenant with a schema and two commits of a site.
  private func make() async throws -> CommandStore {
    let file = try CommandStore()
    let store = try await SQLSyncStore.file(file.path, logger: .quiet)
    defer { store.close() }
    let tenant = try TenantID("acme")
    let administration = TenantAdministration(store: store, now: { 0 })
    _ = try await administration.create(tenant)
    _ = try await administration.push(TaskSchema.schema, to: tenant)
    let site = SiteID.test(1)
    try await store.write(unknownCommit: .runAgain) {
      try $0.putClients(tenant, [ClientRecord(site: SiteKey(site), secretHash: [1])])
    }
    let commits: [SyncCommit] = [
      .create(1, task: 1, owner: "ann"), .set(2, task: 1, "rank", .int(3)), .create(3, task: 2),
      .test(4, [SyncOperation(TaskSchema.task(2), .delete)]),
    ]
    for commit in commits {
      let upload = try SubmittedUpload.test(site, commit)
      _ = try await store.append(
        UploadBatch(tenant: tenant, uploads: [upload.row]), now: 1_000,
        merging: HubMerger(uploads: [upload], now: 1_000))
    }
    return file
  }

  @Test("tenants, parts, sites, commits and objects are printed as tables and as JSON")
  func all() async throws {
    let store = try await make()
    let tenants = try store.output("inspect", "tenants")
    #expect(tenants.hasPrefix("tenant  parts  retention  created               schema  roles\nacme    1      30d"))
    #expect(tenants.hasSuffix("1       -\n"))
    #expect(
      try store.output("inspect", "parts", "--tenant", "acme", "--json")
        == "[\n  {\"tenant\": \"acme\", \"part\": 0, \"first\": 1, \"last\": 4, \"epoch\": 1, "
        + "\"oldest\": \"1970-01-01T00:00:01Z\"}\n]\n")
    let clients = try store.output("inspect", "clients", "--tenant", "acme", "--json")
    #expect(clients.contains("\"session\": 1, \"lastCommit\": 4, \"subscriptions\": null"))
    let log = try store.output("inspect", "log", "--tenant", "acme").split(separator: "\n")
    #expect(log.count == 5)
    #expect(log[1].hasSuffix("+Task 1"))
    #expect(log[2].hasSuffix("  Task 1"))
    #expect(log[4].hasSuffix("-Task 2"))
    let page = try store.output("inspect", "log", "--tenant", "acme", "--after", "1", "--limit", "2", "--json")
    #expect(page.contains("\"version\": 2,") && page.contains("\"version\": 3,"))
    #expect(!page.contains("\"version\": 1,") && !page.contains("\"version\": 4,"))
    let object = try store.output("inspect", "object", "Task", "1", "--tenant", "acme")
    #expect(object.contains("\nowner      ann\n"))
    #expect(try store.output("inspect", "object", "Task", "2", "--tenant", "acme").contains("(alive)    no"))
  }

  @Test("what is not there is said")
  func missing() async throws {
    let store = try await make()
    func errors(_ arguments: String...) throws -> String {
      let outcome = try CommandLine.run(["inspect"] + arguments + ["--file", store.path])
      #expect(outcome.status == 1)
      return outcome.errors
    }
    #expect(try errors("log", "--tenant", "other").contains("There is no tenant 'other'"))
    #expect(try errors("clients", "--tenant", "other").contains("There is no tenant 'other'"))
    #expect(try errors("parts", "--tenant", "other").contains("There is no tenant 'other'"))
    #expect(
      try errors("object", "Person", "1", "--tenant", "acme").contains(
        "no class 'Person' with a primary key; it has Task."))
    #expect(
      try errors("object", "Task", "x", "--tenant", "acme").contains(
        "'x' is no primary key of 'Task': 'id' is \"int\"."))
    #expect(try errors("object", "Task", "3", "--tenant", "acme").contains("never had an object Task 3"))
  }
}
