import LarderQuery
import LarderStorage
import Testing

@testable import LarderObservation

@Suite("Sort memory")
struct SortKeyCacheTests {
  private let one = ObjectKey(rawValue: 1)
  private let two = ObjectKey(rawValue: 2)

  private func value(_ number: Int64) -> [SortValue] { [SortValue(.int(number))] }

  /// Returns what the step says of a key, and true if it had to be read.
  private func ask(_ step: SortStep, _ key: ObjectKey, stored: Int64) -> (value: [SortValue], wasRead: Bool) {
    var wasRead = false
    let found = step.values(key) {
      wasRead = true
      return value(stored)
    }
    return (found, wasRead)
  }

  @Test("what was learned is kept over versions, except of objects that change") func kept() {
    let memory = SortKeyCache()
    memory.learn([one: value(10), two: value(20)], anchors: 2, version: 5)
    let step = memory.step(from: 5, to: 7, changed: KeyRanges([two]))
    #expect(ask(step, one, stored: 10) == (value(10), false))
    // On the way it is read in both versions, and never kept.
    #expect(ask(step, two, stored: 20) == (value(20), true))
    #expect(ask(step, two, stored: 21) == (value(21), true))
    let next = memory.step(from: 7, to: 8, changed: KeyRanges())
    #expect(ask(next, two, stored: 21) == (value(21), true))
    #expect(ask(next, two, stored: 99) == (value(21), false))
  }

  @Test("a step from another version finds nothing, and a step that was overtaken leaves nothing") func versions() {
    let memory = SortKeyCache()
    memory.learn([one: value(10)], anchors: 1, version: 5)
    let slow = memory.step(from: 5, to: 6, changed: KeyRanges())
    let other = memory.step(from: 3, to: 9, changed: KeyRanges())
    #expect(ask(other, one, stored: 11) == (value(11), true))
    #expect(ask(slow, one, stored: 10) == (value(10), true))
    #expect(ask(slow, two, stored: 20) == (value(20), true))
    let next = memory.step(from: 9, to: 10, changed: KeyRanges())
    #expect(ask(next, one, stored: 0) == (value(11), false))
    #expect(ask(next, two, stored: 21) == (value(21), true))
  }

  @Test("it does not grow without bound") func bounded() {
    let memory = SortKeyCache()
    let step = memory.step(from: 0, to: 1, changed: KeyRanges())
    for key in 0..<1_000 { _ = ask(step, ObjectKey(rawValue: UInt64(key)), stored: 1) }
    #expect(memory.count <= 256)
  }
}
