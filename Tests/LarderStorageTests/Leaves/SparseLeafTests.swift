import LarderLMDB
import Testing

@testable import LarderStorage

@Suite("Sparse leaves")
struct SparseLeafTests {
  /// A column of so many random values, some of them nil.
  private func column(_ type: ColumnType, count: Int, nils: Bool, _ random: inout LeafRandom) -> ColumnBuffer {
    let buffer = ColumnBuffer(type: type, capacity: 992, isOptional: nils)
    let spread = Int(random.next() % 64)
    for slot in 0..<count {
      let isNil = nils && random.next() % 4 == 0
      buffer.set(slot, isNil ? .null : LeafSamples.random(type, spread: spread, using: &random))
    }
    if type == .string, random.next() & 1 == 0 { buffer.setString(count / 2, String(repeating: "l", count: 2_000)) }
    return buffer
  }

  @Test("a sparse leaf expands to the bytes that it was made of", arguments: LeafSamples.storedTypes, [false, true])
  func expandsToTheSameBytes(_ type: ColumnType, nils: Bool) throws {
    var random = LeafRandom(seed: 7 + UInt64(type.rawValue))
    var packings = 0
    for round in 0..<60 {
      let buffer = column(type, count: 64 + Int(random.next() % 929), nils: nils, &random)
      var present = Bitmap(count: 992)
      let most = 1 + random.next() % UInt64(buffer.count / 4)
      for _ in 0...random.next() % most { present.set(Int(random.next() % UInt64(buffer.count))) }
      let key = random.next()
      let whole = buffer.encode(key: key, present: present).bytes
      guard let packed = SparseLeaf.packed(whole, present: present, key: key) else { continue }
      packings += 1
      #expect(packed.count * 2 <= whole.count)
      #expect(packed.withView { LeafView.verify($0, key: key) })
      #expect(packed.withView { (try? LeafView($0)) == nil }, "no reader may take it for a whole leaf")
      #expect(packed.withView { LeafView.size(within: $0) } == packed.count)
      let expanded = try packed.withView { try SparseLeaf($0).expanded(key: key) }
      #expect(expanded == whole, "\(type) in round \(round)")
    }
    #expect(packings > 0)
  }

  @Test("numbers of ten slots of 992 take a tenth of the bytes")
  func tenOfAThousand() throws {
    let buffer = ColumnBuffer(type: .double, capacity: 992)
    for slot in 0..<992 { buffer.setDouble(slot, Double(slot) * 1.5) }
    var present = Bitmap(count: 992)
    for slot in stride(from: 7, to: 992, by: 100) { present.set(slot) }
    let whole = buffer.encode(key: 1, present: present).bytes
    let packed = try #require(SparseLeaf.packed(whole, present: present, key: 1))
    #expect(packed.count == 40 + 24 + 80)
  }

  @Test("what is full, short or a sequence stays as it is")
  func staysWhole() {
    let buffer = ColumnBuffer(type: .int, capacity: 992)
    for slot in 0..<992 { buffer.setInt(slot, Int64(slot) * 3) }
    var present = Bitmap(count: 992)
    for slot in 0..<40 { present.set(slot) }
    let linear = buffer.encode(key: 1, present: present).bytes
    #expect(SparseLeaf.packed(linear, present: present, key: 1) == nil)
    let full = Bitmap(count: 992, repeating: true)
    let other = ColumnBuffer(type: .int, capacity: 992)
    for slot in 0..<992 { other.setInt(slot, Int64(slot * slot)) }
    let whole = other.encode(key: 1, present: full).bytes
    #expect(SparseLeaf.packed(whole, present: full, key: 1) == nil)
  }

  @Test("damaged sparse leaves are refused or read, and nothing else")
  func damage() {
    var random = LeafRandom(seed: 11)
    for type in LeafSamples.storedTypes {
      let buffer = column(type, count: 512, nils: true, &random)
      var present = Bitmap(count: 992)
      for slot in stride(from: 3, to: 512, by: 61) { present.set(slot) }
      let whole = buffer.encode(key: 5, present: present).bytes
      guard let packed = SparseLeaf.packed(whole, present: present, key: 5) else { continue }
      for _ in 0..<400 {
        var damaged = packed
        damaged[8 + Int(random.next() % UInt64(damaged.count - 8))] = UInt8(truncatingIfNeeded: random.next())
        if random.next() % 4 == 0 { damaged.removeLast(8) }
        damaged.withView { bytes in
          guard let leaf = try? StoredLeaf(bytes, key: 5) else { return }
          withExtendedLifetime(leaf.memory) { _ = leaf.view.problem() }
        }
      }
    }
  }
}
