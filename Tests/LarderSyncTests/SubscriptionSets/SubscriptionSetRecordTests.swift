import LarderSync
import LarderSyncProtocol
import Testing

@Suite("The record of a set of subscriptions")
struct SubscriptionSetRecordTests {
  private let people = SubscriptionRecord(
    name: "people", className: "Person", predicate: "age > 3 AND born < %@",
    arguments: [.date(SyncDate(seconds: 12))], createdAt: 5, updatedAt: 6)
  private let refusal = SyncFailure(.query, action: .carryOn, message: "no", subject: "age > 3")

  @Test("A set is read as it was written, in every state")
  func coding() throws {
    let first = SubscriptionSetRecord().changed(to: [people])
    for record in [
      SubscriptionSetRecord(), first, first.completed(version: 1), first.refused(version: 1, refusal),
      first.completed(version: 1).changed(to: []),
    ] {
      #expect(try SubscriptionSetRecord(decoding: record.encoded()) == record)
    }
  }

  @Test("Bytes that are cut short are refused")
  func damaged() {
    let bytes = SubscriptionSetRecord().changed(to: [people]).encoded()
    for count in 0..<bytes.count {
      #expect(throws: SyncDecodingError.self) { try SubscriptionSetRecord(decoding: Array(bytes.prefix(count))) }
    }
  }

  @Test("Y-1: A change makes the next version, which is pending")
  func versions() {
    let second = SubscriptionSetRecord().changed(to: [people]).completed(version: 1).changed(to: [])
    #expect(second.version == 2)
    #expect(second.state == SubscriptionSetState.pending)
    #expect(second.completedVersion == 1)
  }

  @Test("Y-5: A refused version leaves in force what was")
  func refused() {
    let first = SubscriptionSetRecord().changed(to: [people]).completed(version: 1)
    let second = first.changed(to: []).refused(version: 2, refusal)
    #expect(second.state == SubscriptionSetState.error(refusal))
    #expect(second.inForce == first.subscribe)
    #expect(second.changed(to: [people]).version == 3)
  }

  @Test("Y-3: What the server says of an older version changes nothing")
  func superseded() {
    let second = SubscriptionSetRecord().changed(to: [people]).changed(to: [])
    #expect(second.completed(version: 1) == second)
    #expect(second.refused(version: 1, refusal) == second)
  }
}
