import Testing

@testable import LarderSyncServer

/// The sizes of tables.
@Suite struct TableSizeTests {
  @Test("every table has a size, which grows with its rows and their keys", arguments: Backend.shared)
  func grows(_ backend: Backend) async throws {
    let test = try await backend.make()
    let location = try #require(test.location)
    let before = try StoreAdministration.sizes(of: location)
    #expect(before.map(\.table) == SQLTable.all.map(\.name))
    _ = try await test.makeTenant(sites: (0..<2_000).map { try SiteKey([UInt8($0 >> 8), UInt8($0 & 255)]) })
    let after = try StoreAdministration.sizes(of: location)
    for (old, new) in zip(before, after) where new.table == "larder_client" {
      #expect(new.rows > old.rows + 2_000 * 20)
      #expect(new.indexes > old.indexes + 2_000 * 5)
    }
    #expect(after.first { $0.table == "larder_change" } == before.first { $0.table == "larder_change" })
  }
}
