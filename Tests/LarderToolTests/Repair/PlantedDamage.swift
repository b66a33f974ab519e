import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

/// One wrong thing in an otherwise sound store, and what must be said of it.
struct PlantedDamage: CustomTestStringConvertible, Sendable {
  /// The fate of the store.
  enum Outcome: Sendable {
    /// A copy with everything but these: properties by object, "*" for the whole object.
    case saved([String: Set<String>])
    /// Nothing can be distinguished any more: an error says so.
    case refused
  }

  let title: String
  /// Words that one line of the check has.
  let finds: [String]
  let outcome: Outcome
  let plant: @Sendable (DamagePlanter) throws -> Void

  var testDescription: String { title }

  /// - Parameter loses: Properties by object; nothing unless said.
  init(
    _ title: String, finds: String..., loses: [String: Set<String>] = [:], isRefused: Bool = false,
    _ plant: @escaping @Sendable (DamagePlanter) throws -> Void
  ) {
    self.title = title
    self.finds = finds
    outcome = isRefused ? .refused : .saved(loses)
    self.plant = plant
  }

  /// The objects of class Thing in a cluster, each without the property.
  static func cluster(_ number: Int, _ property: String) -> [String: Set<String>] {
    let keys = number * SoundStore.clusterSize..<(number + 1) * SoundStore.clusterSize
    return Dictionary(uniqueKeysWithValues: keys.map { ("Thing \(100 + $0)", [property]) })
  }

  /// All objects of class Note, each without the properties.
  static func notes(_ properties: Set<String>) -> [String: Set<String>] {
    Dictionary(uniqueKeysWithValues: (0..<14).map { ("Note \(200 + $0)", properties) })
  }

  /// A linear block of as many pairs as its header can count, all of the value 0.
  static func endlessBlock(step: UInt8) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: PairBlockFormat.headerSize)
    for place in PairBlockFormat.count..<PairBlockFormat.count + 4 { block[place] = 0xFF }
    (block[PairBlockFormat.runs], block[PairBlockFormat.kind]) = (1, PairBlockFormat.linear)
    block[PairBlockFormat.keyStep] = step
    return block
  }

  static let newestNotes: [String: Set<String>] = ["Note 212": ["*"], "Note 213": ["*"]]

  static let all = leaves + presence + indexes + links + collections + large + catalog + tails + log
}

extension PlantedDamage {
  static let leaves: [PlantedDamage] = [
    PlantedDamage(
      "a byte of a leaf", finds: "Thing.score, cluster 1", "checksum", loses: cluster(1, "score")
    ) { try $0.leaf("Thing.score", 1, seals: false) { $0[40] ^= 1 } },
    PlantedDamage("a wrong number of nulls", finds: "Thing.count, cluster 0", "null slots where the header says") {
      try $0.leaf("Thing.count", 0) { $0[14] ^= 3 }
    },
    PlantedDamage(
      "a leaf of more slots than a cluster has", finds: "Plain.value, cluster 0", "in a cluster of 8",
      loses: Dictionary(uniqueKeysWithValues: (0..<8).map { ("Plain at \($0)", ["value"]) })
    ) {
      let word = StoreLayout.leafKey(try $0.entry("Plain").id, ColumnID(rawValue: 1), cluster: 0)
      let buffer = ColumnBuffer(type: .int, capacity: 20, isOptional: false)
      for slot in 0..<20 { buffer.set(slot, .int(Int64(slot * slot))) }
      try $0.transaction.put($0.tables.clusters, KeyBytes(word), buffer.encode(key: word).bytes)
    },
    PlantedDamage(
      "a leaf of fewer slots than objects", finds: "Thing.tag, cluster 0", loses: cluster(0, "tag")
    ) { try $0.leaf("Thing.tag", 0) { $0[12] = 6 } },
    PlantedDamage(
      "a leaf of another type", finds: "Thing.tag, cluster 0", "the schema says uuid", loses: cluster(0, "tag")
    ) { try $0.leaf("Thing.tag", 0) { $0[11] = ColumnType.decimal128.rawValue } },
    PlantedDamage(
      "nil in a required property", finds: "Thing.score, cluster 0", "nil in slot 2 of a required property",
      loses: ["Thing 102": ["score"]]
    ) { try $0.values("Thing.score", 0, isOptional: true) { $0.set(2, .null) } },
    PlantedDamage(
      "text that is not UTF-8", finds: "Thing.name, cluster 0", "text that is not UTF-8", loses: cluster(0, "name")
    ) {
      try $0.leaf("Thing.name", 0) { bytes in
        if let place = bytes.lastIndex(of: UInt8(ascii: "m")) { bytes[place] = 0xFF }
      }
    },
    PlantedDamage(
      "F-7: a date with a second or more of nanoseconds", finds: "Thing.seen, cluster 0",
      "a second or more of nanoseconds",
      loses: ["Thing 103": ["seen"]]
    ) {
      try $0.values("Thing.seen", 0) { $0.set(3, .date(Timestamp(seconds: 90_000, nanoseconds: 1_000_000_000))) }
    },
    PlantedDamage(
      "F-7: such a date within a mixed value", finds: "Thing.any, object 1", "a second or more of nanoseconds",
      loses: ["Thing 101": ["any"]]
    ) {
      let date = StoredValue.date(Timestamp(seconds: 7, nanoseconds: .max))
      try $0.values("Thing.any", 0) { $0.set(1, .list(StoredList([date]))) }
    },
    PlantedDamage("a range that leaves values out", finds: "Thing.score, cluster 0", "outside of the header's range") {
      try $0.leaf("Thing.score", 0) { bytes in for place in 24..<32 { bytes[place] = 0 } }
    },
    PlantedDamage("offsets that run backwards", finds: "Thing.name, cluster 1", loses: cluster(1, "name")) {
      try $0.leaf("Thing.name", 1) { $0[36] = 200 }
    },
    PlantedDamage(
      "a mixed value of an unknown kind", finds: "Thing.any, cluster 0", "no mixed value", loses: ["Thing 101": ["any"]]
    ) {
      try $0.leaf("Thing.any", 0) { bytes in
        let value: [UInt8] = [2, 1, 0, 0, 0, 0, 0, 0, 0]
        if let place = bytes.indices.first(where: { bytes[$0...].starts(with: value) }) { bytes[place] = 99 }
      }
    },
    PlantedDamage("one number for two collections", finds: "Thing.any, object 3", "have one number") {
      try $0.values("Thing.any", 0) { buffer in
        var inner = StoredDictionary([(key: "a", value: .double(0.5))])
        inner.id = 2 << 28
        var list = StoredList([.bool(true)])
        list.id = 2 << 28 | 1
        _ = inner.append("b", .list(list))
        var outer = StoredList([.int(1), .dictionary(inner)])
        outer.id = 2 << 28
        buffer.set(3, .list(outer))
      }
    },
    PlantedDamage("a leaf behind the last cluster", finds: "Plain.value, cluster 40", "beyond the last cluster") {
      try $0.copyLeaf(
        "Plain.value", 0, to: StoreLayout.leafKey($0.entry("Plain").id, ColumnID(rawValue: 1), cluster: 40))
    },
    PlantedDamage("a leaf of an unknown class", finds: "class number 77", "the schema does not know") {
      try $0.copyLeaf(
        "Plain.value", 0, to: StoreLayout.leafKey(ClassID(rawValue: 77), ColumnID(rawValue: 1), cluster: 0))
    },
    PlantedDamage("a leaf of an unknown property", finds: "Plain.column 99", "the schema does not know") {
      try $0.copyLeaf(
        "Plain.value", 0, to: StoreLayout.leafKey($0.entry("Plain").id, ColumnID(rawValue: 99), cluster: 0))
    },
    PlantedDamage(
      "no leaf of an indexed property", finds: "Thing.count", "does not find", loses: cluster(1, "count")
    ) { try $0.removeLeaf("Thing.count", 1) },
    PlantedDamage(
      "no leaf of the primary key", finds: "Thing.id",
      loses: Dictionary(uniqueKeysWithValues: (8..<16).map { ("Thing \(100 + $0)", ["*"]) })
    ) { try $0.removeLeaf("Thing.id", 1) },
  ]

  static let presence: [PlantedDamage] = [
    PlantedDamage(
      "an object that is not marked as there", finds: "Thing", "catalog counts", loses: ["Thing 103": ["*"]]
    ) {
      try $0.presence("Thing", 0) { $0.clear(3) }
    },
    PlantedDamage("a mark of an object that is not there", finds: "Thing", "catalog counts") {
      try $0.presence("Thing", 1) { $0.set(1) }
    },
    PlantedDamage("marks with a wrong checksum, and an index", finds: "Thing.(presence), cluster 1", "checksum") {
      try $0.leaf("Thing", 1, seals: false) { $0[32] ^= 5 }
    },
    PlantedDamage("no marks", finds: "Thing", "without a presence bitmap") { try $0.removeLeaf("Thing", 2) },
    PlantedDamage("marks with a wrong checksum, without an index", finds: "Plain.(presence), cluster 1", "checksum") {
      try $0.leaf("Plain", 1, seals: false) { $0[32] ^= 5 }
    },
    PlantedDamage("values in the place of marks", finds: "Plain.(presence), cluster 0") {
      try $0.leaf("Plain", 0) { $0[11] = ColumnType.bool.rawValue }
    },
    PlantedDamage("an empty cluster that is kept", finds: "Plain.(presence), cluster 5", "empty cluster") {
      let word = StoreLayout.leafKey(try $0.entry("Plain").id, .presence, cluster: 5)
      try $0.transaction.put(
        $0.tables.clusters, KeyBytes(word), EncodedLeaf.presence(Bitmap(count: SoundStore.clusterSize), key: word))
    },
  ]

  static let indexes: [PlantedDamage] = [
    PlantedDamage("no entry of an object", finds: "Thing.name", "22 entries for 23 objects") {
      try $0.index("Thing.name") { $0.add(.bytes(Array("name 3".utf8)), ObjectKey(rawValue: 3), -1) }
    },
    PlantedDamage("an entry of an object that is not there", finds: "Thing.name", "objects that do not exist") {
      try $0.index("Thing.name") { $0.add(.bytes(Array("name 3".utf8)), ObjectKey(rawValue: 9), 1) }
    },
    PlantedDamage("two entries of one object", finds: "Thing.name", "24 entries for 23 objects") {
      try $0.index("Thing.name") { $0.add(.bytes(Array("name 2".utf8)), ObjectKey(rawValue: 3), 1) }
    },
    PlantedDamage("an entry under another value", finds: "Thing.count", "look-up") {
      try $0.index("Thing.count") {
        $0.add(IndexValue.word(979 as Int64), ObjectKey(rawValue: 3), -1)
        $0.add(IndexValue.word(5 as Int64), ObjectKey(rawValue: 3), 1)
      }
    },
    PlantedDamage("an entry of nil under a value", finds: "Thing.count", "look-up") {
      try $0.index("Thing.count") {
        $0.addNull(ObjectKey(rawValue: 5), -1)
        $0.add(IndexValue.word(0 as Int64), ObjectKey(rawValue: 5), 1)
      }
    },
    PlantedDamage("a date's entry under another date", finds: "Thing.seen", "look-up") {
      let old = IndexValue(.date(Timestamp(seconds: 90_000, nanoseconds: 3_000)), type: .date)
      let new = IndexValue(.date(Timestamp(seconds: 90_000, nanoseconds: 3_001)), type: .date)
      let (was, is_) = (try #require(old), try #require(new))
      try $0.index("Thing.seen") {
        $0.add(was, ObjectKey(rawValue: 3), -1)
        $0.add(is_, ObjectKey(rawValue: 3), 1)
      }
    },
    PlantedDamage("a primary key's entry that names another object", finds: "Thing.id", "look-up") {
      try $0.index("Thing.id") {
        $0.add(IndexValue.word(103 as Int64), ObjectKey(rawValue: 3), -1)
        $0.add(IndexValue.word(103 as Int64), ObjectKey(rawValue: 4), 1)
      }
    },
    PlantedDamage(
      "one primary key of two objects", finds: "Thing.id", "2 objects with the primary key", loses: ["Thing 104": ["*"]]
    ) {
      try $0.values("Thing.id", 0) { $0.set(4, .int(103)) }
      try $0.index("Thing.id") {
        $0.add(IndexValue.word(104 as Int64), ObjectKey(rawValue: 4), -1)
        $0.add(IndexValue.word(103 as Int64), ObjectKey(rawValue: 4), 1)
      }
    },
    PlantedDamage("F-42: an object twice in an index, and another not at all", finds: "Thing.name", "is there twice") {
      try $0.index("Thing.name") {
        $0.add(.bytes(Array("name 2".utf8)), ObjectKey(rawValue: 2), 1)
        $0.add(.bytes(Array("name 2".utf8)), ObjectKey(rawValue: 7), -1)
      }
    },
    PlantedDamage(
      "F-42: an entry that names an object of another value, far from it", finds: "Thing.count", "is there twice"
    ) {
      try $0.index("Thing.count") {
        $0.add(IndexValue.word(979 as Int64), ObjectKey(rawValue: 3), -1)
        $0.add(IndexValue.word(979 as Int64), ObjectKey(rawValue: 8), 1)
      }
    },
    PlantedDamage("a byte of a block of an index", finds: "Thing.name", "checksum does not match") { planter in
      let (entry, column) = try planter.place("Thing.name")
      try planter.block(.index(entry.id, column.id), .bytes, seals: false) { $0[60] ^= 1 }
    },
    PlantedDamage("a block that begins with another value", finds: "Thing.count", "not that of the first pair") {
      planter in
      let (entry, column) = try planter.place("Thing.count")
      try planter.block(.index(entry.id, column.id), .integer) { $0[16] ^= 1 }
    },
    PlantedDamage("a block whose values do not ascend", finds: "Thing.name", "values do not ascend") { planter in
      let (entry, column) = try planter.place("Thing.name")
      try planter.block(.index(entry.id, column.id), .bytes) { bytes in
        if let place = bytes.lastIndex(of: UInt8(ascii: "2")) { bytes[place] = UInt8(ascii: "0") }
      }
    },
    PlantedDamage(
      "F-42: a block that counts 4,294,967,295 pairs of one value", finds: "Thing.count", "more than there can be"
    ) {
      planter in
      let (entry, column) = try planter.place("Thing.count")
      try planter.block(.index(entry.id, column.id), .integer) { $0 = Self.endlessBlock(step: 0) }
    },
    PlantedDamage("F-42: a block that counts 4,294,967,295 ascending keys", finds: "Thing.count", "header") { planter in
      let (entry, column) = try planter.place("Thing.count")
      try planter.block(.index(entry.id, column.id), .integer) { $0 = Self.endlessBlock(step: 1) }
    },
    PlantedDamage("F-42: as many backlinks of one object", finds: "Note.about", "more than there can be") { planter in
      let (entry, column) = try planter.place("Note.about")
      let id = PairTreeID.backlinks(try #require(column.target), entry.id, column.id)
      try planter.block(id, .integer) { $0 = Self.endlessBlock(step: 0) }
    },
    PlantedDamage("a block with an impossible header", finds: "Thing.count", "header") { planter in
      let (entry, column) = try planter.place("Thing.count")
      try planter.block(.index(entry.id, column.id), .integer) { $0[12] = 0xFF }
    },
    PlantedDamage("an index of a property without one", finds: "table indexes", "nothing of the schema knows") {
      planter in
      let (entry, column) = try planter.place("Thing.score")
      try planter.pairs(.index(entry.id, column.id), .integer) { $0.add(7, ObjectKey(rawValue: 3), 1) }
    },
    PlantedDamage("no entry in an index over two properties", finds: "Thing (flag, score)", "22 entries") { planter in
      let entry = try planter.entry("Thing")
      let bytes = try IndexTuple.bytes([.bool(true), .double(9.0 / 8)], try columns(["flag", "score"], entry))
      try planter.pairs(.composite(entry.id, entry.indexes[1].id), .bytes) {
        $0.add(.bytes(bytes), ObjectKey(rawValue: 3), -1)
      }
    },
    PlantedDamage(
      "an entry under other values in an index over two properties", finds: "Thing (flag, score)", "object 3"
    ) { planter in
      let entry = try planter.entry("Thing")
      let columns = try columns(["flag", "score"], entry)
      let was = try IndexTuple.bytes([.bool(true), .double(9.0 / 8)], columns)
      let now = try IndexTuple.bytes([.bool(false), .double(9.0 / 8)], columns)
      try planter.pairs(.composite(entry.id, entry.indexes[1].id), .bytes) {
        $0.add(.bytes(was), ObjectKey(rawValue: 3), -1)
        $0.add(.bytes(now), ObjectKey(rawValue: 3), 1)
      }
    },
    PlantedDamage(
      "values that are unique together, twice", finds: "Thing (name, count)", "unique values",
      loses: ["Thing 106": ["count"]]
    ) { planter in
      let entry = try planter.entry("Thing")
      let columns = try columns(["name", "count"], entry)
      let (key, was, now) = (ObjectKey(rawValue: 6), 1_000 - 6 * 7 as Int64, 1_000 - 7 as Int64)
      try planter.values("Thing.count", 0) { $0.set(6, .int(now)) }
      try planter.index("Thing.count") {
        $0.add(IndexValue.word(was), key, -1)
        $0.add(IndexValue.word(now), key, 1)
      }
      let (old, new) = (
        try IndexTuple.bytes([.string("name 1"), .int(was)], columns),
        try IndexTuple.bytes([.string("name 1"), .int(now)], columns)
      )
      try planter.pairs(.composite(entry.id, entry.indexes[0].id), .bytes) {
        $0.add(.bytes(old), key, -1)
        $0.add(.bytes(new), key, 1)
      }
    },
    PlantedDamage("no entry of a word", finds: "Thing.text (full text)", "object 3 are not those") { planter in
      let (entry, column) = try planter.place("Thing.text")
      try planter.pairs(.words(entry.id, column.id), .bytes) {
        $0.add(.bytes(TextIndexEntry.bytes(Array("word".utf8), 1)), ObjectKey(rawValue: 3), -1)
      }
    },
    PlantedDamage("a wrong number of words", finds: "Thing.text (full text)", "object 3 are not those") { planter in
      let (entry, column) = try planter.place("Thing.text")
      try planter.pairs(.lengths(entry.id, column.id), .integer) { $0.add(3, ObjectKey(rawValue: 2), 1) }
    },
    PlantedDamage("words of an object that is not there", finds: "Thing.text (full text)", "that do not exist") {
      planter in
      let (entry, column) = try planter.place("Thing.text")
      try planter.pairs(.words(entry.id, column.id), .bytes) {
        $0.add(.bytes(TextIndexEntry.bytes(Array("word".utf8), 1)), ObjectKey(rawValue: 9), 1)
      }
    },
  ]

  private static func columns(_ names: [String], _ entry: ClassDescriptor) throws -> [ColumnDescriptor] {
    try names.map { try #require(entry.column(named: $0)) }
  }
}
