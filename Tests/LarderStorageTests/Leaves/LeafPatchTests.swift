import Foundation
import LarderLMDB
import Testing

@testable import LarderStorage

/// Leaves in which one value was put in the place of another (`LeafPatch`).
@Suite("Patched leaves")
struct LeafPatchTests {
  /// The values of a column as an array, and the leaf that holds them.
  private struct Column {
    let type: ColumnType
    let isOptional: Bool
    var values: [StoredValue]
    var leaf: [UInt8]

    init(_ type: ColumnType, count: Int, isOptional: Bool, lengths: Range<Int>, key: UInt64, _ random: inout LeafRandom)
    {
      self.type = type
      self.isOptional = isOptional
      let values = (0..<count).map { _ in LeafPatchTests.value(type, isOptional, lengths, &random) }
      let buffer = ColumnBuffer(type: type, capacity: 992, isOptional: isOptional)
      for (slot, value) in values.enumerated() { buffer.set(slot, value) }
      leaf = buffer.encode(key: key).bytes
      self.values = values
    }
  }

  private static func value(
    _ type: ColumnType, _ isOptional: Bool, _ lengths: Range<Int>, _ random: inout LeafRandom
  ) -> StoredValue {
    if isOptional, random.next() % 5 == 0 { return .null }
    let length = Int.random(in: lengths, using: &random)
    if type == .data { return .data(Data((0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) })) }
    return .string(String((0..<length).map { _ in Character(Unicode.Scalar(UInt8(97 + random.next() % 26))) }))
  }

  private static func bytes(_ value: StoredValue) -> [UInt8]? {
    switch value {
    case .string(let text): Array(text.utf8)
    case .data(let data): Array(data)
    default: nil
    }
  }

  @Test(
    "a patched leaf holds the new value and all others, and nothing that contradicts itself",
    arguments: [ColumnType.string, .data], [false, true])
  func patches(_ type: ColumnType, isOptional: Bool) throws {
    var random = LeafRandom(seed: 41 + UInt64(type.rawValue))
    var widths: Set<Int> = []
    var patches = 0
    for round in 0..<150 {
      let lengths = [0..<20, 0..<60, 30..<64, 0..<1][round % 4]
      let key = random.next()
      var column = Column(
        type, count: 1 + Int(random.next() % 992), isOptional: isOptional, lengths: lengths, key: key, &random)
      for _ in 0..<12 {
        var changed: [Int: StoredValue] = [:]
        for _ in 0...random.next() % 6 {
          let slot = Int(random.next() % UInt64(column.values.count))
          changed[slot] = Self.value(type, isOptional, round % 7 == 0 ? 0..<300 : lengths, &random)
        }
        let changes = changed.map { LeafPatch.Change(slot: $0.key, bytes: Self.bytes($0.value)) }
        guard let patched = try column.leaf.withView({ LeafPatch(try LeafView($0), changes)?.leaf(key: key) }) else {
          continue
        }
        patches += 1
        column.values = column.values.enumerated().map { changed[$0.offset] ?? $0.element }
        column.leaf = patched
        try patched.withView { bytes in
          #expect(LeafView.verify(bytes, key: key))
          let view = try LeafView(bytes)
          widths.insert(view.width)
          #expect(view.problem() == nil, "round \(round), slots \(changed.keys.sorted()) of \(column.values.count)")
          for (slot, expected) in column.values.enumerated() where try view.value(slot) != expected {
            Issue.record("round \(round): slot \(slot) holds \(try view.value(slot)), not \(expected)")
            return
          }
        }
      }
    }
    #expect(patches > 500)
    #expect(widths.isSuperset(of: [1, 2]))
  }

  @Test("texts that together take more than a short table can say are patched in a long one")
  func longTable() throws {
    let buffer = ColumnBuffer(type: .string, capacity: 992)
    for slot in 0..<100 { buffer.setString(slot, String(repeating: "x", count: 1_000)) }
    let leaf = buffer.encode(key: 3, softLimit: .max).bytes
    #expect(try leaf.withView { try LeafView($0).width } == 4)
    // Beyond the limit of a leaf its longest values are to be moved out of it.
    let grown = try leaf.withView {
      LeafPatch(try LeafView($0), [.init(slot: 7, bytes: Array("short".utf8))])?.leaf(key: 3)
    }
    #expect(grown == nil)
  }

  @Test("what would change the form of a leaf is left to be packed")
  func refusals() throws {
    let buffer = ColumnBuffer(type: .string, capacity: 992, isOptional: true)
    for slot in 0..<80 { buffer.setString(slot, String(repeating: "x", count: 30)) }
    let leaf = buffer.encode(key: 3).bytes
    func patch(_ slot: Int, _ value: [UInt8]?) throws -> [UInt8]? {
      try leaf.withView { LeafPatch(try LeafView($0), [.init(slot: slot, bytes: value)])?.leaf(key: 3) }
    }
    #expect(try patch(4, Array("other".utf8)) != nil)
    #expect(try patch(4, nil) == nil, "there is no bitmap of nulls")
    #expect(try patch(4, [UInt8](repeating: 65, count: 1_025)) == nil, "it is too long for a leaf")
    #expect(try patch(4, [UInt8](repeating: 65, count: 200)) == nil, "the group's distances do not fit a byte")
    #expect(try patch(80, []) == nil, "there is no such slot")
    buffer.setNull(9)
    let withNull = buffer.encode(key: 3).bytes
    let last = try withNull.withView { LeafPatch(try LeafView($0), [.init(slot: 9, bytes: [65])])?.leaf(key: 3) }
    #expect(last == nil, "the bitmap of nulls would be empty")
  }

  @Test("damaged leaves are patched or refused, and nothing else")
  func damage() throws {
    var random = LeafRandom(seed: 12)
    for round in 0..<400 {
      let column = Column(.string, count: 200, isOptional: true, lengths: 0..<30, key: 5, &random)
      var damaged = column.leaf
      for _ in 0...round % 3 {
        damaged[8 + Int(random.next() % UInt64(damaged.count - 8))] = UInt8(truncatingIfNeeded: random.next())
      }
      damaged.withView { bytes in
        guard let view = try? LeafView(bytes) else { return }
        for slot in stride(from: 0, to: view.count - 1, by: 7) {
          let changes = [slot + 1, slot].map { LeafPatch.Change(slot: $0, bytes: Array("new".utf8)) }
          LeafPatch(view, changes)?.leaf(key: 5).withView { #expect(LeafView.verify($0, key: 5)) }
        }
      }
    }
  }
}
