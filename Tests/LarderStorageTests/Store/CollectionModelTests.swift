import Foundation
import TestSupport
import Testing

@testable import LarderStorage

/// Random changes of sets, maps, mixed values, collections nested in them and embedded objects in maps, compared with plain
/// Swift values after each transaction, roll-back and reopening, with every structure checked.
@Suite struct CollectionModelTests {
  struct Thing: Equatable {
    var value = StoredValue.null
    var list: [StoredValue] = []
    var sets: [String: [StoredValue]] = ["numbers": [], "names": [], "friends": [], "any": []]
    var maps: [String: [Pair]] = ["scores": [], "links": [], "parts": [], "values": []]
  }

  struct Pair: Equatable {
    var key: [UInt8]
    var value: StoredValue
  }

  struct Model {
    var things: [ObjectKey: Thing] = [:]
    /// The mixed value of each embedded object.
    var parts: [ObjectKey: StoredValue] = [:]
  }

  private static let declarations = [
    ClassDeclaration(
      name: "Thing",
      columns: [
        ColumnDeclaration(name: "value", type: .mixed),
        ColumnDeclaration(name: "list", type: .mixed, collection: .list),
        ColumnDeclaration(name: "numbers", type: .int, collection: .set, isOptional: true),
        ColumnDeclaration(name: "names", type: .string, collection: .set),
        ColumnDeclaration(name: "friends", type: .link, collection: .set, target: "Thing"),
        ColumnDeclaration(name: "any", type: .mixed, collection: .set),
        ColumnDeclaration(name: "scores", type: .int, collection: .map),
        ColumnDeclaration(name: "links", type: .link, collection: .map, target: "Thing"),
        ColumnDeclaration(name: "parts", type: .link, collection: .map, target: "Part"),
        ColumnDeclaration(name: "values", type: .mixed, collection: .map),
      ]),
    ClassDeclaration(name: "Part", isEmbedded: true, columns: [ColumnDeclaration(name: "note", type: .mixed)]),
  ]

  @Test("random collections agree with the model through commits, roll-backs and reopening", arguments: [8, 496])
  func randomCollectionsAgreeWithTheModel(clusterSize: Int) throws {
    var run = Run(random: SeededRandom.forTest())
    let directory = try TemporaryDirectory()
    var options = StoreOptions()
    options.clusterSize = clusterSize
    options.durability = .none
    let path = directory.file("test.larder")
    var store: Store? = try Store.open(path: path, options: options)
    try run.prepare(try #require(store), Self.declarations)
    for round in 0..<40 {
      // Nothing of the round before is alive here, so the file is closed in between.
      if run.random.oneIn(8) {
        store = nil
        store = try Store.open(path: path, options: options)
      }
      let before = run.model
      let writer = try #require(store).beginWrite()
      if run.random.oneIn(3) { writer.decodedLimit = 20_000 }
      for _ in 0..<run.random.int(1...50) { try run.step(writer) }
      if run.random.oneIn(5) { try run.compare(writer) }
      if run.random.oneIn(6) {
        writer.cancel()
        run.model = before
      } else {
        try writer.commit()
      }
      let snapshot = try #require(store).snapshot()
      try run.compare(snapshot)
      if round % 4 == 3 {
        let problems = try StoreVerifier.verify(snapshot)
        #expect(problems.isEmpty, "seed \(run.random.seed), round \(round): \(problems.prefix(5))")
        if !problems.isEmpty { return }
      }
    }
  }

  /// The model and the store's numbers.
  struct Run {
    var random: SeededRandom
    var model = Model()
    private var thing = ClassID(rawValue: 0)
    private var part = ClassID(rawValue: 0)
    private var columns: [String: ColumnID] = [:]
    private var note = ColumnID(rawValue: 0)

    init(random: SeededRandom) { self.random = random }

    mutating func prepare(_ store: Store, _ declarations: [ClassDeclaration]) throws {
      let writer = try store.beginWrite()
      try writer.apply(declarations, schemaVersion: 1)
      let entry = try #require(writer.schema["Thing"])
      thing = entry.id
      part = try #require(writer.schema["Part"]).id
      note = try #require(writer.schema["Part"]?.column(named: "note")).id
      for column in entry.columns { columns[column.name] = column.id }
      try writer.commit()
    }

    private func column(_ name: String) throws -> ColumnID { try #require(columns[name]) }

    // MARK: Values

    private mutating func text() -> String {
      let special = ["", "\0", "$", "a.b", "é", "e\u{301}", "\u{10FFFF}", "a\0b"]
      return random.oneIn(4) ? random.pick(special) : random.string(maxLength: random.oneIn(20) ? 1_500 : 2)
    }

    private mutating func mixed(depth: Int = 0) -> StoredValue {
      switch random.int(0..<(depth > 3 ? 7 : 9)) {
      case 0: return .null
      case 1: return .int(Int64(random.int(0..<6)))
      case 2: return .double(Double(random.int(0..<8)) / 2)
      case 3: return .string(text())
      case 4: return .data(Data(random.bytes(count: random.oneIn(15) ? 3_000 : 2)))
      case 5: return .bool(random.oneIn(2))
      case 6:
        guard let key = model.things.keys.sorted().randomElement(using: &random) else { return .null }
        return .object(ObjectLink(classID: thing, key: key))
      case 7:
        var elements: [StoredValue] = []
        for _ in 0..<random.int(0..<4) { elements.append(mixed(depth: depth + 1)) }
        return .list(StoredList(elements))
      default:
        var entries: [(key: String, value: StoredValue)] = []
        for _ in 0..<random.int(0..<4) { entries.append((text(), mixed(depth: depth + 1))) }
        return .dictionary(StoredDictionary(entries))
      }
    }

    private mutating func element(of set: String) -> StoredValue? {
      switch set {
      case "numbers": return random.oneIn(9) ? .null : .int(Int64(random.int(-30..<30)))
      case "names": return .string(text())
      case "friends": return model.things.keys.sorted().randomElement(using: &random).map { .link($0) }
      default:
        let value = mixed(depth: 9)
        return value.isCollection ? nil : value
      }
    }

    private mutating func value(in map: String) -> StoredValue? {
      switch map {
      case "scores": return .int(random.anyInt64())
      case "links":
        return random.oneIn(4) ? .null : model.things.keys.sorted().randomElement(using: &random).map { .link($0) }
      default: return mixed()
      }
    }

    // MARK: Steps

    mutating func step(_ writer: StoreWriter) throws {
      guard let key = model.things.keys.sorted().randomElement(using: &random), !random.oneIn(8) else {
        let made = try writer.create(thing)
        model.things[made] = Thing()
        return
      }
      switch random.int(0..<12) {
      case 0, 1, 2: try changeSet(writer, key, random.pick(["numbers", "names", "friends", "any"]))
      case 3, 4: try changeMap(writer, key, random.pick(["scores", "links", "values"]))
      case 5, 6: try changeParts(writer, key)
      case 7:
        let value = mixed()
        try writer.set(thing, column("value"), key, value)
        model.things[key]?.value = value
      case 8: try changeList(writer, key)
      case 9, 10: try changeNested(writer, key)
      default: if random.oneIn(3) { try delete(writer, key) }
      }
    }

    private mutating func changeSet(_ writer: StoreWriter, _ key: ObjectKey, _ name: String) throws {
      var expected = model.things[key]?.sets[name] ?? []
      var values: [StoredValue] = []
      for _ in 0..<(random.oneIn(6) ? 200 : random.int(0...3)) {
        if let value = element(of: name) { values.append(value) }
      }
      func isIn(_ value: StoredValue, _ list: [StoredValue]) -> Bool {
        list.contains { StoredOrder.compare($0, value) == 0 }
      }
      switch random.int(0..<6) {
      case 0, 1, 2:
        let count = expected.count
        for value in values where !isIn(value, expected) { expected.append(value) }
        #expect(try writer.sets.insert(thing, column(name), key, values) == expected.count - count)
      case 3, 4:
        let kept = expected.filter { !isIn($0, values) }
        #expect(try writer.sets.remove(thing, column(name), key, values) == expected.count - kept.count)
        expected = kept
      default:
        try writer.sets.assign(thing, column(name), key, values)
        var assigned: [StoredValue] = []
        for value in values where !isIn(value, assigned) {
          // What is there stays, also when an equal number of another type is assigned.
          assigned.append(expected.first { StoredOrder.compare($0, value) == 0 } ?? value)
        }
        expected = assigned
      }
      model.things[key]?.sets[name] = expected
    }

    private func put(_ key: String, _ value: StoredValue, _ pairs: inout [Pair]) {
      pairs.removeAll { $0.key == Array(key.utf8) }
      pairs.append(Pair(key: Array(key.utf8), value: value))
    }

    private mutating func changeMap(_ writer: StoreWriter, _ key: ObjectKey, _ name: String) throws {
      var expected = model.things[key]?.maps[name] ?? []
      var pairs: [(String, StoredValue)] = []
      for _ in 0..<(random.oneIn(8) ? 150 : random.int(0...3)) {
        if let value = value(in: name) { pairs.append((text(), value)) }
      }
      switch random.int(0..<6) {
      case 0, 1, 2:
        for (key, value) in pairs { put(key, value, &expected) }
        try writer.maps.put(thing, column(name), key, pairs)
      case 3, 4:
        let gone =
          random.oneIn(3) || expected.isEmpty
          ? text() : String(decoding: random.pick(expected).key, as: UTF8.self)
        let count = expected.count
        expected.removeAll { $0.key == Array(gone.utf8) }
        #expect(try writer.maps.remove(thing, column(name), key, gone) == (expected.count < count))
      default:
        expected = []
        for (key, value) in pairs { put(key, value, &expected) }
        try writer.maps.assign(thing, column(name), key, pairs)
      }
      model.things[key]?.maps[name] = expected
    }

    private mutating func changeParts(_ writer: StoreWriter, _ key: ObjectKey) throws {
      var expected = model.things[key]?.maps["parts"] ?? []
      let name =
        random.oneIn(2) || expected.isEmpty ? text() : String(decoding: random.pick(expected).key, as: UTF8.self)
      func forget(_ parts: inout [ObjectKey: StoredValue]) {
        for pair in expected where pair.key == Array(name.utf8) {
          if case .link(let old) = pair.value { parts[old] = nil }
        }
      }
      switch random.int(0..<6) {
      case 0, 1:
        forget(&model.parts)
        let made = try writer.maps.insertEmbedded(in: thing, column("parts"), key, mapKey: name)
        put(name, .link(made), &expected)
        let value = mixed()
        try writer.set(part, note, made, value)
        model.parts[made] = value
      case 2:
        forget(&model.parts)
        try writer.maps.put(thing, column("parts"), key, [(name, .null)])
        put(name, .null, &expected)
      case 3:
        forget(&model.parts)
        try writer.maps.remove(thing, column("parts"), key, name)
        expected.removeAll { $0.key == Array(name.utf8) }
      case 4:
        guard case .link(let target)? = expected.first(where: { !$0.value.isNull })?.value else { return }
        try writer.delete(part, target)
        model.parts[target] = nil
        for index in expected.indices where expected[index].value == .link(target) { expected[index].value = .null }
      default:
        guard random.oneIn(4) else { return }
        for pair in expected { if case .link(let old) = pair.value { model.parts[old] = nil } }
        try writer.maps.clear(thing, column("parts"), key)
        expected = []
      }
      model.things[key]?.maps["parts"] = expected
    }

    private mutating func changeList(_ writer: StoreWriter, _ key: ObjectKey) throws {
      var expected = model.things[key]?.list ?? []
      if expected.isEmpty || random.oneIn(2) {
        let position = random.int(0...expected.count)
        let values = [mixed(), mixed()]
        try writer.lists.insert(thing, column("list"), key, at: position, values)
        expected.insert(contentsOf: values, at: position)
      } else if random.oneIn(2) {
        let position = random.int(0..<expected.count)
        let value = mixed()
        try writer.lists.set(thing, column("list"), key, at: position, value)
        expected[position] = value
      } else {
        let position = random.int(0..<expected.count)
        try writer.lists.remove(thing, column("list"), key, position..<position + 1)
        expected.remove(at: position)
      }
      model.things[key]?.list = expected
    }

    // MARK: Nested collections

    /// Paths to all lists and dictionaries in a value.
    private func collections(_ value: StoredValue, _ path: [MixedStep] = []) -> [[MixedStep]] {
      switch value {
      case .list(let list):
        [path] + list.enumerated().flatMap { collections($1, path + [.position($0)]) }
      case .dictionary(let entries): [path] + entries.flatMap { collections($0.value, path + [.key($0.key)]) }
      default: []
      }
    }

    private mutating func changeNested(_ writer: StoreWriter, _ key: ObjectKey) throws {
      let expected = try #require(model.things[key])
      switch random.int(0..<3) {
      case 0:
        guard let path = collections(expected.value).randomElement(using: &random) else { return }
        let edited = try edit(writer, key, "value", [], expected.value, path)
        model.things[key]?.value = edited
      case 1:
        guard
          let position = expected.list.indices.filter({ expected.list[$0].isCollection }).randomElement(using: &random),
          let path = collections(expected.list[position]).randomElement(using: &random)
        else { return }
        let edited = try edit(writer, key, "list", [.position(position)], expected.list[position], path)
        model.things[key]?.list[position] = edited
      default:
        let pairs = expected.maps["values"] ?? []
        guard let place = pairs.indices.filter({ pairs[$0].value.isCollection }).randomElement(using: &random),
          let path = collections(pairs[place].value).randomElement(using: &random)
        else { return }
        let mapKey = String(decoding: pairs[place].key, as: UTF8.self)
        let edited = try edit(writer, key, "values", [.key(mapKey)], pairs[place].value, path)
        model.things[key]?.maps["values"]?[place].value = edited
      }
    }

    /// Changes the collection at a path, in the store and in a copy of the value, which it gives back.
    private mutating func edit(
      _ writer: StoreWriter, _ key: ObjectKey, _ name: String, _ start: [MixedStep], _ root: StoredValue,
      _ path: [MixedStep]
    ) throws -> StoredValue {
      let target = try #require(root.child(at: path[...]))
      let change: NestedChange
      let result: StoredValue
      if case .list(let list) = target {
        (change, result) = changeOfList(Array(list))
      } else if case .dictionary(let entries) = target {
        var new = entries
        let name = random.oneIn(2) ? entries.keys.randomElement(using: &random) ?? text() : text()
        if random.oneIn(3) {
          new[name] = nil
          change = .removeKey(name)
        } else {
          let value = mixed(depth: 3)
          new[name] = value
          change = .put([(name, value)])
        }
        result = .dictionary(new)
      } else {
        return root
      }
      let id = try writer.nested(thing, column(name), key, path: start + path)?.id
      // A wrong path with the right id finds the collection too.
      let hint = random.oneIn(3) ? Array((start + path).dropLast()) + [.position(77)] : start + path
      try writer.mixed.edit(thing, column(name), key, hint, id: id, change)
      return try #require(replace(root, path[...], result))
    }

    private mutating func changeOfList(_ elements: [StoredValue]) -> (NestedChange, StoredValue) {
      var new = elements
      let value = mixed(depth: 3)
      switch elements.isEmpty ? 0 : random.int(0..<4) {
      case 0:
        let position = random.int(0...elements.count)
        new.insert(value, at: position)
        return (.insert([value], at: position), .list(StoredList(new)))
      case 1:
        let position = random.int(0..<elements.count)
        new[position] = value
        return (.set(value, at: position), .list(StoredList(new)))
      case 2:
        let low = random.int(0..<elements.count)
        let high = random.int(low...elements.count)
        new.removeSubrange(low..<high)
        return (.remove(low..<high), .list(StoredList(new)))
      default:
        let (from, to) = (random.int(0..<elements.count), random.int(0..<elements.count))
        new.insert(new.remove(at: from), at: to)
        return (.move(from: from, to: to), .list(StoredList(new)))
      }
    }

    private func replace(_ value: StoredValue, _ path: ArraySlice<MixedStep>, _ new: StoredValue) -> StoredValue? {
      guard let step = path.first else { return new }
      switch (value, step) {
      case (.list(let list), .position(let position)):
        var elements = Array(list)
        guard let changed = replace(elements[position], path.dropFirst(), new) else { return nil }
        elements[position] = changed
        return .list(StoredList(elements))
      case (.dictionary(var entries), .key(let key)):
        guard let child = entries[key], let changed = replace(child, path.dropFirst(), new) else { return nil }
        entries[key] = changed
        return .dictionary(entries)
      default: return nil
      }
    }

    // MARK: Deleting

    private func without(_ link: ObjectLink, _ value: StoredValue) -> StoredValue {
      switch value {
      case .object(let found): found == link ? .null : value
      case .list(let list): .list(StoredList(list.map { without(link, $0) }))
      case .dictionary(let entries):
        .dictionary(StoredDictionary(entries.map { (key: $0.key, value: without(link, $0.value)) }))
      default: value
      }
    }

    private mutating func delete(_ writer: StoreWriter, _ key: ObjectKey) throws {
      try writer.delete(thing, key)
      for pair in model.things[key]?.maps["parts"] ?? [] {
        if case .link(let owned) = pair.value { model.parts[owned] = nil }
      }
      model.things[key] = nil
      let link = ObjectLink(classID: thing, key: key)
      for part in model.parts.keys { model.parts[part] = without(link, model.parts[part] ?? .null) }
      for (other, old) in model.things {
        var new = old
        new.value = without(link, old.value)
        new.list = old.list.map { without(link, $0) }
        new.sets["friends"]?.removeAll { $0 == .link(key) }
        new.sets["any"]?.removeAll { $0 == .object(link) }
        new.maps["links"] = old.maps["links"]?.map { $0.value == .link(key) ? Pair(key: $0.key, value: .null) : $0 }
        new.maps["values"] = old.maps["values"]?.map { Pair(key: $0.key, value: without(link, $0.value)) }
        model.things[other] = new
      }
    }

    // MARK: Comparing

    func compare(_ reader: any StoreReader) throws {
      #expect(try reader.count(of: thing) == model.things.count, "seed \(random.seed)")
      #expect(try reader.count(of: part) == model.parts.count, "seed \(random.seed)")
      for (key, expected) in model.things {
        #expect(try reader.value(thing, column("value"), key) == expected.value, "seed \(random.seed)")
        #expect(
          try CollectionFixture.elements(reader.list(thing, column("list"), key)) == expected.list,
          "seed \(random.seed)")
        for (name, elements) in expected.sets {
          let sorted = elements.sorted { StoredOrder.compare($0, $1) < 0 }
          let set = try reader.set(thing, column(name), key)
          #expect(try CollectionFixture.elements(set) == sorted, "seed \(random.seed), \(name)")
        }
        for (name, pairs) in expected.maps {
          let map = try reader.map(thing, column(name), key)
          let found = try MapTests.entries(map).map { Pair(key: Array($0.key.utf8), value: $0.value) }
          #expect(found == pairs.sorted { $0.key.lexicographicallyPrecedes($1.key) }, "seed \(random.seed), \(name)")
          for pair in pairs.prefix(5) {
            #expect(try map.value(of: String(decoding: pair.key, as: UTF8.self)) == pair.value, "seed \(random.seed)")
          }
        }
      }
      for (key, value) in model.parts {
        #expect(try reader.value(part, note, key) == value, "seed \(random.seed)")
      }
    }
  }
}
