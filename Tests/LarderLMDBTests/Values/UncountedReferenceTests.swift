import LarderLocks
import Testing

@testable import LarderLMDB

@Suite("References that do not count")
struct UncountedReferenceTests {
  private final class Place: Sendable {
    let object = Lock<UncountedReference<Visitor>?>(nil)
  }

  private final class Visitor: Sendable {
    private let place: Place

    init(_ place: Place) {
      self.place = place
      place.object.withLock { $0 = UncountedReference(self) }
    }

    /// Checks that it can no longer be found while it is deinitialised.
    deinit {
      let found = place.object.withLock { object in
        defer { object = nil }
        return object?.retained
      }
      #expect(found == nil)
    }
  }

  @Test("it finds the object while it lives, and not while it goes")
  func life() {
    let place = Place()
    var visitor: Visitor? = Visitor(place)
    #expect(place.object.withLock { $0?.retained } === visitor)
    #expect(place.object.withLock { object in visitor.map { object?.refers(to: $0) } } == true)
    visitor = nil
    #expect(place.object.withLock { $0 == nil })
  }

  @Test("threads that look while others let go find it alive or not at all")
  func threads() async {
    let place = Place()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<2_000 {
            let found = place.object.withLock { $0?.retained }
            withExtendedLifetime(found) {}
          }
        }
      }
      group.addTask { for _ in 0..<2_000 { _ = Visitor(place) } }
    }
    #expect(place.object.withLock { $0 == nil })
  }
}
