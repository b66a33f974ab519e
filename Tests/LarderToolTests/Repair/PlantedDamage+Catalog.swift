import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

extension PlantedDamage {
  static let catalog: [PlantedDamage] = [
    PlantedDamage("a wrong number of objects", finds: "Thing", "the catalog counts 24 objects, the clusters hold 23") {
      let id = try $0.entry("Thing").id
      try $0.state { $0[id].count += 1 }
    },
    PlantedDamage("a key that would be given again", finds: "Thing", "would get the key 23") {
      let id = try $0.entry("Thing").id
      try $0.state { $0[id].nextKey = 23 }
    },
    PlantedDamage("a next key before the last clusters", finds: "Thing", "cluster 2", "beyond the last cluster") {
      let id = try $0.entry("Thing").id
      try $0.state {
        $0[id].nextKey = 10; $0[id].count = 10
      }
    },
    PlantedDamage("a clock that runs behind", finds: "log", "the catalog's clock is before") {
      try $0.state { $0.clock = 1 }
    },
    PlantedDamage("a version behind the log", finds: "log") { try $0.state { $0.version -= 1 } },
    PlantedDamage("a byte of the counters", finds: "state record", "damaged") {
      try $0.catalog(StoreLayout.stateKey) { $0[17] ^= 4 }
    },
    PlantedDamage("a number of objects that cannot be", finds: "state record", "cannot be") {
      let id = try $0.entry("Thing").id
      try $0.state { $0[id].nextKey = .max }
    },
    PlantedDamage("no counters", finds: "no state record") {
      try $0.transaction.delete($0.tables.catalog, StoreLayout.stateKey)
    },
    PlantedDamage("a byte of the schema", finds: "schema record", "damaged") {
      try $0.catalog(StoreLayout.schemaKey) { bytes in bytes[bytes.count - 1] ^= 1 }
    },
    PlantedDamage("a type that is unknown", finds: "column type 77", isRefused: true) {
      try $0.catalog(StoreLayout.schemaKey) { bytes in
        let name = Array("score".utf8)
        if let place = bytes.indices.first(where: { bytes[$0...].starts(with: name) }) { bytes[place - 7] = 77 }
        bytes = CatalogSeal.seal(Array(bytes.dropLast(8)), StoreLayout.schemaWord)
      }
    },
    PlantedDamage("bytes of the schema, of which the file has older copies", finds: "schema record") {
      try $0.catalog(StoreLayout.schemaKey) { $0.replaceSubrange(60..<100, with: [UInt8](repeating: 0xA5, count: 40)) }
    },
    PlantedDamage("no schema, of which the file has older copies", finds: "no schema record") {
      try $0.transaction.delete($0.tables.catalog, StoreLayout.schemaKey)
    },
    PlantedDamage("a number of a property that would be given again", finds: "Plain.value", "would be given again") {
      let id = try $0.entry("Plain").id
      try $0.schema { $0.nextColumnID[id] = 1 }
    },
    PlantedDamage("a number of a class that would be given again", finds: "Plain", "would be given again") {
      try $0.schema { $0.nextClassID = 4 }
    },
    PlantedDamage("a removed number in use", finds: "gone", "its number is in use") {
      let id = try $0.entry("Plain").id
      try $0.schema {
        $0.retired.append(
          SchemaRecord.Retired(classID: id, column: ColumnID(rawValue: 1), name: "gone", type: .int, version: 1))
      }
    },
    PlantedDamage(
      "links to an unknown class", finds: "Note.about", "class number 77, which is unknown", loses: notes(["about"])
    ) {
      try $0.schema { record in
        for index in record.classes.indices where record.classes[index].name == "Note" {
          record.classes[index].columns[2].target = ClassID(rawValue: 77)
        }
      }
    },
    PlantedDamage("F-42: a property with the number of the presence bits", finds: "impossible numbers") {
      try $0.schema { record in
        for index in record.classes.indices where record.classes[index].name == "Note" {
          record.classes[index].columns[2].id = .presence
        }
      }
    },
    PlantedDamage("F-42: two properties of one number", finds: "impossible numbers") {
      try $0.schema { record in
        for index in record.classes.indices where record.classes[index].name == "Note" {
          record.classes[index].columns[2].id = record.classes[index].columns[1].id
        }
      }
    },
    PlantedDamage("F-7: two primary keys", finds: "Note", "two primary keys") {
      try $0.schema { record in
        for index in record.classes.indices where record.classes[index].name == "Note" {
          record.classes[index].columns[1].isPrimaryKey = true
        }
      }
    },
    PlantedDamage(
      "one name of two properties", finds: "Note", "two properties have one name", loses: notes(["text", "about"])
    ) {
      try $0.schema { record in
        for index in record.classes.indices where record.classes[index].name == "Note" {
          record.classes[index].columns[1].name = "about"
        }
      }
    },
    PlantedDamage("an index of numbers that have none", finds: "Thing.price", "cannot have an index") {
      try $0.schema { record in
        for index in record.classes[0].columns.indices where record.classes[0].columns[index].name == "price" {
          record.classes[0].columns[index].isIndexed = true
        }
      }
    },
    PlantedDamage("F-7: a primary key of embedded objects", finds: "Part", "embedded") {
      try $0.schema { record in
        for index in record.classes.indices where record.classes[index].name == "Part" {
          record.classes[index].columns[0].isPrimaryKey = true
        }
      }
    },
    PlantedDamage("a byte of the identity", finds: "identity record", "damaged") {
      try $0.catalog(StoreLayout.identityKey) { $0[20] ^= 1 }
    },
    PlantedDamage("bytes of the identity, of which the file has older copies", finds: "identity record", "damaged") {
      try $0.catalog(StoreLayout.identityKey) { $0.replaceSubrange(20..<24, with: [1, 2, 3, 4]) }
    },
  ]

  static let tails: [PlantedDamage] = [
    PlantedDamage("a byte of the newest objects", finds: "Note, newest objects", "checksum", loses: newestNotes) {
      try $0.catalog(KeyBytes(StoreLayout.tailKey($0.entry("Note").id))) { $0[60] ^= 1 }
    },
    PlantedDamage(
      "newest objects of another cluster", finds: "Note, newest objects", "not at the end", loses: newestNotes
    ) {
      try $0.tail("Note", cluster: 5)
    },
    PlantedDamage(
      "newest objects in the place of others", finds: "Note, newest objects", "hold an object in slot 3",
      loses: newestNotes
    ) {
      try $0.tail("Note", slots: 3..<5)
    },
    PlantedDamage(
      "newest objects behind the end of the cluster", finds: "Note, newest objects", "not at the end",
      loses: newestNotes
    ) {
      try $0.tail("Note", slots: 7..<9)
    },
    PlantedDamage("no primary keys of the newest objects", finds: "Note.id", loses: newestNotes) {
      try $0.tail("Note") { $0.removeFirst() }
    },
    PlantedDamage(
      "newest values of an unknown property", finds: "Note, newest objects", "column 99 is not of the schema",
      loses: ["Note 212": ["about"], "Note 213": ["about"]]
    ) { try $0.tail("Note") { $0[2].id = ColumnID(rawValue: 99) } },
    PlantedDamage(
      "a byte of one property of the newest objects", finds: "Note, newest objects", "checksum of 'text'",
      loses: ["Note 212": ["text"], "Note 213": ["text"]]
    ) { try $0.tail("Note") { $0[1].bytes[33] ^= 1 } },
    PlantedDamage(
      "no newest objects", finds: "Note", "the catalog counts 13 objects, the clusters hold 11", loses: newestNotes
    ) {
      try $0.transaction.delete($0.tables.catalog, KeyBytes(StoreLayout.tailKey($0.entry("Note").id)))
    },
    PlantedDamage("newest objects of an unknown class", finds: "class number 77") {
      let bytes = try #require(
        try $0.transaction.get($0.tables.catalog, KeyBytes(StoreLayout.tailKey($0.entry("Note").id))))
      try $0.transaction.put(
        $0.tables.catalog, KeyBytes(StoreLayout.tailKey(ClassID(rawValue: 77))), Array(bytes.buffer))
    },
  ]

  static let log: [PlantedDamage] = [
    PlantedDamage("no record of a commit", finds: "log, version 3", "expected version 2") {
      try $0.transaction.delete($0.tables.log, KeyBytes(2))
    },
    PlantedDamage("no record of the newest commit", finds: "log", "ends before version") { planter in
      let last = try #require(try planter.transaction.cursor(planter.tables.log).last())
      try planter.transaction.delete(planter.tables.log, KeyBytes(bytes: last.key.buffer))
    },
    PlantedDamage("a byte of a record", finds: "log, version 2") { planter in
      var bytes = Array(try #require(try planter.transaction.get(planter.tables.log, KeyBytes(2))).buffer)
      bytes[30] ^= 1
      try planter.transaction.put(planter.tables.log, KeyBytes(2), bytes)
    },
    PlantedDamage("a record of another version", finds: "log, version 2") { planter in
      let bytes = Array(try #require(try planter.transaction.get(planter.tables.log, KeyBytes(3))).buffer)
      try planter.transaction.put(planter.tables.log, KeyBytes(2), bytes)
    },
    PlantedDamage("a record behind the newest", finds: "log, version 99", "expected version") {
      try $0.logRecord(3, as: 99) { $0.time = HybridTime(rawValue: .max) }
    },
    PlantedDamage(
      "F-41: a record of the last version there can be", finds: "log, version 18446744073709551615", "expected version"
    ) {
      try $0.logRecord(3, as: .max) { $0.time = HybridTime(rawValue: .max) }
    },
    PlantedDamage("a time that does not rise", finds: "log, version 3", "time does not rise") {
      try $0.logRecord(3) { $0.time = .zero }
    },
    PlantedDamage("an unknown origin", finds: "log, version 3", "origin 9 is unknown") {
      try $0.logRecord(3) { $0.origin = 9 }
    },
    PlantedDamage("a tombstone of an object that is there", finds: "tombstones", "object 3 of Thing, which is there") {
      let bytes = Tombstone(version: 2, primaryKey: .int(103)).encoded()
      try $0.transaction.put(
        $0.tables.tombstones, ChangeLog.tombstoneKey($0.entry("Thing").id, ObjectKey(rawValue: 3)), bytes)
    },
    PlantedDamage("a tombstone of an object that never was", finds: "tombstones", "object 700 of Thing") {
      let bytes = Tombstone(version: 2, primaryKey: .int(103)).encoded()
      try $0.transaction.put(
        $0.tables.tombstones, ChangeLog.tombstoneKey($0.entry("Thing").id, ObjectKey(rawValue: 700)), bytes)
    },
    PlantedDamage("a tombstone of a later version", finds: "log, version 700", "newer than the store") {
      let bytes = Tombstone(version: 700, primaryKey: .int(109)).encoded()
      try $0.transaction.put(
        $0.tables.tombstones, ChangeLog.tombstoneKey($0.entry("Thing").id, ObjectKey(rawValue: SoundStore.deleted)),
        bytes)
    },
    PlantedDamage("a tombstone that is cut short", finds: "log") {
      try $0.transaction.put(
        $0.tables.tombstones, ChangeLog.tombstoneKey($0.entry("Thing").id, ObjectKey(rawValue: SoundStore.deleted)),
        [1, 2, 3, 4, 5, 6, 7, 8])
    },
  ]
}
