import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// Tests of the tenants that devices find: those that a store has, or is to have.
@Suite struct StoredTenantsTests {
  private let ann = UserClaims(subject: "ann", expires: .max, values: ["sub": [.string("ann")]])

  private func rule(_ configuration: TenantConfiguration?) -> ReadRule? { configuration?.access(ann).readRule("Task") }

  @Test(
    "in development tenants are made when devices ask for them, devices bring schemas, and roles are the first rules")
  func development() async throws {
    let test = try await Backend.memory.make()
    let tenants = StoredTenants(store: test.store, isDevelopment: true, now: { 7 })
    let tenant = try TenantID("acme")
    #expect(try await test.store.read { try $0.tenant(tenant) } == nil)
    #expect(try await tenants.configuration(of: tenant)?.schema.classes.isEmpty == true)
    #expect(try await test.store.read { try $0.tenant(tenant) }?.created == 7)
    let taken = try await tenants.push(TaskSchema.schema, to: tenant, by: ann)
    #expect(Set(taken.classes.map(\.name)) == ["Task", "Place"])
    let brought = try await tenants.configuration(of: tenant)
    #expect(brought?.schema == taken && rule(brought) == .everything)
    let administration = TenantAdministration(store: test.store, now: { 8 })
    _ = try await administration.pushRoles(Array("{}".utf8), to: tenant)
    #expect(try await rule(tenants.configuration(of: tenant)) == .nothing)
  }

  @Test("otherwise there are the tenants of the store, devices change no schema, and without roles nothing is allowed")
  func production() async throws {
    let test = try await Backend.memory.make()
    let tenants = StoredTenants(store: test.store, isDevelopment: false)
    let tenant = try TenantID("acme")
    #expect(try await tenants.configuration(of: tenant) == nil)
    #expect(try await test.store.read { try $0.tenant(tenant) } == nil)
    let administration = TenantAdministration(store: test.store, now: { 8 })
    _ = try await administration.create(tenant)
    let failure = await #expect(throws: SessionFailure.self) {
      _ = try await tenants.push(TaskSchema.schema, to: tenant, by: ann)
    }
    #expect(failure?.failure.code == .schemaForbidden)
    _ = try await administration.push(TaskSchema.schema, to: tenant)
    let found = try await tenants.configuration(of: tenant)
    #expect(found?.schema.classes.count == 2 && rule(found) == .nothing)
  }
}
