import Foundation
import Testing

@testable import LarderStorage

/// Values that are too long for a leaf.
@Suite struct LeafEvictionTests {
  @Test func `a value longer than 1,024 bytes never stays`() throws {
    let buffer = ColumnBuffer(type: .string, capacity: 8)
    let long = String(repeating: "ö", count: 5_000)
    buffer.setString(0, "short")
    buffer.setString(1, long)
    buffer.setString(2, String(repeating: "x", count: 1_024))
    buffer.setString(3, String(repeating: "x", count: 1_025))
    #expect(buffer.string(1) == long)
    let leaf = buffer.encode(key: 1)
    #expect(leaf.evicted.map(\.slot) == [1, 3])
    #expect(leaf.evicted[0].bytes == Array(long.utf8))
    try withLeaf(leaf.bytes, key: 1) { view in
      #expect((0..<4).map { view.isLarge($0) } == [false, true, false, true])
      let stub = try #require(view.largeStub(1))
      #expect(stub.length == 10_000)
      #expect(stub.hash == Array(long.utf8).withUnsafeBytes { UInt32(truncatingIfNeeded: Checksum64.hash($0)) })
      #expect(view.largeStub(0) == nil)
      #expect(throws: StorageError.self) { try view.value(1) }
      #expect(try view.value(0) == .string("short"))
      let copy = ColumnBuffer(decoding: view, capacity: 8)
      #expect(copy.isLarge(1) && !copy.isLarge(2))
      #expect(copy.largeStub(3)?.length == 1_025)
      #expect(copy.string(2).utf8.count == 1_024)
      let again = copy.encode(key: 1)
      #expect(again.evicted.isEmpty)
      #expect(again.bytes == leaf.bytes)
    }
    #expect(buffer.isLarge(1))
    buffer.setString(1, "replaced")
    #expect(!buffer.isLarge(1))
    buffer.setNull(3)
    #expect(!buffer.isLarge(3))
    try withLeaf(buffer.encode(key: 1).bytes, key: 1) { view in
      #expect(!view.hasLarge)
      #expect(view.string(1) == "replaced")
      #expect(view.isNull(3))
    }
  }

  @Test func `the longest values go until the rest fits`() throws {
    let buffer = ColumnBuffer(type: .data, capacity: 100)
    for slot in 0..<100 { buffer.set(slot, .data(Data(repeating: UInt8(slot), count: slot * 5))) }
    let total = (0..<100).reduce(0) { $0 + $1 * 5 }
    let leaf = buffer.encode(key: 1, softLimit: 16_320)
    #expect(total > 16_320)
    let slots = leaf.evicted.map(\.slot)
    #expect(slots == Array((100 - slots.count)..<100))
    for (slot, bytes) in leaf.evicted { #expect(bytes == Array(repeating: UInt8(slot), count: slot * 5)) }
    try withLeaf(leaf.bytes, key: 1) { view in
      #expect(view.base <= 16_320)
      #expect(view.base > 16_320 - 495)
      for slot in 0..<100 - slots.count { #expect(view.bytes(slot).count == slot * 5) }
    }
  }

  @Test func `short values stay, whatever the limit`() throws {
    let buffer = ColumnBuffer(type: .string, capacity: 200)
    for slot in 0..<200 { buffer.setString(slot, String(repeating: "s", count: 64)) }
    let leaf = buffer.encode(key: 1, softLimit: 100)
    #expect(leaf.evicted.isEmpty)
    try withLeaf(leaf.bytes, key: 1) { #expect($0.base == 200 * 64) }
  }

  @Test func `absent long values are dropped, not evicted`() throws {
    let buffer = ColumnBuffer(type: .string, capacity: 2)
    buffer.setString(0, String(repeating: "a", count: 3_000))
    buffer.setString(1, "b")
    var present = Bitmap(count: 2)
    present.set(1)
    let leaf = buffer.encode(key: 1, present: present)
    #expect(leaf.evicted.isEmpty)
    #expect(leaf.bytes.count < 100)
  }

  @Test func `editing moves large slots along`() throws {
    let buffer = ColumnBuffer(type: .string, capacity: 10)
    buffer.append(.string("a"))
    buffer.append(.string(String(repeating: "l", count: 2_000)))
    buffer.append(.string("c"))
    _ = buffer.encode(key: 1)
    buffer.insert(at: 0, .string("first"))
    #expect((0..<4).map { buffer.isLarge($0) } == [false, false, true, false])
    buffer.remove(0..<2)
    #expect((0..<2).map { buffer.isLarge($0) } == [true, false])
    let other = ColumnBuffer(type: .string, capacity: 10)
    other.append(0..<2, of: buffer)
    #expect(other.largeStub(0)?.length == 2_000)
    #expect(other.value(1) == .string("c"))
  }
}
