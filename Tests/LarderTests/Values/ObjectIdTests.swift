import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import Larder

@Suite struct ObjectIdTests {
  @Test("Identifiers are different, carry their time, and print as 24 digits")
  func generated() {
    let before = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
    let made = (0..<10_000).map { _ in ObjectId.generate() }
    #expect(Set(made).count == 10_000)
    #expect(made.allSatisfy { $0.stringValue.count == 24 && $0.timestamp >= before && $0.timestamp <= Date() })
    // The random part is the same for the whole process.
    #expect(Set(made.map { $0.stringValue.dropFirst(8).prefix(10) }).count == 1)
  }

  @Test("E-71: text of any other form than 24 hexadecimal digits throws")
  func text() throws {
    let identifier = try ObjectId(string: "507F1f77bcf86cd799439011")
    #expect(identifier.stringValue == "507f1f77bcf86cd799439011" && "\(identifier)" == identifier.stringValue)
    #expect(identifier.timestamp == Date(timeIntervalSince1970: 1_350_508_407))
    #expect(ObjectId("000000000000000000000000") == ObjectId())
    for text in [
      "", "507f1f77bcf86cd79943901", "507f1f77bcf86cd7994390111", "507f1f77bcf86cd79943901g",
      "+07f1f77bcf86cd799439011",
    ] {
      let error = #expect(throws: Realm.Error.self) { try ObjectId(string: text) }
      #expect(error?.code == .invalidInput && error?.message.contains("'\(text)'") == true)
    }
  }

  @Test("E-71: a malformed literal ends the process") func literal() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MisuseCleanup.installed
      _ = ObjectId("nothing")
    }
    #expect(misuseText(result).contains("'nothing' is not a valid ObjectId"))
  }

  @Test("Ordered by bytes, equal and hashed by value, coded as text") func values() throws {
    var random = SeededRandom.forTest()
    let bytes = (0..<200).map { _ in ObjectIdBytes(high: random.next(), low: UInt32(truncatingIfNeeded: random.next()))
    }
    let ids = bytes.map { ObjectId($0) }
    #expect(ids.sorted().map(\.stringValue) == ids.map(\.stringValue).sorted())
    for id in ids {
      #expect(try ObjectId(string: id.stringValue) == id && (try ObjectId(string: id.stringValue)).hash == id.hash)
      #expect(id <= id && id >= id && !(id < id) && !(id > id))
    }
    #expect(try JSONDecoder().decode([ObjectId].self, from: JSONEncoder().encode(ids)) == ids)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([ObjectId].self, from: Data("[\"x\"]".utf8)) }
  }

  @Test("Made from a time, a machine and a process") func parts() {
    let id = ObjectId(timestamp: Date(timeIntervalSince1970: 258), machineId: 0x0A0B0C, processId: 0x0102)
    #expect(id.stringValue.hasPrefix("000001020a0b0c0102"))
    #expect(id.timestamp == Date(timeIntervalSince1970: 258))
    #expect(id != ObjectId(timestamp: id.timestamp, machineId: 0x0A0B0C, processId: 0x0102))
  }
}
