import TestSupport
import Testing

@testable import LarderStorage

@Suite struct HostileSettingsTests {
  @Test func namesAreSeparatedByCommas() {
    #expect(HostileSettings(named: "") == [])
    #expect(HostileSettings(named: "planner,memory") == [.rowByRow, .littleMemory])
    #expect(HostileSettings(named: "reopen,clusters,checksums") == [.reopening, .smallClusters, .everyChecksum])
  }

  @Test("A name that is no setting ends the process: a run must not pass for one that it was not")
  func unknownName() async {
    await #expect(processExitsWith: .failure) { _ = HostileSettings(named: "planer") }
  }

  @Test("What a store is made with follows the settings of the process")
  func newStores() throws {
    let usual = HostileSettings.current.contains(.smallClusters) ? 8 : StoreLayout.defaultClusterSize
    #expect(StoreOptions().clusterSize == usual)
    let fixture = try TemporaryStore()
    #expect(try fixture.store.snapshot().clusterSize == usual)
    try fixture.write { writer in
      #expect(writer.decodedLimit == (HostileSettings.current.contains(.littleMemory) ? 4_096 : 96 << 20))
    }
  }
}
