import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

extension PlantedDamage {
  static let links: [PlantedDamage] = [
    PlantedDamage("no backlink of a link", finds: "Thing.friend", "backlinks for") {
      try $0.backlinks("Thing.friend") { $0.add(1, ObjectKey(rawValue: 0), -1) }
    },
    PlantedDamage("a backlink without a link", finds: "Thing.friend", "backlinks for") {
      try $0.backlinks("Thing.friend") { $0.add(1, ObjectKey(rawValue: 3), 1) }
    },
    PlantedDamage("a backlink from another object", finds: "Thing.friend", "are not its links") {
      try $0.backlinks("Thing.friend") {
        $0.add(1, ObjectKey(rawValue: 0), -1)
        $0.add(1, ObjectKey(rawValue: 2), 1)
      }
    },
    PlantedDamage("a backlink of a list twice", finds: "Thing.friends", "backlinks for") {
      try $0.backlinks("Thing.friends") { $0.add(1, ObjectKey(rawValue: 1), 1) }
    },
    PlantedDamage("no backlink of a mixed value", finds: "Thing.any", "backlinks for") { planter in
      let (entry, column) = try planter.place("Thing.any")
      try planter.pairs(.backlinks(entry.id, entry.id, column.id), .integer) { $0.add(7, ObjectKey(rawValue: 4), -1) }
    },
    PlantedDamage(
      "a link to an object that is not there", finds: "object 0 links to object 500 of Thing",
      loses: ["Thing 100": ["friend"]]
    ) {
      try $0.values("Thing.friend", 0) { $0.set(0, .link(ObjectKey(rawValue: 500))) }
      try $0.backlinks("Thing.friend") {
        $0.add(1, ObjectKey(rawValue: 0), -1)
        $0.add(500, ObjectKey(rawValue: 0), 1)
      }
    },
    PlantedDamage("backlinks to an unknown class", finds: "table backlinks", "nothing of the schema knows") { planter in
      let (entry, column) = try planter.place("Thing.friend")
      try planter.pairs(.backlinks(ClassID(rawValue: 77), entry.id, column.id), .integer) {
        $0.add(1, ObjectKey(rawValue: 0), 1)
      }
    },
    PlantedDamage(
      "an embedded object with two owners", finds: "Part: object 0 has 2 owners", loses: ["Thing 102": ["box"]]
    ) {
      try $0.values("Thing.box", 0) { $0.set(2, .link(ObjectKey(rawValue: 0))) }
      try $0.backlinks("Thing.box") {
        $0.add(2, ObjectKey(rawValue: 2), -1)
        $0.add(0, ObjectKey(rawValue: 2), 1)
      }
    },
    PlantedDamage(
      "an embedded object without an owner", finds: "Part: object 0 has 0 owners", loses: ["Thing 100": ["box"]]
    ) {
      try $0.values("Thing.box", 0) { $0.set(0, .null) }
      try $0.backlinks("Thing.box") { $0.add(0, ObjectKey(rawValue: 0), -1) }
    },
  ]

  static let collections: [PlantedDamage] = [
    PlantedDamage("a byte of a list", finds: "Thing.numbers", "checksum", loses: ["Thing 105": ["numbers"]]) {
      try $0.chunk("Thing.numbers", 5, seals: false) { $0[33] ^= 1 }
    },
    PlantedDamage(
      "a chunk that is counted wrongly", finds: "Thing.numbers", "counted wrongly", loses: ["Thing 101": ["numbers"]]
    ) {
      try $0.chunk("Thing.numbers", 1) { $0[36] ^= 0x20 }
    },
    PlantedDamage(
      "F-42: a list of more elements than the file has room for", finds: "Thing.numbers", "malformed",
      loses: ["Thing 101": ["numbers"]]
    ) {
      try $0.chunk("Thing.numbers", 1) { bytes in for place in 16..<24 { bytes[place] = place < 22 ? 0xFF : 0 } }
    },
    PlantedDamage(
      "F-42: chunks of more elements than a chunk has", finds: "Thing.numbers", "malformed",
      loses: ["Thing 101": ["numbers"]]
    ) {
      try $0.chunk("Thing.numbers", 1) { bytes in for place in 36..<40 { bytes[place] = 0xFF } }
    },
    PlantedDamage(
      "counts that do not add up", finds: "Thing.numbers", "does not add up", loses: ["Thing 101": ["numbers"]]
    ) {
      try $0.chunk("Thing.numbers", 1) { $0[16] ^= 1 }
    },
    PlantedDamage("no chunk", finds: "Thing.numbers", "is missing", loses: ["Thing 101": ["numbers"]]) {
      try $0.removeChunk("Thing.numbers", 1, 2)
    },
    PlantedDamage("a chunk twice", finds: "Thing.numbers", "twice", loses: ["Thing 101": ["numbers"]]) {
      try $0.chunk("Thing.numbers", 1) { bytes in bytes.replaceSubrange(40..<44, with: bytes[32..<36]) }
    },
    PlantedDamage(
      "a chunk of another level", finds: "Thing.numbers", "Thing.numbers", loses: ["Thing 101": ["numbers"]]
    ) {
      try $0.chunk("Thing.numbers", 1) { $0[9] += 1 }
    },
    PlantedDamage("a number of a chunk that would be given again", finds: "Thing.numbers", "would give the number") {
      try $0.chunk("Thing.numbers", 1) { bytes in
        bytes[24] = 1
        bytes[25] = 0
      }
    },
    PlantedDamage("a chunk that is in no list", finds: "Thing.numbers", "not part of the list") {
      try $0.copyChunk("Thing.numbers", 5, 0, to: 7, of: 5)
    },
    PlantedDamage("a list of an object that is not there", finds: "Thing", "a list of object 9, which does not exist") {
      try $0.copyChunk("Thing.numbers", 5, 0, to: 0, of: 9)
    },
    PlantedDamage("elements of another type", finds: "Thing.numbers", loses: ["Thing 105": ["numbers"]]) {
      try $0.chunk("Thing.numbers", 5) { $0[11] = ColumnType.link.rawValue }
    },
    PlantedDamage(
      "an element that is nil", finds: "Thing.tags", "nil where none may be", loses: ["Thing 103": ["tags"]]
    ) {
      planter in
      let (entry, column) = try planter.place("Thing.tags")
      var optional = column
      optional.isOptional = true
      let tree = ListTree(table: planter.tables.collections, entry.id, optional, ObjectKey(rawValue: 3))
      let buffer = ColumnBuffer(type: .string, capacity: 8, isOptional: true)
      buffer.set(0, .string("tag 0"))
      buffer.set(1, .null)
      try planter.transaction.put(tree.table, tree.key(0), buffer.encode(key: tree.seed(0)).bytes)
    },
    PlantedDamage(
      "a list under too short a key", finds: "table collections", "a key of 8 bytes", loses: ["Thing 100": ["labels"]]
    ) { planter in
      let tree = try planter.tree("Thing.labels", 0)
      try planter.move(tree.table, tree.key(0), to: KeyBytes(tree.columnWord))
    },
    PlantedDamage("a set that is not in order", finds: "Thing.labels", "elements of object 3 are not in order") {
      try $0.elements("Thing.labels", 3) {
        $0.set(0, .string("label 1"))
        $0.set(1, .string("label 0"))
      }
    },
    PlantedDamage(
      "an element of a set twice", finds: "Thing.labels", "elements of object 3 are not in order",
      loses: ["Thing 103": ["labels"]]
    ) { try $0.elements("Thing.labels", 3) { $0.set(1, .string("label 0")) } },
    PlantedDamage(
      "a key of a map twice", finds: "Thing.words", "keys of object 3 are not in order", loses: ["Thing 103": ["words"]]
    ) { try $0.elements("Thing.words", 3, keys: true) { $0.set(1, .string("key 0")) } },
    PlantedDamage("keys of a map without values", finds: "Thing.words", "object 3", loses: ["Thing 103": ["words"]]) {
      try $0.elements("Thing.words", 3, keys: true) { $0.set($0.count, .string("key 9")) }
    },
    PlantedDamage("no bytes of a long element", finds: "Thing.tags", "large value", loses: ["Thing 102": ["tags"]]) {
      try $0.removeChunk("Thing.tags", 2, 0, part: 0)
    },
    PlantedDamage("bytes of a long element that is in no list", finds: "Thing.tags, object 3", "in no list") {
      try $0.addPart("Thing.tags", 3, 0)
    },
    PlantedDamage("a list of a property that is none", finds: "table collections", "nothing of the schema knows") {
      let (entry, column) = try $0.place("Thing.score")
      try $0.transaction.put(
        $0.tables.collections, KeyBytes(StoreLayout.columnWord(entry.id, column.id), 3, 0),
        [UInt8](repeating: 0, count: 64))
    },
  ]

  static let large: [PlantedDamage] = [
    PlantedDamage("no bytes of a long value", finds: "Thing.body, object 1", "missing", loses: ["Thing 101": ["body"]])
    {
      planter in
      for part in 0..<3 {
        try planter.transaction.delete(planter.tables.large, planter.largeKey("Thing.body", 1, part))
      }
    },
    PlantedDamage("bytes of a long value that no object has", finds: "Thing.body, object 4", "without its slot") {
      try $0.transaction.put($0.tables.large, $0.largeKey("Thing.body", 4, 0), [UInt8](repeating: 0, count: 64))
    },
    PlantedDamage("no part of a long value", finds: "Thing.body, object 16", "Part 1", loses: ["Thing 116": ["body"]]) {
      try $0.transaction.delete($0.tables.large, $0.largeKey("Thing.body", 16, 1))
    },
    PlantedDamage(
      "a byte of a long value", finds: "Thing.body, object 16", "does not match", loses: ["Thing 116": ["body"]]
    ) {
      try $0.large("Thing.body", 16, 1) { $0[5] ^= 1 }
    },
    PlantedDamage(
      "another length of a long value", finds: "Thing.body, object 16", loses: ["Thing 116": ["body"]]
    ) {
      try $0.large("Thing.body", 16, 0) { $0[0] ^= 8 }
    },
    PlantedDamage(
      "a byte of a long text", finds: "Thing.text, object 1", "does not match", loses: ["Thing 101": ["text"]]
    ) {
      try $0.large("Thing.text", 1, 0) { $0[50] ^= 1 }
    },
    PlantedDamage("a long value of an unknown property", finds: "table large", "nothing of the schema knows") {
      let word = StoreLayout.columnWord(try $0.entry("Thing").id, ColumnID(rawValue: 99))
      try $0.transaction.put($0.tables.large, KeyBytes(word, 1, 0), [UInt8](repeating: 0, count: 64))
    },
  ]
}
