import Foundation
import Testing

@testable import Larder

/// Tests of what the library assumes of the Swift runtime.
@Suite("Runtime")
struct RuntimeTests {
  private final class Sample {
    var number = 7
    let text = "a text that is too long for a small string, and so refers to memory"
  }

  private actor Worker {
    func isCurrent(_ other: any Actor) -> Bool { Executors.isCurrent(other) }
    func name() -> String? { Executors.currentActorName }
  }

  @Test("the layout of objects is the one that is known here")
  func layout() {
    #if canImport(ObjectiveC)
      #expect(!ObjectMemory.isKnown)
    #else
      #expect(ObjectMemory.isKnown)
    #endif
  }

  @Test("counts tell one reference from two")
  func counts() {
    let sample = Unmanaged.passRetained(Sample())
    let alone = ObjectMemory.counts(of: sample)
    do {
      let second = ObjectMemory.retainedAlone(sample)
      #expect(ObjectMemory.counts(of: sample) != alone && second.number == 7)
    }
    #expect(ObjectMemory.counts(of: sample) == alone)
    sample.release()
  }

  @Test("a loose reference gives its object, and nothing while the object ends")
  func looseReference() {
    final class Ending {
      var reference: LooseReference<Ending>?
      var atEnd: (Bool) -> Void = { _ in }
      deinit { atEnd(reference?.retained == nil) }
    }
    var wasMissing = false
    do {
      let object = Ending()
      let reference = LooseReference(object)
      object.reference = reference
      object.atEnd = { wasMissing = $0 }
      #expect(reference.retained === object && reference.refers(to: object) && !reference.refers(to: Ending()))
    }
    #expect(wasMissing)
  }

  @Test("each thread has a pointer of its own, and is asked for it when it ends")
  func threadPointer() throws {
    final class Seen: @unchecked Sendable {
      // Unchecked: read after the thread has signalled its end.
      let ended = DispatchSemaphore(value: 0)
      var before: UnsafeMutableRawPointer?
    }
    let place = try #require(
      ThreadPointer { Unmanaged<DispatchSemaphore>.fromOpaque($0).takeRetainedValue().signal() })
    let seen = Seen()
    let mine = UnsafeMutableRawPointer(bitPattern: 8)
    let other = ThreadPointer()
    other?.set(mine)
    Thread.detachNewThread {
      seen.before = place.value ?? other?.value
      place.set(Unmanaged.passRetained(seen.ended).toOpaque())
    }
    seen.ended.wait()
    #expect(seen.before == nil && other?.value == mine && place.value == nil)
    other?.set(nil)
  }

  @Test("an actor is current on itself only")
  func executors() async {
    let (first, second) = (Worker(), Worker())
    #expect(await first.isCurrent(first))
    #expect(await !first.isCurrent(second))
    #expect(await first.name() == "Worker")
    #expect(!Executors.isCurrent(first))
  }

  @Test("the records of types lead to the classes of this image")
  func typeRecords() {
    let found = TypeRecords.sections().flatMap { TypeRecords.classes(in: $0) }
    #expect(found.contains { $0 == Person.self })
    #expect(!found.contains { $0 == Sample.self }, "has no superclass")
  }
}
