import LarderSyncProtocol
import TestBasics
import Testing

@Suite("Canonical bytes of values")
struct SyncValueCodingTests {
  @Test(
    "each kind has the bytes that the documentation gives",
    arguments: [
      (SyncValue.null, [0]), (.bool(false), [1]), (.bool(true), [2]), (.int(0), [3, 0]), (.int(-1), [3, 1]),
      (.int(64), [3, 0x80, 1]), (.float(1), [4, 0x3F, 0x80, 0, 0]),
      (.double(-0.0), [5, 0x80, 0, 0, 0, 0, 0, 0, 0]), (.double(0), [5, 0, 0, 0, 0, 0, 0, 0, 0]),
      (.double(.signalingNaN), [5, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0]),
      (
        .decimal(SyncDecimal(high: 0x3040_0000_0000_0000, low: 1)),
        [6, 0x30, 0x40] + Array(repeating: 0, count: 13) + [1]
      ),
      (.string("é"), [7, 2, 0xC3, 0xA9]), (.string("e\u{301}"), [7, 3, 0x65, 0xCC, 0x81]),
      (.data([9, 8]), [8, 2, 9, 8]),
      (.date(SyncDate(seconds: -2)), [9, 3, 0]),
      (.link(ObjectName(className: "A", key: .int(1))), [12, 2, 0x41, 0, 2]),
      (.set(SyncSet(incarnation: .root, values: [.int(2), .int(1), .int(2)])), [15, 0, 2, 3, 2, 3, 4]),
      (
        .map(SyncMap(incarnation: .root, entries: [SyncMapEntry("b", .null), SyncMapEntry("a", .null)])),
        [16, 0, 2, 1, 0x61, 0, 1, 0x62, 0]
      ),
    ] as [(SyncValue, [UInt8])])
  func bytes(value: SyncValue, bytes: [UInt8]) throws {
    #expect(value.encoded() == bytes)
    #expect(try SyncValue(decoding: bytes) == value)
  }

  @Test("values are equal when their bytes are, and hash alike")
  func equality() {
    var generator = SyncGenerator(SeededRandom.forTest())
    let values = (0..<400).map { _ in generator.random.oneIn(3) ? generator.value() : generator.scalar() }
    for first in values.prefix(60) {
      for second in values {
        #expect((first == second) == (first.encoded() == second.encoded()))
        if first == second { #expect(first.hashValue == second.hashValue) }
      }
    }
    #expect(SyncValue.string("é") != .string("e\u{301}"))
    #expect(SyncValue.double(-0.0) != .double(0))
    #expect(SyncValue.float(.nan) == .float(-.signalingNaN))
    #expect(SyncValue.int(1) != .double(1))
  }

  @Test("the order of values is total")
  func order() {
    var generator = SyncGenerator(SeededRandom.forTest())
    let values = (0..<300).map { _ in generator.scalar() }
    let sorted = values.sorted()
    for (first, second) in zip(sorted, sorted.dropFirst()) { #expect(first < second || first == second) }
    for _ in 0..<2_000 {
      let (first, second) = (generator.random.pick(values), generator.random.pick(values))
      #expect([first < second, second < first, first == second].filter { $0 }.count == 1)
    }
  }

  @Test(
    "what is not in its only form is refused",
    arguments: [
      [3, 0x80, 0], [5, 0x7F, 0xF8, 0, 0, 0, 0, 0, 1], [4, 0xFF, 0xC0, 0, 0], [15, 0, 2, 3, 4, 3, 2],
      [15, 0, 2, 3, 2, 3, 2], [16, 0, 2, 1, 0x61, 0, 1, 0x61, 0], [15, 0, 1, 14, 0, 0],
      [13, 0, 2, 2, 0x61, 0, 1, 0], [13, 0, 2, 2, 0x61, 0, 2, 0x61, 0],
      [6, 0xFC] + Array(repeating: 0, count: 15),
    ] as [[UInt8]])
  func notCanonical(bytes: [UInt8]) {
    #expect(throws: SyncDecodingError.self) { try SyncValue(decoding: bytes) }
  }

  @Test("an error has its reason and its place")
  func errors() {
    #expect(throws: SyncDecodingError(.unknownTag(17, of: "values"), at: 0)) { try SyncValue(decoding: [17]) }
    #expect(throws: SyncDecodingError(.truncated(needed: 1), at: 1)) { try SyncValue(decoding: [3]) }
    #expect(throws: SyncDecodingError(.notMinimal, at: 1)) { try SyncValue(decoding: [3, 0x80, 0]) }
    #expect(throws: SyncDecodingError(.overflow, at: 2)) {
      try SyncValue(decoding: [9, 0, 0x80, 0x94, 0xEB, 0xDC, 0x03])
    }
    #expect(throws: SyncDecodingError(.notUTF8, at: 2)) { try SyncValue(decoding: [7, 1, 0xFF]) }
    #expect(throws: SyncDecodingError(.countTooLarge(200), at: 1)) { try SyncValue(decoding: [7, 0xC8, 1, 0x61]) }
    #expect(throws: SyncDecodingError(.trailing(1), at: 1)) { try SyncValue(decoding: [0, 0]) }
    #expect(throws: SyncDecodingError(.unknownTag(1, of: "names without an author"), at: 1)) {
      try SyncValue(decoding: [14, 1, 0, 0])
    }
  }

  @Test("the names of a list are runs")
  func listRuns() throws {
    let first = OperationID(site: SyncGenerator.sites[1], siteVersion: 7, operation: 2, index: 1)
    let names = (0..<1_000).compactMap { first.advanced(by: UInt32($0)) }
    let moved = OperationID(site: SyncGenerator.sites[2], siteVersion: 1, operation: 0)
    var entries = names.map { SyncListEntry(element: $0, value: .bool(true)) }
    #expect(SyncValue.list(SyncList(incarnation: .root, entries: entries)).encoded().count < 1_030)
    entries[500] = SyncListEntry(element: names[500], position: moved, value: .null)
    let value = SyncValue.list(SyncList(incarnation: .root, entries: entries))
    #expect(value.encoded().count < 1_070)
    #expect(try SyncValue(decoding: value.encoded()) == value)
  }
}
