import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct ObjectSummaryTests {
  private let task = SchemaClass(
    "Task", primaryKey: "id",
    properties: [
      SchemaProperty("id", .int), SchemaProperty("owner", .string, isOptional: true, isQueryable: true),
      SchemaProperty("note", .string),
    ])

  private func state(_ properties: [CreatedProperty]) -> ObjectState {
    var state = ObjectState()
    let site = SiteID(high: 0, low: 7)
    _ = state.merge(.create(properties), stamp: Stamp(time: SyncTime(rawValue: 5), site: site, operation: 0))
    return state
  }

  @Test("a summary has the primary key and what is queryable, and nothing else")
  func summary() {
    let state = state([CreatedProperty("owner", .string("ann")), CreatedProperty("note", .string("long"))])
    let summary = ObjectSummary(of: state, ObjectName(className: "Task", key: .int(4)), in: task)
    #expect(summary == ObjectSummary(isAlive: true, values: ["id": .int(4), "owner": .string("ann")]))
    #expect(summary["note"] == .null)
  }

  @Test("an object that is not there has an empty summary")
  func unknown() {
    let summary = ObjectSummary(of: ObjectState(), ObjectName(className: "Task", key: .int(4)), in: task)
    #expect(summary == ObjectSummary())
  }

  @Test("bytes of a summary are read as the same summary, and cut ones are refused")
  func coding() throws {
    let summary = ObjectSummary(isAlive: true, values: ["owner": .string("ann"), "id": .int(-3), "when": .null])
    let bytes = summary.encoded()
    #expect(try ObjectSummary(decoding: bytes) == summary)
    for length in 0..<bytes.count {
      #expect(throws: SyncDecodingError.self) { try ObjectSummary(decoding: Array(bytes[..<length])) }
    }
  }

  @Test("properties in another order, and other flags than 0 and 1, are refused")
  func canonical() {
    let one = ObjectSummary(values: ["b": .bool(true)]).encoded()
    #expect(throws: SyncDecodingError.self) { try ObjectSummary(decoding: [2] + one[1...]) }
    // "b" and then "a".
    let swapped: [UInt8] = [0, 2, 2, 98, 2, 2, 97, 2]
    let ordered: [UInt8] = [0, 2, 2, 97, 2, 2, 98, 2]
    #expect(throws: SyncDecodingError.self) { try ObjectSummary(decoding: swapped) }
    #expect(throws: Never.self) { try ObjectSummary(decoding: ordered) }
  }
}
