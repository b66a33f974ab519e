import LarderLocks
import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

@Suite("Work that is stopped")
struct InterruptionTests {
  @Test("A query that is stopped ends; others go on")
  func queries() throws {
    var random = SeededRandom.forTest()
    let fixture = try RandomStore(&random, objects: 200, clusterSize: 8)
    let snapshot = try fixture.store.snapshot()
    let all = ResultsQuery(fixture.classID)
    let queries = [
      try all.filtered("ratio > 0 OR name CONTAINS 'a'", schema: snapshot.schema),
      try all.filtered("ints.@sum > tiny", schema: snapshot.schema),
      try all.sorted([(keyPath: "nick", ascending: true)], schema: snapshot.schema), all,
    ]
    for query in queries {
      let expected = try query.keys(in: snapshot)
      let interruption = Interruption()
      #expect(try Interruption.$current.withValue(interruption) { try query.keys(in: snapshot) } == expected)
      interruption.stop()
      #expect(throws: Interruption.Stopped.self) {
        try Interruption.$current.withValue(interruption) { try query.keys(in: snapshot) }
      }
      #expect(try query.keys(in: snapshot) == expected)
    }
  }

  @Test("Work that finishes is not stopped, and stopped work does not finish")
  func finishing() throws {
    let finished = Interruption()
    try finished.finish()
    #expect(!finished.stop())
    try finished.check()
    try finished.finish()
    let stopped = Interruption()
    #expect(stopped.stop() && stopped.stop())
    #expect(throws: Interruption.Stopped.self) { try stopped.finish() }
    #expect(throws: Interruption.Stopped.self) { try stopped.check() }
  }
}
