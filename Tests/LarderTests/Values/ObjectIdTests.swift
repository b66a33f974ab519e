import Foundation
import Testing

@testable import Larder

@Suite struct ObjectIdTests {
  @Test("Text of 24 hexadecimal digits round-trips; anything else throws")
  func text() throws {
    let id = try ObjectId(string: "0123456789abcdefFEDCBA98")
    #expect(id.stringValue == "0123456789abcdeffedcba98")
    #expect(ObjectId("0123456789abcdeffedcba98") == id)
    for bad in ["", "0123456789abcdeffedcba9", "0123456789abcdeffedcba9g", "0123456789abcdeffedcba988"] {
      #expect(throws: Realm.Error.self) { try ObjectId(string: bad) }
    }
    #expect(try JSONDecoder().decode([ObjectId].self, from: JSONEncoder().encode([id])) == [id])
  }

  @Test("Generated ids differ, rise within a second, and carry the time")
  func generating() {
    let ids = (0..<1_000).map { _ in ObjectId.generate() }
    #expect(Set(ids).count == 1_000)
    #expect(abs(ids[0].timestamp.timeIntervalSinceNow) < 5)
    #expect(ObjectId("000000000000000000000001") < ObjectId("000000000000000000000100"))
  }
}
