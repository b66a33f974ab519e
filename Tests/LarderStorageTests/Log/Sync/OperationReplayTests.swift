import TestSupport
import Testing

@testable import LarderStorage

/// Operations tell everything: an older version, changed as they say, is the newer one.
@Suite struct OperationReplayTests {
  @Test("L-13, L-16..L-21: operations applied to an older version give the newer one", arguments: [8, 496])
  func replay(clusterSize: Int) throws {
    var random = SeededRandom.forTest()
    let fixture = try OperationFixture(clusterSize: clusterSize)
    for round in 0..<40 {
      let older = try fixture.store.snapshot()
      for _ in 0..<random.int(1...4) { try fixture.change(&random) }
      let newer = try fixture.store.snapshot()
      var contents = try OperationContents(older)
      try OperationsReader(newer).forEach(after: older.version, upTo: newer.version) { version, time, operation in
        do {
          try contents.apply(operation)
        } catch {
          Issue.record("seed \(random.seed), round \(round), version \(version): \(operation): \(error)")
        }
        return true
      }
      let problem = contents.difference(try OperationContents(newer))
      #expect(problem == nil, "seed \(random.seed), round \(round): \(problem ?? "")")
      if problem != nil { return }
    }
    #expect(try StoreVerifier.verify(fixture.store.snapshot()).isEmpty)
  }
}
