import Foundation
import LarderLMDB
import Testing

@testable import LarderStorage

/// Faults inside of leaves whose checksum would be right.
@Suite struct LeafVerifyTests {
  func problem(_ bytes: [UInt8], present: Bitmap? = nil) throws -> String? {
    try bytes.withUnsafeBytes { buffer in
      try LeafView(ByteView(base: try #require(buffer.baseAddress), count: buffer.count)).problem(present: present)
    }
  }

  func leaf(_ type: ColumnType, _ values: [StoredValue]) -> [UInt8] {
    let buffer = ColumnBuffer(type: type, capacity: 100)
    for value in values { buffer.append(value) }
    return buffer.encode(key: 1).bytes
  }

  @Test func `a sound leaf has none, whatever the absent slots hold`() throws {
    var random = LeafRandom(seed: 21)
    for type in LeafSamples.storedTypes {
      var values = (0..<50).map { _ in LeafSamples.random(type, spread: 20, using: &random) }
      values[7] = .null
      let bytes = leaf(type, values)
      #expect(try problem(bytes) == nil)
      var present = Bitmap(count: 50, repeating: true)
      present.clear(3)
      let buffer = ColumnBuffer(type: type, capacity: 50)
      for (slot, value) in values.enumerated() { buffer.set(slot, value) }
      #expect(try problem(buffer.encode(key: 1, present: present).bytes, present: present) == nil)
    }
  }

  @Test func `each fault is named`() throws {
    var bytes = leaf(.int, [.int(10), .int(20), .null])
    bytes[14] = 2
    #expect(try problem(bytes)?.contains("null slots") == true)
    bytes[14] = 1
    bytes[24] = 15
    #expect(try problem(bytes)?.contains("range in slot 1") == true)
    bytes[10] &= ~LeafFlag.range
    #expect(try problem(bytes)?.contains("no range") == true)

    bytes = leaf(.int, [.null, .int(20)])
    bytes[32] = 0b1000_0000
    #expect(try problem(bytes)?.contains("beyond its last slot") == true)

    bytes = leaf(.double, [.double(.nan), .double(3)])
    bytes[10] &= ~LeafFlag.notANumber
    #expect(try problem(bytes)?.contains("NaN") == true)

    bytes = leaf(.date, [.date(Timestamp(seconds: 1, nanoseconds: 5))])
    bytes[35] = 0xFF
    #expect(try problem(bytes)?.contains("nanoseconds") == true)

    bytes = leaf(.string, [.string("abc"), .string("def")])
    bytes[42] = 0xFF
    #expect(try problem(bytes)?.contains("UTF-8") == true)
    bytes[42] = 0x61
    bytes[35] = 9
    #expect(try problem(bytes)?.contains("backwards") == true)
    bytes[35] = 3
    bytes[36] = 5
    #expect(try problem(bytes)?.contains("offsets say 5") == true)

    bytes = leaf(.data, [.data(Data(repeating: 1, count: 2_000))])
    #expect(try problem(bytes) == nil)
    bytes[43] = 7
    bytes[16] = 7
    #expect(try problem(bytes)?.contains("stub") == true)
  }
}
