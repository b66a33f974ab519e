import Testing

@testable import Larder

@Suite("Version of a Realm")
struct RealmVersionTests {
  @Test("the stamp differs after each change and each move, the epoch only after an invalidation")
  func stamps() {
    var version = RealmVersion(nil)
    var seen: Set<UInt64> = [version.stamp]
    version.noteChange()
    #expect(seen.insert(version.stamp).inserted)
    version.reset()
    #expect(seen.insert(version.stamp).inserted)
    version.move(to: nil)
    #expect(seen.insert(version.stamp).inserted && version.epoch == 0)
    version.beginEpoch()
    #expect(version.epoch == 1)
  }
}
