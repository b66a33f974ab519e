import Testing

@testable import LarderStorage

@Suite struct Checksum64Tests {
  func hash(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 { bytes.withUnsafeBytes { Checksum64.hash($0, seed: seed) } }

  @Test func `the function is part of the file format`() {
    #expect(hash([]) == 0x52F4_3943_4B3E_6718)
    let empty = Checksum64.hash(UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(empty == hash([]))
    #expect(hash(Array("larder".utf8), seed: 1) == 0xF16A_157D_0BC0_BC19)
    #expect(hash((0..<200).map { UInt8($0) }, seed: 0xFFFF) == 0x2250_DF06_4B42_1F22)
  }

  @Test func `every single flipped bit changes it`() {
    var random = LeafRandom(seed: 3)
    for count in [1, 7, 8, 9, 15, 16, 17, 24, 63, 64, 65, 80, 129, 200] {
      var bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let before = hash(bytes, seed: 9)
      var unchanged = 0
      for bit in 0..<count * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8)
        if hash(bytes, seed: 9) == before { unchanged += 1 }
        bytes[bit / 8] ^= 1 << (bit % 8)
      }
      #expect(unchanged == 0, "\(count) bytes")
    }
  }

  @Test func `zeros of every length differ, and so do seeds`() {
    var seen: Set<UInt64> = []
    for count in 0..<300 { seen.insert(hash(Array(repeating: 0, count: count))) }
    for seed in 1..<300 { seen.insert(hash([], seed: UInt64(seed))) }
    for bit in 0..<64 { seen.insert(hash([1, 2, 3], seed: 1 << UInt64(bit))) }
    #expect(seen.count == 300 + 299 + 64)
  }

  @Test func `swapping words changes it`() {
    let words = (0..<32).map { UInt8($0) }
    let swapped = Array(words[8..<16] + words[0..<8] + words[16...])
    let lanes = Array(words[16...] + words[..<16])
    #expect(Set([hash(words), hash(swapped), hash(lanes)]).count == 3)
  }

  @Test func `address alignment does not matter`() {
    let bytes = (0..<130).map { UInt8($0) }
    for offset in 0..<8 {
      let shifted = Array(repeating: 0, count: offset) + bytes
      let moved = shifted.withUnsafeBytes { Checksum64.hash(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
      #expect(moved == hash(bytes))
    }
  }
}
