import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Larder

/// The class is found by every test that opens a Realm of all classes, so its default does harm only on request.
private let opensRealm = Atomic(false)

private final class Recursive: Object {
  @Persisted var number = countedBefore()

  static func countedBefore() -> Int {
    guard opensRealm.load(ordering: .relaxed) else { return 0 }
    let configuration = Realm.Configuration(inMemoryIdentifier: "recursive", objectTypes: [Recursive.self])
    return (try? Realm(configuration: configuration))?.objects(Recursive.self).count ?? 0
  }
}

@Suite("Defaults that need themselves")
struct RecursiveDefaultTests {
  @Test("M-3 a default value that opens a Realm ends with a message, not without end")
  func recursive() async {
    let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      opensRealm.store(true, ordering: .relaxed)
      _ = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "outer", objectTypes: [Recursive.self]))
    }
    #expect(misuseText(exit).contains("The default values of 'Recursive' are recursive"))
  }

  @Test("M-3 on several threads at once a class's prototype is no recursion")
  func threads() async throws {
    let folder = try TemporaryFolder()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { try Realm(configuration: folder.configuration([Recursive.self])).objects(Recursive.self).count }
      }
      for try await count in group { #expect(count == 0) }
    }
  }
}
