import LarderSyncProtocol
import TestBasics
import Testing

@Suite("Bytes of numbers and texts")
struct ByteReaderTests {
  @Test("numbers come back, and have one form")
  func numbers() throws {
    var random = SeededRandom.forTest()
    for _ in 0..<2_000 {
      let number = random.anyInt64()
      var writer = ByteWriter()
      writer.varint(UInt64(bitPattern: number))
      writer.signed(number)
      writer.fixed32(UInt32(truncatingIfNeeded: number))
      writer.fixed64(UInt64(bitPattern: number))
      var reader = ByteReader(writer.bytes)
      #expect(try reader.varint() == UInt64(bitPattern: number))
      #expect(try reader.signed() == number)
      #expect(try reader.fixed32() == UInt32(truncatingIfNeeded: number))
      #expect(try reader.fixed64() == UInt64(bitPattern: number))
      try reader.finish()
    }
  }

  @Test(
    "numbers in other forms, or above 64 bits, are refused",
    arguments: [
      ([0x80, 0], .notMinimal), ([0xFF, 0x80, 0], .notMinimal), ([0x80], .truncated(needed: 1)),
      ([255, 255, 255, 255, 255, 255, 255, 255, 255, 2], .overflow),
      ([255, 255, 255, 255, 255, 255, 255, 255, 255, 0x81], .overflow),
    ] as [([UInt8], SyncDecodingError.Reason)])
  func refused(bytes: [UInt8], reason: SyncDecodingError.Reason) {
    var reader = ByteReader(bytes)
    let error = #expect(throws: SyncDecodingError.self) { try reader.varint() }
    #expect(error?.reason == reason)
  }

  @Test("the largest number has ten bytes")
  func largest() throws {
    var writer = ByteWriter()
    writer.varint(.max)
    #expect(writer.bytes == [255, 255, 255, 255, 255, 255, 255, 255, 255, 1])
    var reader = ByteReader(writer.bytes)
    #expect(try reader.varint() == .max)
  }
}
