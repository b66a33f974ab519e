import Testing

@testable import LarderLMDB

@Suite("References that their object clears")
struct ClearedReferenceTests {
  private final class Guest: Sendable {
    let reference: ClearedReference<Guest>

    init(_ reference: ClearedReference<Guest>) {
      self.reference = reference
      reference.set(self)
    }

    deinit { reference.clear() }
  }

  @Test("it finds the object while it lives, and keeps it no longer than it is used")
  func life() {
    let reference = ClearedReference<Guest>()
    #expect(reference.object == nil)
    var guest: Guest? = Guest(reference)
    #expect(reference.object === guest)
    guest = nil
    #expect(reference.object == nil)
  }

  @Test("a thread may be the last that holds it")
  func lastHolder() async {
    let reference = ClearedReference<Guest>()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask { for _ in 0..<2_000 { withExtendedLifetime(reference.object) {} } }
      }
      group.addTask { for _ in 0..<2_000 { withExtendedLifetime(Guest(reference)) {} } }
    }
    #expect(reference.object == nil)
  }
}
