import Foundation
import Testing

@testable import Larder

private final class Stored: Object {
  @Persisted var number = 0
}

private final class Absent: Object {
  @Persisted var number = 0
}

/// Results that nothing can be in.
@Suite("Results without a table")
struct AbsentTableTests {
  @Test("Q-3 results of a class that a read-only file lacks are filtered to themselves, whatever the predicate says")
  func readOnly() throws {
    let folder = try TemporaryFolder()
    do {
      let realm = try Realm(configuration: folder.configuration([Stored.self]))
      try realm.write { realm.add(Stored()) }
    }
    var configuration = folder.configuration([Stored.self, Absent.self])
    configuration.readOnly = true
    let realm = try Realm(configuration: configuration)
    let absent = realm.objects(Absent.self)
    #expect(absent.filter("nothing ===== like %@ this").isEmpty)
    #expect(absent.filter("nobody == 1").count == 0)
    #expect(absent.filter("nobody == 1").sorted(byKeyPath: "number").first == nil)
    #expect(realm.objects(Stored.self).filter("number == 0").count == 1)
  }
}
