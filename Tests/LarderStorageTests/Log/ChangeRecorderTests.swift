import Testing

@testable import LarderStorage

@Suite("Change recorder")
struct ChangeRecorderTests {
  private func finish(_ recorder: ChangeRecorder) throws -> CommitRecord {
    try recorder.finish(time: HybridTime(rawValue: 1), schemaFingerprint: 2)
  }

  @Test("inserted keys become runs")
  func runs() throws {
    let recorder = ChangeRecorder()
    #expect(recorder.isEmpty)
    for number in 100..<1100 as Range<UInt64> { recorder.inserted(.people, key(number)) }
    recorder.inserted(.places, KeyRange(start: 5, count: 10))
    recorder.inserted(.people, key(1100))
    #expect(!recorder.isEmpty)
    let record = try finish(recorder)
    #expect(record[.people]?.inserted.runs == [KeyRange(start: 100, count: 1001)])
    #expect(record[.places]?.inserted.runs == [KeyRange(start: 5, count: 10)])
    #expect(record.time == HybridTime(rawValue: 1))
    #expect(record.schemaFingerprint == 2)
  }

  @Test("what came and went in one transaction is not mentioned")
  func netting() throws {
    let recorder = ChangeRecorder(needsPrimaryKeys: true)
    recorder.inserted(.people, key(10))
    recorder.inserted(.people, key(11))
    recorder.modified(.people, column(1), key(10))
    recorder.modified(.people, column(1), key(3))
    recorder.modified(.people, column(2), key(4))
    recorder.listEdited(.people, column(5), key(4), .insert(at: 0, count: 1), sizeBefore: 0)
    recorder.listEdited(.people, column(5), key(11), .insert(at: 0, count: 1), sizeBefore: 0)
    recorder.deleted(.people, key(10), primaryKey: .int(10))
    recorder.deleted(.people, key(4), primaryKey: .int(4))
    let changes = try #require(try finish(recorder)[.people])
    #expect(changes.inserted == ranges(11))
    #expect(changes.deleted == ranges(4))
    #expect(changes.modified == [ColumnChanges(column: column(1), keys: ranges(3))])
    #expect(changes.lists.isEmpty)
    #expect(recorder.tombstones() == [.init(classID: .people, key: key(4), primaryKey: .int(4))])
  }

  @Test("a transaction without net effect gives an empty record")
  func nothing() throws {
    let recorder = ChangeRecorder()
    recorder.inserted(.people, key(0))
    recorder.deleted(.people, key(0))
    #expect(try finish(recorder).classes.isEmpty)
  }

  @Test("L-12 derived changes carry their bit, and a direct change of the same property wins")
  func derived() throws {
    let recorder = ChangeRecorder()
    recorder.modified(.people, column(1), key(1), derived: true)
    recorder.modified(.people, column(1), key(2), derived: true)
    recorder.modified(.people, column(1), key(2))
    recorder.deleted(.places, key(7), derived: true)
    let record = try finish(recorder)
    #expect(
      record[.people]?.modified == [
        ColumnChanges(column: column(1), keys: ranges(2)),
        ColumnChanges(column: column(1), isDerived: true, keys: ranges(1)),
      ])
    #expect(record[.places]?.derivedDeleted == ranges(7))
    #expect(record[.places]?.deleted.isEmpty == true)
  }

  @Test("L-17 list edits stay in order, carry the size before, and merge only with their like")
  func listEdits() throws {
    let recorder = ChangeRecorder()
    for position in 0..<5 {
      recorder.listEdited(.people, column(5), key(1), .insert(at: position, count: 1), sizeBefore: position)
    }
    recorder.listEdited(.people, column(5), key(2), .clear, sizeBefore: 9)
    recorder.listEdited(.people, column(5), key(1), .move(from: 0, to: 4), sizeBefore: 5)
    recorder.listEdited(.people, column(5), key(1), .set(at: 1, count: 1), sizeBefore: 5)
    recorder.listEdited(.people, column(5), key(1), .set(at: 1, count: 1), sizeBefore: 5)
    recorder.listEdited(.people, column(5), key(1), .remove(at: 3, count: 1), sizeBefore: 5)
    recorder.listEdited(.people, column(5), key(1), .remove(at: 2, count: 1), sizeBefore: 4, derived: true)
    let lists = try #require(try finish(recorder)[.people]).lists
    #expect(lists.map(\.key) == [key(1), key(2)])
    #expect(
      lists[0].edits == [
        ListEdit(.insert(at: 0, count: 5), sizeBefore: 0), ListEdit(.move(from: 0, to: 4), sizeBefore: 5),
        ListEdit(.set(at: 1, count: 1), sizeBefore: 5), ListEdit(.remove(at: 3, count: 1), sizeBefore: 5),
        ListEdit(.remove(at: 2, count: 1), sizeBefore: 4, isDerived: true),
      ])
  }

  @Test("L-17 merged edits do to a list what the single ones did", arguments: [1, 2, 3, 4] as [UInt64])
  func mergedEdits(seed: UInt64) throws {
    var random = LogRandom(seed: seed)
    for round in 0..<300 {
      let recorder = ChangeRecorder()
      var plain = (0..<5).map { _ in 0 }
      let original = plain
      for _ in 0..<Int.random(in: 1..<12, using: &random) {
        let action = Self.randomAction(plain.count, &random)
        recorder.listEdited(.people, column(1), key(1), action, sizeBefore: plain.count)
        Self.apply(action, to: &plain)
      }
      var merged = original
      for edit in try #require(try finish(recorder)[.people]).lists[0].edits {
        #expect(edit.sizeBefore == merged.count, "seed \(seed), round \(round)")
        Self.apply(edit.action, to: &merged)
        #expect(edit.sizeAfter == merged.count)
      }
      #expect(merged == plain, "seed \(seed), round \(round)")
    }
  }

  private static func randomAction(_ size: Int, _ random: inout LogRandom) -> ListEdit.Action {
    let at = Int.random(in: 0...size, using: &random)
    guard at < size else { return .insert(at: at, count: Int.random(in: 1..<3, using: &random)) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: return .insert(at: at, count: 1)
    case 2, 3: return .remove(at: at, count: Int.random(in: 1...size - at, using: &random))
    case 4, 5: return .set(at: at, count: 1)
    case 6: return .move(from: at, to: Int.random(in: 0..<size, using: &random))
    default: return .clear
    }
  }

  /// New elements are 1, set ones 2: merging loses which of several inserts an element came with, not that it is new.
  private static func apply(_ action: ListEdit.Action, to list: inout [Int]) {
    switch action {
    case .insert(let at, let count): list.insert(contentsOf: [Int](repeating: 1, count: count), at: at)
    case .remove(let at, let count): list.removeSubrange(at..<at + count)
    case .set(let at, let count): for index in at..<at + count { list[index] = 2 }
    case .move(let from, let to): list.insert(list.remove(at: from), at: to)
    case .clear: list = []
    }
  }

  @Test("L-20 owners of embedded objects are named in runs, and looked up for edited ones")
  func owners() throws {
    let recorder = ChangeRecorder()
    for number in 0..<100 as Range<UInt64> {
      recorder.inserted(.places, key(number + 50))
      recorder.owned(.places, key(number + 50), by: ObjectLink(classID: .people, key: key(number)), column(3))
    }
    for number in 150..<160 as Range<UInt64> {
      recorder.inserted(.places, key(number))
      recorder.owned(.places, key(number), by: ObjectLink(classID: .people, key: key(7)), column(4))
    }
    recorder.modified(.places, column(1), key(3))
    let record = try recorder.finish(time: .zero, schemaFingerprint: 0) { classID in
      guard classID == .places else { return nil }
      return { key in (ObjectLink(classID: .people, key: ObjectKey(rawValue: key.rawValue + 1000)), column(3)) }
    }
    let owners = try #require(record[.places]).owners
    #expect(owners.count == 3)
    func owner(_ number: UInt64) -> UInt64? {
      owners.lazy.compactMap { $0.owner(of: key(number))?.owner.key }.first?.rawValue
    }
    #expect(owner(50) == 0 && owner(149) == 99 && owner(150) == 7 && owner(159) == 7 && owner(3) == 1003)
    #expect(owner(49) == nil && owner(160) == nil)
  }

  @Test("L-16 create intents are kept for the objects that remain")
  func intents() throws {
    let recorder = ChangeRecorder()
    recorder.inserted(.people, key(1), intent: .create)
    recorder.inserted(.people, key(2), intent: .createOrUpdateAll)
    recorder.inserted(.people, key(3), intent: .createOrUpdateAll)
    recorder.inserted(.people, key(4), intent: .createOrUpdateModified)
    recorder.deleted(.people, key(3))
    let changes = try #require(try finish(recorder)[.people])
    #expect(
      changes.intents == [
        CreateIntentKeys(intent: .createOrUpdateAll, keys: ranges(2)),
        CreateIntentKeys(intent: .createOrUpdateModified, keys: ranges(4)),
      ])
  }

  @Test("L-16 defaults of created objects are kept until they are assigned, in whatever order they come")
  func defaults() throws {
    let recorder = ChangeRecorder()
    for number in [10, 11, 12, 13, 14, 15] as [UInt64] { recorder.inserted(.people, key(number)) }
    for number in [10, 11, 14, 15, 13, 12, 13] as [UInt64] { recorder.defaulted(.people, column(2), key(number)) }
    recorder.defaulted(.people, column(2), key(9))
    recorder.defaulted(.people, column(3), key(12))
    recorder.assigned(.people, column(2), key(13))
    recorder.assigned(.people, column(4), key(13))
    let mark = recorder.mark()
    recorder.assigned(.people, column(2), key(10))
    recorder.restore(mark)
    recorder.listEdited(.people, column(3), key(12), .insert(at: 0, count: 1), sizeBefore: 0)
    recorder.deleted(.people, key(15))
    let changes = try #require(try finish(recorder)[.people])
    #expect(changes.defaults == [ColumnChanges(column: column(2), keys: ranges(10, 11, 12, 14))])
  }

  @Test("L-26 a truncated class is named without details")
  func truncated() throws {
    let recorder = ChangeRecorder()
    recorder.modified(.people, column(1), key(3))
    recorder.truncated(.people)
    recorder.schemaChanged()
    recorder.mark(.migration)
    let record = try finish(recorder)
    #expect(record.flags == [.truncated, .schemaChange, .migration])
    #expect(record[.people]?.isTruncated == true)
    #expect(record[.people]?.modified.isEmpty == true)
  }
}
