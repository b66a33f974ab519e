import Dispatch
import LarderLocks
import Testing

@testable import Larder

extension Keeper {
  /// Returns the number of Realms that several tasks of the actor get that open at once.
  func openTogether(_ configuration: Realm.Configuration, _ count: Int) async throws -> Int {
    let tasks = (0..<count).map { _ in
      Task { UncheckedBox(try await Realm(configuration: configuration, actor: self).core) }
    }
    var cores: [RealmCore] = []
    for task in tasks { cores.append(try await task.value.value) }
    return Set(cores.map { ObjectIdentifier($0) }).count
  }
}

/// Covers O-110 and U-2: one instance for one file and place.
@Suite("One Realm for each place", .timeLimit(.minutes(30))) struct OneInstanceTests {
  @Test("O-110, U-2 two tasks of one actor that open at once get the same Realm") func actor() async throws {
    for _ in 0..<20 {
      let keeper = Keeper()
      #expect(try await keeper.openTogether(temporaryConfiguration(), 4) == 1)
    }
  }

  @Test("O-110 opened from several threads for one place there is one Realm") func threads() {
    for _ in 0..<20 {
      let configuration = temporaryConfiguration()
      let keeper = Keeper()
      let cores = Lock<[RealmCore]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        do {
          let core = try RealmRegistry.shared.open(configuration, .on(keeper))
          cores.withLock { $0.append(core) }
        } catch {
          Issue.record(error)
        }
      }
      let found = cores.withLock { $0 }
      #expect(found.count == 4 && found.allSatisfy { $0 === found[0] })
    }
  }
}
