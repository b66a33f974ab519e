import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite(.timeLimit(.minutes(10))) struct TenantAdministrationTests {
  private func schema(_ properties: SchemaProperty...) -> SyncSchema {
    SyncSchema(classes: [SchemaClass("Task", primaryKey: "id", properties: properties + [SchemaProperty("id", .int)])])
  }

  @Test("schemas get versions, and one that breaks devices is refused and changes nothing", arguments: Backend.allCases)
  func schemas(_ backend: Backend) async throws {
    let test = try await backend.make()
    let administration = TenantAdministration(store: test.store, now: { 7 })
    let tenant = try TenantID("acme")
    await #expect(throws: TenantAdministration.Failure.noTenant(tenant)) {
      _ = try await administration.push(schema(), to: tenant)
    }
    #expect(try await administration.create(tenant))
    #expect(try await !administration.create(tenant))
    await #expect(throws: TenantAdministration.Failure.noSchema(tenant)) {
      _ = try await administration.schema(of: tenant)
    }
    let first = try await administration.push(schema(SchemaProperty("note", .string)), to: tenant)
    #expect(first.schema.version == 1 && first.isNew)
    let again = try await administration.push(schema(SchemaProperty("note", .string)), to: tenant)
    #expect(again.schema.version == 1 && !again.isNew)
    let error = await #expect(throws: SchemaConflict.self) {
      _ = try await administration.push(schema(SchemaProperty("note", .int), SchemaProperty("rank", .int)), to: tenant)
    }
    #expect(error?.description.contains("version 1 of the schema of 'acme'") ?? false)
    let second = try await administration.push(
      schema(SchemaProperty("note", .string), SchemaProperty("rank", .int)), to: tenant)
    #expect(second.additions == ["property 'Task.rank'"])
    #expect(try await administration.schema(of: tenant) == second.schema)
    #expect(second.schema.version == 2)
  }

  @Test("roles get versions when they fit the schema", arguments: Backend.allCases)
  func roles(_ backend: Backend) async throws {
    let test = try await backend.make()
    let administration = TenantAdministration(store: test.store, now: { 7 })
    let tenant = try await test.makeTenant()
    let text = Array(#"{"Task": [{"name": "all", "read": true}]}"#.utf8)
    await #expect(throws: TenantAdministration.Failure.noSchema(tenant)) {
      _ = try await administration.pushRoles(text, to: tenant)
    }
    _ = try await administration.push(schema(), to: tenant)
    #expect(try await administration.roles(of: tenant) == nil)
    let first = try await administration.pushRoles(text, to: tenant)
    #expect(first.version == 1 && first.isNew)
    let again = try await administration.pushRoles(text, to: tenant)
    #expect(again.version == 1 && !again.isNew)
    await #expect(throws: DocumentError.self) {
      _ = try await administration.pushRoles(Array(#"{"X": []}"#.utf8), to: tenant)
    }
    #expect(try await administration.roles(of: tenant) == text)
    let second = try await administration.pushRoles(Array("{}".utf8), to: tenant)
    #expect(second.version == 2 && second.isNew)
  }

  @Test("sites of a tenant are listed in their order, page by page", arguments: Backend.allCases)
  func clients(_ backend: Backend) async throws {
    let test = try await backend.make()
    let sites = try [[0], [1, 2], [1, 3], [255]].map { try SiteKey($0) }
    let tenant = try await test.makeTenant(sites: sites.reversed())
    _ = try await test.makeTenant("other", sites: [SiteKey([9])])
    var found: [SiteKey] = []
    while true {
      let last = found.last
      let next = try await test.store.read { try $0.clients(tenant, after: last, limit: 3) }.map(\.site)
      found += next
      if next.count < 3 { break }
    }
    #expect(found == sites)
  }
}
