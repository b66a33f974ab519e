import Foundation
import LarderLMDB
import TestSupport
import Testing

@Suite("Keys and views")
struct KeyBytesTests {
  @Test("bytes are kept whatever way they came in, inline or not")
  func building() throws {
    var random = SeededRandom.forTest()
    for _ in 0..<300 {
      var expected: [UInt8] = []
      var key = KeyBytes()
      for _ in 0..<random.int(0...8) {
        switch random.int(0...4) {
        case 0:
          let word = random.next()
          key.append(word)
          expected += withUnsafeBytes(of: word.bigEndian) { Array($0) }
        case 1:
          key.append(UInt16(7))
          expected += [0, 7]
        case 2:
          key.append(byte: 9)
          expected.append(9)
        default:
          let bytes = random.bytes(count: random.int(0...40))
          key.append(contentsOf: bytes)
          expected += bytes
        }
      }
      #expect(key.bytes == expected && key.count == expected.count)
      #expect(key == KeyBytes(bytes: expected) && key.hashValue == KeyBytes(bytes: AnySequence(expected)).hashValue)
      key.pad()
      #expect(key.count % 8 == 0 && key.bytes.starts(with: expected))
    }
  }

  @Test("byte order of integer keys is their order")
  func order() {
    let numbers: [UInt64] = [0, 1, 255, 256, 65_535, 1 << 32, .max - 1, .max]
    for (left, right) in zip(numbers, numbers.dropFirst()) {
      #expect(KeyBytes(left).bytes.lexicographicallyPrecedes(KeyBytes(right).bytes))
      #expect(KeyBytes(1, left, 2).bytes.lexicographicallyPrecedes(KeyBytes(1, right, 0).bytes))
    }
    #expect(KeyBytes(1, 2).bytes == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2])
  }

  @Test("a view reads little- and big-endian numbers and parts")
  func views() {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    bytes.withUnsafeBytes { raw in
      let view = ByteView(base: raw.baseAddress!, count: raw.count)
      #expect(view.load(0, as: UInt16.self) == 0x0201)
      #expect(view.loadBigEndian(1, as: UInt64.self) == 0x0203_0405_0607_0809)
      #expect(view.slice(3, 2).bytes == [4, 5])
      #expect(view.slice(9, 0).bytes.isEmpty)
    }
  }

  @Test("reading outside of a view traps")
  func bounds() async {
    await #expect(processExitsWith: .failure) {
      [UInt8](repeating: 0, count: 9).withUnsafeBytes { raw in
        _ = ByteView(base: raw.baseAddress!, count: raw.count).load(2, as: UInt64.self)
      }
    }
    await #expect(processExitsWith: .failure) {
      [UInt8](repeating: 0, count: 9).withUnsafeBytes { raw in
        _ = ByteView(base: raw.baseAddress!, count: raw.count).slice(8, 2)
      }
    }
  }
}
