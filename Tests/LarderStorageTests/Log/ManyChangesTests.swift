import TestSupport
import Testing

@testable import LarderStorage

/// Tests what is recorded of very many changes in one transaction.
@Suite struct ManyChangesTests {
  @Test("F-66: what was said last of each key holds, in any order and with marks between", arguments: 0..<40)
  func defaults(round: Int) {
    var random = SeededRandom.forTest("defaults \(round)")
    var defaults = ColumnDefaults()
    var expected: Set<UInt64> = []
    var marks: [(mark: Int, expected: Set<UInt64>)] = []
    var next: UInt64 = 0
    for _ in 0..<400 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<5:
        defaults.add(next)
        expected.insert(next)
        next += 1
      case 5: next += 3
      case 6..<9:
        let key = UInt64.random(in: (next < 6 ? 0 : next - 6)...next, using: &random)
        defaults.remove(key)
        expected.remove(key)
      case 9:
        let key = UInt64.random(in: (next < 6 ? 0 : next - 6)...next, using: &random)
        defaults.add(key)
        expected.insert(key)
      case 10: marks.append((defaults.mark(), expected))
      default:
        guard let last = marks.popLast() else { continue }
        defaults.restore(last.mark)
        expected = last.expected
      }
    }
    var found: Set<UInt64> = []
    defaults.ranges.forEach { found.insert($0.rawValue) }
    #expect(found == expected)
  }

  /// Steps of work that grow with the square of the number would take minutes here.
  @Test("F-66: defaulted properties that are assigned in random order", arguments: [100_000, 400_000])
  func randomOrder(count: Int) {
    var random = SeededRandom.forTest("random order")
    var defaults = ColumnDefaults()
    for key in 0..<UInt64(count) { defaults.add(key) }
    let order = (0..<UInt64(count)).shuffled(using: &random)
    for key in order.prefix(count / 2) { defaults.remove(key) }
    #expect(defaults.ranges.count == count - count / 2)
  }

  private struct Undone: Error {}

  @Test("F-66: parts of a transaction that are undone take exactly their changes with them", arguments: 0..<20)
  func marks(round: Int) throws {
    var random = SeededRandom.forTest("marks \(round)")
    let fixture = try TemporaryStore(clusterSize: 8)
    try fixture.write {
      try $0.apply(
        [
          ClassDeclaration(
            name: "Thing",
            columns: [
              ColumnDeclaration(name: "number", type: .int),
              ColumnDeclaration(name: "list", type: .int, collection: .list),
              ColumnDeclaration(name: "set", type: .int, collection: .set),
              ColumnDeclaration(name: "map", type: .int, collection: .map),
            ])
        ], schemaVersion: 0)
    }
    let entry = try #require(try fixture.snapshot.schema["Thing"])
    let id = entry.id
    let columns = entry.columns.map(\.id)
    let keys = try fixture.write { writer in try (0..<30).map { _ in try writer.create(id) } }

    /// One change of some object: the writer that undoes parts and the one that never does them get the same.
    func change(_ writer: StoreWriter, _ seed: UInt64) throws {
      let key = keys[Int(seed % 20)]
      let value = StoredValue.int(Int64(seed % 1_000))
      switch seed / 7 % 5 {
      case 0: try writer.set(id, columns[0], key, value)
      case 1: try writer.lists.insert(id, columns[1], key, at: 0, [value])
      case 2: _ = try writer.sets.insert(id, columns[2], key, [value])
      case 3: try writer.maps.put(id, columns[3], key, [("k\(seed % 5)", value)])
      default: try writer.lists.clear(id, columns[1], key)
      }
    }
    let parts = (0..<12).map { _ in
      (isKept: Bool.random(using: &random), seeds: (0..<5).map { _ in UInt64.random(in: 0..<10_000, using: &random) })
    }
    func run(undoing: Bool) throws -> CommitRecord {
      let writer = try fixture.store.beginWrite()
      defer { writer.cancel() }
      for part in parts {
        if part.isKept {
          try writer.savepoint { for seed in part.seeds { try change(writer, seed) } }
        } else if undoing {
          #expect(throws: Undone.self) {
            try writer.savepoint {
              for seed in part.seeds.prefix(3) { try change(writer, seed) }
              try writer.savepoint { for seed in part.seeds.dropFirst(3) { try change(writer, seed) } }
              throw Undone()
            }
          }
        }
      }
      return try writer.recorder.finish(time: .zero, schemaFingerprint: 0)
    }
    #expect(try run(undoing: true) == run(undoing: false))
  }

  /// With a copy of what is recorded for each of them this would take minutes and fill the memory.
  @Test("F-66: very many nested parts of one transaction", arguments: [2_000, 8_000])
  func nested(count: Int) {
    let recorder = ChangeRecorder()
    let (classID, column) = (ClassID(rawValue: 1), ColumnID(rawValue: 1))
    var last: ChangeRecorder.Mark?
    for number in 0..<UInt64(count) * 4 {
      last = recorder.mark()
      let key = ObjectKey(rawValue: number &* 7_919 % 1_000_003)
      recorder.modified(classID, column, key)
      recorder.listEdited(classID, column, key, .insert(at: 0, count: 1), sizeBefore: 0)
    }
    if let last { recorder.restore(last) }
    let record = try? recorder.finish(time: .zero, schemaFingerprint: 0)
    #expect(record?[classID]?.modified.first?.keys.count == count * 4 - 1)
    #expect(record?[classID]?.lists.count == count * 4 - 1)
  }
}
