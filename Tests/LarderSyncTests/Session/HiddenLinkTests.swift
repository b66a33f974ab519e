import LarderStorage
import LarderSyncProtocol
import Testing

@testable import LarderSync

@Suite("Links to objects that are not here") struct HiddenLinkTests {
  private func name(_ className: SyncText, _ key: Int) -> ObjectName { OtherDevice.name(className, key) }

  @Test("Y-31: A link that reads nil says whether its object is only not here")
  @MainActor func hides() async throws {
    let fixture = try await SyncedFixture()
    let realm = try opened(fixture.configuration { $0.outsideWrites = .sendAnyway })
    let store = SyncAccess(realm).store
    try OtherDevice.write(store) {
      $0.replace(name("SyncedPerson", 1), with: [SyncProperty("pet", .link(name("SyncedPet", 7)))])
      $0.replace(name("SyncedPerson", 2), with: [SyncProperty("name", .string("b"))])
    }
    realm.refresh()
    let first = try #require(realm.object(ofType: SyncedPerson.self, forPrimaryKey: 1))
    let second = try #require(realm.object(ofType: SyncedPerson.self, forPrimaryKey: 2))
    #expect(first.pet == nil && realm.hidesLink(first, \.pet))
    #expect(second.pet == nil && !realm.hidesLink(second, \.pet))
    #expect(!realm.hidesLink(SyncedPerson(), \.pet))

    try OtherDevice.write(store) { $0.replace(name("SyncedPet", 7), with: [SyncProperty("name", .string("Rex"))]) }
    realm.refresh()
    #expect(first.pet?.name == "Rex" && !realm.hidesLink(first, \.pet))

    try OtherDevice.write(store) { $0.replace(name("SyncedPet", 7), with: nil) }
    realm.refresh()
    #expect(first.pet == nil && realm.hidesLink(first, \.pet))
    try realm.write {
      #expect(realm.hidesLink(first, \.pet))
      first.pet = nil
      #expect(!realm.hidesLink(first, \.pet))
    }
    #expect(!realm.hidesLink(first, \.pet))
  }
}
