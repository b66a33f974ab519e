import Foundation
import LarderLMDB
import Testing

@testable import LarderStorage

@Suite("Commit record")
struct CommitRecordTests {
  private static func randomRanges(_ random: inout LogRandom, most: Int = 20) -> KeyRanges {
    KeyRanges(
      unordered: (0..<Int.random(in: 0...most, using: &random)).map { _ in
        KeyRange(
          start: UInt64.random(in: 0...1 << UInt64.random(in: 1...60, using: &random), using: &random),
          count: UInt64.random(in: 1...(Bool.random(using: &random) ? 1 : 100_000), using: &random))
      })
  }

  private static func randomEdit(_ random: inout LogRandom) -> ListEdit {
    let size = Int.random(in: 1...100_000, using: &random)
    let at = Int.random(in: 0..<size, using: &random)
    let count = Int.random(in: 1...size - at, using: &random)
    let actions: [ListEdit.Action] = [
      .insert(at: at, count: count), .remove(at: at, count: count), .set(at: at, count: count),
      .move(from: at, to: size - 1), .clear,
    ]
    return ListEdit(
      actions.randomElement(using: &random)!, sizeBefore: size, isDerived: Bool.random(using: &random),
      isNested: Bool.random(using: &random))
  }

  private static func randomText(_ random: inout LogRandom) -> String {
    let alphabet = Array("ab.$\0é日🦄")
    return String((0..<Int.random(in: 0..<12, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
  }

  private static func randomValue(_ random: inout LogRandom, depth: Int = 0) -> StoredValue {
    switch Int.random(in: 0..<(depth > 2 ? 6 : 8), using: &random) {
    case 0: .null
    case 1: .int(Int64(truncatingIfNeeded: random.next()))
    case 2: .string(randomText(&random))
    case 3: .data(Data((0..<Int.random(in: 0..<5_000, using: &random)).map { _ in 7 }))
    case 4: .object(ObjectLink(classID: .people, key: ObjectKey(rawValue: random.next() >> 3)))
    case 5: .double(Double(bitPattern: random.next()))
    case 6:
      .list(StoredList((0..<Int.random(in: 0..<4, using: &random)).map { _ in randomValue(&random, depth: depth + 1) }))
    default:
      .dictionary(
        StoredDictionary(
          (0..<Int.random(in: 0..<4, using: &random)).map { _ in
            (key: randomText(&random), value: randomValue(&random, depth: depth + 1))
          }))
    }
  }

  private static func randomSetEdit(_ random: inout LogRandom) -> SetEdit {
    var position = 0
    let elements = (0..<Int.random(in: 1..<6, using: &random)).map { _ in
      position += Int.random(in: 1..<300, using: &random)
      return SetEdit.Element(position: position, value: LoggedValue(randomValue(&random)))
    }
    let actions: [SetEdit.Action] = [.insert(elements), .remove(elements), .clear]
    return SetEdit(
      actions.randomElement(using: &random)!, sizeBefore: Int.random(in: 5_000..<6_000, using: &random),
      isDerived: Bool.random(using: &random))
  }

  private static func randomMapEdit(_ random: inout LogRandom) -> MapEdit {
    let size = Int.random(in: 1...100_000, using: &random)
    let at = Int.random(in: 0..<size, using: &random)
    let actions: [MapEdit.Action] = [
      .put(key: randomText(&random), at: at, isNew: Bool.random(using: &random)),
      .remove(key: randomText(&random), at: at), .clear,
    ]
    return MapEdit(actions.randomElement(using: &random)!, sizeBefore: size, isDerived: Bool.random(using: &random))
  }

  private static func randomNestedEdit(_ random: inout LogRandom) -> NestedEdit {
    let path = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
      Bool.random(using: &random)
        ? MixedStep.key(randomText(&random)) : .position(Int.random(in: 0..<9_000, using: &random))
    }
    return NestedEdit(
      path: path, Bool.random(using: &random) ? .list(randomEdit(&random)) : .dictionary(randomMapEdit(&random)))
  }

  static func randomRecord(_ random: inout LogRandom) -> CommitRecord {
    var record = CommitRecord(
      flags: .init(rawValue: UInt16.random(in: 0..<128, using: &random)),
      time: HybridTime(rawValue: random.next()), origin: UInt16.random(in: 0...UInt16.max, using: &random),
      schemaFingerprint: random.next())
    for tag in 0..<UInt16.random(in: 0..<3, using: &random) {
      let bytes = (0..<Int.random(in: 0..<50, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      record.extensions.append(LogExtension(tag: tag + 100, bytes: bytes))
    }
    for number in 0..<UInt16.random(in: 0..<5, using: &random) {
      var changes = ClassChanges(classID: ClassID(rawValue: number * 3000))
      changes.isTruncated = Int.random(in: 0..<10, using: &random) == 0
      changes.inserted = randomRanges(&random)
      changes.deleted = randomRanges(&random)
      changes.derivedDeleted = randomRanges(&random, most: 2)
      for column in 1..<UInt16.random(in: 1..<6, using: &random) {
        let keys = randomRanges(&random)
        if keys.isEmpty { continue }
        changes.modified.append(
          ColumnChanges(
            column: ColumnID(rawValue: column), isDerived: Bool.random(using: &random), keys: keys))
      }
      for list in 0..<UInt64.random(in: 0..<4, using: &random) {
        changes.lists.append(
          CollectionChanges(
            column: ColumnID(rawValue: 9), key: ObjectKey(rawValue: list * 77),
            edits: (0..<Int.random(in: 1..<8, using: &random)).map { _ in randomEdit(&random) }))
      }
      for set in 0..<UInt64.random(in: 0..<3, using: &random) {
        let edits = (0..<Int.random(in: 1..<4, using: &random)).map { _ in randomSetEdit(&random) }
        changes.sets.append(CollectionChanges(column: ColumnID(rawValue: 10), key: key(set * 5), edits: edits))
      }
      for map in 0..<UInt64.random(in: 0..<3, using: &random) {
        let edits = (0..<Int.random(in: 1..<4, using: &random)).map { _ in randomMapEdit(&random) }
        changes.maps.append(CollectionChanges(column: ColumnID(rawValue: 11), key: key(map * 3), edits: edits))
      }
      for mixed in 0..<UInt64.random(in: 0..<3, using: &random) {
        let edits = (0..<Int.random(in: 1..<4, using: &random)).map { _ in randomNestedEdit(&random) }
        changes.nested.append(CollectionChanges(column: ColumnID(rawValue: 12), key: key(mixed), edits: edits))
      }
      for owner in 0..<UInt64.random(in: 0..<3, using: &random) {
        changes.owners.append(
          EmbeddedOwnerRun(
            firstKey: ObjectKey(rawValue: owner * 9), ownerClass: .people, column: ColumnID(rawValue: 4),
            firstOwner: ObjectKey(rawValue: owner), count: owner + 1, isShared: Bool.random(using: &random)))
      }
      let intents = randomRanges(&random)
      if !intents.isEmpty { changes.intents = [CreateIntentKeys(intent: .createOrUpdateModified, keys: intents)] }
      let defaults = randomRanges(&random)
      if !defaults.isEmpty { changes.defaults = [ColumnChanges(column: ColumnID(rawValue: 3), keys: defaults)] }
      record.classes.append(changes)
    }
    return record
  }

  @Test("L-9 random records survive the round trip", arguments: [1, 2, 3, 4] as [UInt64])
  func roundTrip(seed: UInt64) throws {
    var random = LogRandom(seed: seed)
    for round in 0..<200 {
      let record = CommitRecordTests.randomRecord(&random)
      let version = random.next()
      let bytes = record.encoded(version: version)
      #expect(bytes.count % 8 == 0)
      let decoded = try bytes.withView { try CommitRecord(decoding: $0, version: version) }
      #expect(decoded == record, "seed \(seed), round \(round)")
    }
  }

  @Test("damage of any kind is an error, never a trap", arguments: [11, 12] as [UInt64])
  func damage(seed: UInt64) throws {
    var random = LogRandom(seed: seed)
    for round in 0..<1500 {
      var bytes = CommitRecordTests.randomRecord(&random).encoded(version: 7)
      switch round % 3 {
      case 0: bytes.removeLast(Int.random(in: 8...bytes.count, using: &random))
      case 1: bytes[Int.random(in: 0..<bytes.count - 16, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      default:
        bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      }
      #expect(throws: StorageError.self, "seed \(seed), round \(round)") {
        try bytes.withView { try CommitRecord(decoding: $0, version: 7) }
      }
    }
  }

  @Test("a damaged body under a valid checksum is an error or a record, never a trap", arguments: [21, 22] as [UInt64])
  func damageBehindChecksum(seed: UInt64) throws {
    var random = LogRandom(seed: seed)
    for _ in 0..<1500 {
      var bytes = CommitRecordTests.randomRecord(&random).encoded(version: 7)
      let covered = try #require(Self.coveredLength(bytes))
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: 0..<covered, using: &random)] ^= UInt8(1) << UInt8.random(in: 0...7, using: &random)
      }
      guard let newCovered = Self.coveredLength(bytes), newCovered + 8 <= bytes.count else { continue }
      let checksum = bytes.withUnsafeBytes {
        LogChecksum.of(UnsafeRawBufferPointer(rebasing: $0[0..<newCovered]), version: 7)
      }
      withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(newCovered..<newCovered + 8, with: $0) }
      if let record = try? bytes.withView({ try CommitRecord(decoding: $0, version: 7) }) {
        var builder = ChangeSummaryBuilder(older: 6, newer: 7)
        builder.add(record)
        _ = builder.finish()
      }
    }
  }

  @Test("positions of a set's elements that do not rise or are not in it are damage")
  func setPositions() throws {
    func isRead(_ positions: [Int], size: Int, inserted: Bool) -> Bool {
      let elements = positions.map { SetEdit.Element(position: $0, value: .value(.int(1))) }
      var changes = ClassChanges(classID: .people)
      changes.sets = [
        CollectionChanges(
          column: column(1), key: key(1),
          edits: [SetEdit(inserted ? .insert(elements) : .remove(elements), sizeBefore: size)])
      ]
      let bytes = CommitRecord(classes: [changes]).encoded(version: 1)
      return (try? bytes.withView { try CommitRecord(decoding: $0, version: 1) }) != nil
    }
    #expect(isRead([0, 2, 4], size: 2, inserted: true))
    #expect(isRead([0, 1], size: 2, inserted: false))
    #expect(!isRead([0, 2, 5], size: 2, inserted: true))
    #expect(!isRead([1, 1], size: 2, inserted: true))
    #expect(!isRead([2], size: 2, inserted: false))
    #expect(!isRead([0, 0], size: 2, inserted: false))
  }

  /// Length of the part the checksum covers; nil when the lengths in it make no sense.
  private static func coveredLength(_ bytes: [UInt8]) -> Int? {
    try? bytes.withView { view in
      var reader = LogReader(view)
      _ = try reader.raw(21)
      _ = try reader.block()
      _ = try reader.block()
      return reader.position
    }
  }

  @Test("a record found under another version is noticed")
  func otherVersion() {
    let bytes = CommitRecord(time: HybridTime(rawValue: 5)).encoded(version: 8)
    #expect(throws: StorageError.self) { try bytes.withView { try CommitRecord(decoding: $0, version: 9) } }
  }

  @Test("L-9 unknown optional extensions are kept, unknown critical ones are named")
  func extensions() throws {
    var record = CommitRecord()
    record.extensions = [LogExtension(tag: 900, bytes: [1, 2])]
    #expect(record.unknownCriticalExtension == nil)
    record.extensions.append(LogExtension(tag: 901 | LogExtension.criticalBit, bytes: []))
    let bytes = record.encoded(version: 1)
    let decoded = try bytes.withView { try CommitRecord(decoding: $0, version: 1) }
    #expect(decoded == record)
    #expect(decoded.unknownCriticalExtension?.tag == 901 | LogExtension.criticalBit)
  }

  @Test("L-15 the epoch travels in the header")
  func epoch() throws {
    var record = CommitRecord()
    record.newEpoch = 0x0102_0304_0506_0708
    let bytes = record.encoded(version: 1)
    #expect(try bytes.withView { try CommitRecord(decoding: $0, version: 1) }.newEpoch == 0x0102_0304_0506_0708)
    record.newEpoch = nil
    #expect(record.extensions.isEmpty)
  }

  @Test("the header of a commit that changes one property is small")
  func size() {
    var changes = ClassChanges(classID: .people)
    changes.modified = [ColumnChanges(column: column(3), keys: ranges(123_456))]
    #expect(CommitRecord(classes: [changes]).encoded(version: 1).count <= 48)
  }
}
