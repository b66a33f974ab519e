import Foundation
import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

@Suite("Lists equal an array under random edits")
struct ListModelTests {
  struct Setup: CustomTestStringConvertible {
    var type: ColumnType
    var isOptional: Bool
    var limits: ListLimits
    var testDescription: String { "\(type)\(isOptional ? "?" : "") \(limits.elements)/\(limits.bytes)" }
  }

  static let setups: [Setup] =
    ColumnType.allCases.filter { $0 != .mixed }.flatMap { type in
      [
        Setup(type: type, isOptional: type != .link, limits: ListLimits(elements: 5, bytes: 80, children: 3)),
        Setup(type: type, isOptional: false, limits: ListLimits(elements: 30, bytes: 300, children: 6)),
      ]
    } + [Setup(type: .string, isOptional: true, limits: ListLimits())]

  @Test("insert, remove, set, move, clear, flush and reopen", arguments: setups)
  func randomEdits(_ setup: Setup) throws {
    var random = TestSupport.SeededRandom.forTest()
    let fixture = try ListFixture(setup.type, isOptional: setup.isOptional, limits: setup.limits)
    for round in 0..<25 {
      let shrinks = (round / 6) % 2 == 1
      try fixture.edit { editor, model, transaction in
        for _ in 0..<random.int(1...25) {
          try step(setup, shrinks, editor, &model, &random)
          #expect(editor.count == model.count)
          // Flushing in the middle must not be seen.
          if random.oneIn(20) { try editor.flush(transaction) }
        }
        try #require(try ListFixture.contents(editor) == model, "round \(round), in the editor")
      }
      #expect(try fixture.problems() == [])
      try #require(try fixture.contents() == fixture.model, "round \(round)")
      try fixture.withView { view throws in
        #expect(view.count == fixture.model.count)
        for _ in 0..<5 where view.count > 0 {
          let position = random.int(0..<view.count)
          #expect(try view.value(at: position) == fixture.model[position])
        }
      }
    }
    try fixture.edit { editor, model, _ in
      try editor.remove(0..<editor.count)
      model = []
    }
    #expect(try fixture.entryCount() == 0)
    #expect(try fixture.problems() == [])
  }

  private func step(
    _ setup: Setup, _ shrinks: Bool, _ editor: ListEditor, _ model: inout [StoredValue],
    _ random: inout TestSupport.SeededRandom
  ) throws {
    let count = model.count
    switch random.int(0..<(shrinks ? 14 : 10)) {
    case 0...2:
      let values = (0..<random.int(1...40)).map { _ in value(setup, &random) }
      let position = random.int(0...count)
      try editor.insert(values, at: position)
      model.insert(contentsOf: values, at: position)
    case 3...5:
      let value = value(setup, &random)
      try editor.insert([value], at: count)
      model.append(value)
    case 6 where count > 0:
      let (position, value) = (random.int(0..<count), value(setup, &random))
      try editor.set(at: position, value)
      model[position] = value
    case 7 where count > 0:
      let (source, target) = (random.int(0..<count), random.int(0..<count))
      try editor.move(from: source, to: target)
      model.insert(model.remove(at: source), at: target)
    case 8 where count > 0:
      let position = random.int(0..<count)
      try editor.remove(position..<position + 1)
      model.remove(at: position)
    case 9 where random.oneIn(15):
      try editor.clear()
      model = []
    case 10... where count > 0:
      let start = random.int(0..<count)
      let range = start..<min(count, start + random.int(1...60))
      try editor.remove(range)
      model.removeSubrange(range)
    default: break
    }
  }

  private func value(_ setup: Setup, _ random: inout TestSupport.SeededRandom) -> StoredValue {
    if setup.isOptional && random.oneIn(6) { return .null }
    switch setup.type {
    case .bool: return .bool(random.oneIn(2))
    case .int: return .int(random.anyInt64())
    case .float: return .float(Float(random.int(-1_000...1_000)) / 7)
    case .double: return .double(Double(random.int(-1_000...1_000)) / 7)
    case .string:
      if random.oneIn(40) { return .string(String(repeating: "long ", count: random.int(200...12_000))) }
      return .string(random.string())
    case .data:
      if random.oneIn(40) { return .data(Data(random.bytes(count: random.int(1_000...40_000)))) }
      return .data(Data(random.bytes(count: random.int(0...30))))
    case .date:
      let nanoseconds = random.oneIn(2) ? 0 : UInt32(random.int(0..<1_000_000_000))
      return .date(Timestamp(seconds: random.anyInt64(), nanoseconds: nanoseconds))
    case .uuid: return .uuid(UUID())
    case .objectId: return .objectId(ObjectIdBytes(high: random.next(), low: UInt32(truncatingIfNeeded: random.next())))
    case .decimal128: return .decimal128(Decimal128Bits(high: random.next(), low: random.next()))
    case .link, .mixed: return .link(ObjectKey(rawValue: random.next() >> 40))
    }
  }
}
