import Foundation
import LarderLMDB
import Testing

@testable import LarderStorage

/// Damaged bytes give an error or arbitrary values, never a trap or a read outside of the leaf.
@Suite struct LeafDamageTests {
  func samples() -> [[UInt8]] {
    var random = LeafRandom(seed: 11)
    var leaves: [[UInt8]] = []
    for type in LeafSamples.storedTypes {
      for (count, spread) in [(0, 0), (1, 3), (9, 50), (70, 20), (496, 10)] {
        let buffer = ColumnBuffer(type: type, capacity: 496)
        for slot in 0..<count {
          buffer.set(
            slot, random.next() % 5 == 0 ? .null : LeafSamples.random(type, spread: spread, using: &random))
        }
        if type == .string, count == 9 { buffer.setString(4, String(repeating: "l", count: 2_000)) }
        leaves.append(buffer.encode(key: 5).bytes)
      }
    }
    leaves.append(EncodedLeaf.presence(Bitmap(count: 496, repeating: true), key: 5))
    let dense = ColumnBuffer(type: .int, capacity: 496)
    for slot in 0..<496 { dense.setInt(slot, Int64(slot)) }
    leaves.append(dense.encode(key: 5).bytes)
    return leaves
  }

  /// Reads everything there is to read; copies the bytes to the very end of an allocation first.
  func readAll(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, let leaf = try? LeafView(ByteView(base: base, count: buffer.count)) else {
        return
      }
      let start = UInt(bitPattern: base)
      let end = start + UInt(buffer.count)
      for slot in 0..<leaf.count {
        if leaf.type != nil { _ = try? leaf.value(slot) }
        _ = leaf.largeStub(slot)
        if leaf.type == .string || leaf.type == .data {
          let bytes = leaf.pointers.bytes(slot)
          let first = UInt(bitPattern: bytes.baseAddress)
          #expect(first >= start && first + UInt(bytes.count) <= end)
        }
      }
      _ = leaf.problem()
      _ = leaf.integerRange
      _ = leaf.doubleRange
      guard leaf.type != nil else { return _ = leaf.bitmap() }
      // Values of any type are checked before a leaf is copied, as the writer does.
      if leaf.type == .mixed, (try? leaf.checkMixed()) == nil { return }
      readCopy(ColumnBuffer(decoding: leaf, capacity: 8))
    }
  }

  func readCopy(_ copy: ColumnBuffer) {
    for slot in 0..<copy.count where !copy.isLarge(slot) { _ = copy.value(slot) }
    _ = copy.encode(key: 1)
  }

  @Test func `20,000 random mutations`() {
    let seed = UInt64.random(in: 0 ... .max)
    print("leaf mutation seed \(seed)")
    var random = LeafRandom(seed: seed)
    let leaves = samples().filter { $0.count < 1_200 }
    for _ in 0..<20_000 {
      var bytes = leaves[Int(random.next() % UInt64(leaves.count))]
      for _ in 0...random.next() % 3 {
        // Half of the changes hit the header, where the damage is worst.
        let limit = random.next() & 1 == 0 ? 32 : bytes.count
        let position = Int(random.next() % UInt64(max(limit, 1)))
        if position < bytes.count { bytes[position] = UInt8(truncatingIfNeeded: random.next()) }
      }
      if random.next() % 8 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count + 1))) }
      readAll(bytes)
    }
  }

  @Test func `random bytes`() {
    var random = LeafRandom(seed: 12)
    for _ in 0..<2_000 {
      var bytes = (0..<Int(random.next() % 200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      if bytes.count > 15 {
        bytes[8] = UInt8(random.next() % 6)
        bytes[9] = [0, 1, 2, 4, 8, 12, 16][Int(random.next() % 7)]
        bytes[11] = UInt8(random.next() % 13)
        bytes[13] = 0
        bytes[14] = 0
        bytes[15] = 0
      }
      readAll(bytes)
    }
  }

  @Test func `every truncation is an error`() throws {
    for leaf in samples() where leaf.count < 2_100 {
      for length in Swift.stride(from: 0, to: leaf.count, by: leaf.count < 200 ? 1 : 8) {
        try Array(leaf[..<length] + [0]).withUnsafeBytes { buffer in
          let view = ByteView(base: try #require(buffer.baseAddress), count: length)
          #expect(throws: StorageError.self) { try LeafView(view) }
          #expect(!LeafView.verify(view, key: 5))
        }
      }
    }
  }

  @Test func `the checksum notices any flipped bit and another key`() throws {
    for leaf in samples() where leaf.count < 700 {
      var bytes = leaf
      var missed = 0
      for bit in 0..<bytes.count * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8)
        if bytes.withUnsafeBytes({ LeafView.verify(ByteView(base: $0.baseAddress!, count: $0.count), key: 5) }) {
          missed += 1
        }
        bytes[bit / 8] ^= 1 << (bit % 8)
      }
      #expect(missed == 0)
      for key in [UInt64(0), 4, 6, 5 << 16, 5 << 48, .max] {
        #expect(
          !bytes.withUnsafeBytes { LeafView.verify(ByteView(base: $0.baseAddress!, count: $0.count), key: key) })
      }
    }
  }
}
