import Foundation
import TestSupport
import Testing

@testable import LarderStorage

/// Tests that what an update asks of each property is answered as reading the value would.
@Suite struct RowComparerTests {
  private static let names = ["flag", "number", "ratio", "text", "moment", "unique"]

  private struct Things {
    let fixture: TemporaryStore
    let entry: ClassDescriptor

    init() throws {
      fixture = try TemporaryStore(clusterSize: 16)
      let types: [ColumnType] = [.bool, .int, .double, .string, .date, .uuid]
      let columns = zip(RowComparerTests.names, types).map { name, type in
        ColumnDeclaration(name: name, type: type, isOptional: true, isIndexed: name == "text")
      }
      let key = ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true)
      try fixture.write {
        try $0.apply([ClassDeclaration(name: "Thing", columns: [key] + columns)], schemaVersion: 0)
      }
      entry = try #require(try fixture.snapshot.schema["Thing"])
    }

    func column(_ name: String) throws -> ColumnID { try #require(entry.column(named: name)).id }
  }

  /// Few different values of each type, so that many are equal.
  private static func value(_ name: String, _ random: inout SeededRandom) -> StoredValue {
    let number = Int.random(in: 0..<4, using: &random)
    switch name {
    case _ where number == 3: return .null
    case "flag": return .bool(number > 0)
    case "number": return .int([0, -5, 1 << 40][number])
    case "ratio": return .double([0, 0.5, -2][number])
    case "text": return .string(["", "abc", String(repeating: "long ", count: 600)][number])
    case "moment": return .date(Timestamp(seconds: Int64(number), nanoseconds: UInt32(number)))
    default: return .uuid(UUID(uuid: (UInt8(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
    }
  }

  private static func holds(
    _ comparer: RowComparer, _ column: ColumnID, _ key: ObjectKey, _ value: StoredValue
  ) throws -> Bool {
    switch value {
    case .bool(let value): try comparer.holds(column, key, value)
    case .int(let value): try comparer.holds(column, key, value)
    case .double(let value): try comparer.holds(column, key, value)
    case .string(let value): try comparer.holds(column, key, value)
    case .date(let value): try comparer.holds(column, key, value)
    case .uuid(let value): try comparer.holds(column, key, value)
    default: try comparer.holdsNull(column, key)
    }
  }

  @Test("answers agree with the values, through changes, deletions, flushes and undone parts")
  func agrees() throws {
    var random = SeededRandom.forTest()
    let things = try Things()
    let id = things.entry.id
    var live: [ObjectKey] = []
    var (asked, equal) = (0, 0)
    var made: Int64 = 0
    for _ in 0..<20 {
      try things.fixture.write { writer in
        let comparer = try writer.rowComparer(id)
        func change() throws {
          if live.count < 20 || Int.random(in: 0..<6, using: &random) == 0 {
            made += 1
            live.append(try writer.create(id, primaryKey: made))
          }
          guard let key = live.randomElement(using: &random) else { return }
          for name in Self.names where Bool.random(using: &random) {
            try writer.set(id, things.column(name), key, Self.value(name, &random))
          }
        }
        func check() throws {
          guard let key = live.randomElement(using: &random) else { return }
          for name in Self.names {
            let (column, value) = (try things.column(name), Self.value(name, &random))
            let isHeld = try writer.value(id, column, key) == value
            let answer = try Self.holds(comparer, column, key, value)
            // A text too long for a leaf may be taken for another one: it is written again then.
            let isLong = if case .string(let text) = value { text.utf8.count > 1_000 } else { false }
            #expect(answer == isHeld || (isLong && !answer), "\(name) of \(key): \(value) held \(isHeld)")
            asked += 1
            equal += isHeld ? 1 : 0
          }
        }
        for _ in 0..<40 {
          try change()
          try check()
          switch Int.random(in: 0..<12, using: &random) {
          case 0: _ = try writer.index(id, things.column("text"))?.keys(equalTo: .string("abc"))
          case 1:
            let position = Int.random(in: live.indices, using: &random)
            try writer.delete(id, live.remove(at: position))
          case 2:
            let before = live
            struct Undone: Error {}
            try? writer.savepoint {
              for _ in 0..<3 { try change() }
              try check()
              throw Undone()
            }
            live = before
          default: break
          }
          try check()
        }
      }
      #expect(try StoreVerifier.verify(things.fixture.snapshot).isEmpty)
    }
    #expect(asked > 5_000 && equal > asked / 10, "\(asked) asked, \(equal) equal")
  }
}
