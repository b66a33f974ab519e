import Foundation
import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

@Suite("Encrypted stores") struct EncryptionTests {
  static let declarations = [
    ClassDeclaration(
      name: "Zanzibarian",
      columns: [
        ColumnDeclaration(name: "passportNumber", type: .string, isPrimaryKey: true),
        ColumnDeclaration(name: "biography", type: .string, isFullText: true),
        ColumnDeclaration(name: "cloveHarvest", type: .int, isIndexed: true),
        ColumnDeclaration(name: "spouse", type: .link, target: "Zanzibarian"),
        ColumnDeclaration(name: "nicknames", type: .string, collection: .list),
        ColumnDeclaration(name: "ledger", type: .string, collection: .map),
        ColumnDeclaration(name: "guilds", type: .string, collection: .set),
        ColumnDeclaration(name: "anything", type: .mixed, isOptional: true),
        ColumnDeclaration(name: "portrait", type: .data, isOptional: true),
      ], indexes: [IndexDeclaration(["cloveHarvest", "passportNumber"], isUnique: true)])
  ]

  private static func options(_ key: EncryptionKey?) -> StoreOptions {
    var options = StoreOptions()
    options.durability = .none
    options.mapSize = 1 << 32
    options.clusterSize = 8
    options.encryptionKey = key
    return options
  }

  private func open(_ path: String, _ key: EncryptionKey?) throws -> Store {
    try Store.open(path: path, options: Self.options(key))
  }

  private func code(_ body: () throws -> Void) -> StorageError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? StorageError)?.code }
  }

  /// Every text that the store is given, by what it is.
  private static func texts(_ number: Int) -> [String: String] {
    [
      "passportNumber": "PASSPORT-\(number)-XQ", "biography": "Swahili\(number) poet of Stonetown",
      "nickname": "Mwinyi\(number)Mkuu", "ledgerKey": "Karafuu\(number)", "ledgerValue": "Vanilla\(number)Beans",
      "guild": "Dhowbuilders\(number)", "anything": "Kiswahili\(number)Word", "portrait": "Portrait\(number)Pixels",
    ]
  }

  /// Fills a store in several commits: some rows at once, some one by one, with changes and deletions.
  private func fill(_ store: Store, _ numbers: Range<Int>) throws {
    for number in numbers {
      let writer = try store.beginWrite()
      if writer.schema.classes.isEmpty { try writer.apply(Self.declarations, schemaVersion: 1) }
      let entry = try #require(writer.schema["Zanzibarian"])
      func id(_ name: String) -> ColumnID { entry.column(named: name)?.id ?? .presence }
      let texts = Self.texts(number)
      let key = try writer.create(entry.id, primaryKey: .string(texts["passportNumber"] ?? ""))
      try writer.set(entry.id, id("biography"), key, .string(texts["biography"] ?? ""))
      try writer.set(entry.id, id("cloveHarvest"), key, .int(0x1357_9BDF_0246_8ACE + Int64(number)))
      try writer.set(entry.id, id("anything"), key, .string(texts["anything"] ?? ""))
      let portrait = Data(String(repeating: texts["portrait"] ?? "", count: number.isMultiple(of: 3) ? 3_000 : 2).utf8)
      try writer.set(entry.id, id("portrait"), key, .data(portrait))
      try writer.lists.insert(entry.id, id("nicknames"), key, at: 0, [.string(texts["nickname"] ?? "")])
      try writer.maps.put(
        entry.id, id("ledger"), key, [(texts["ledgerKey"] ?? "", .string(texts["ledgerValue"] ?? ""))])
      _ = try writer.sets.insert(entry.id, id("guilds"), key, [.string(texts["guild"] ?? "")])
      if number > 2, number.isMultiple(of: 4) { try writer.delete(entry.id, ObjectKey(rawValue: UInt64(number - 2))) }
      try writer.commit()
    }
  }

  @Test("M-100: no string, name, number or data of the program is in the file, in UTF-8 or UTF-16")
  func noTrace() throws {
    let directory = try TemporaryDirectory()
    func bytes(_ name: String, _ key: EncryptionKey?) throws -> Data {
      let store = try open(directory.file(name), key)
      let writer = try store.beginWrite()
      try store.log.register(
        LogConsumer(name: "ConsumerOfCloves", consumed: 0, policy: .hard), in: writer.transaction)
      try writer.commit()
      try fill(store, 0..<30)
      #expect(try StoreVerifier.verify(store.snapshot()).isEmpty)
      #expect(try store.log.consumers(in: store.snapshot().transaction).map(\.name) == ["ConsumerOfCloves"])
      // With the lock file, which has numbers of processes.
      return try Data(contentsOf: URL(fileURLWithPath: store.path))
        + Data(contentsOf: URL(fileURLWithPath: store.path + "-lock"))
    }
    var traces: [(name: String, bytes: Data)] = []
    func trace(_ text: String) {
      for encoding in [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian] {
        traces.append((text, text.data(using: encoding) ?? Data()))
      }
    }
    for name in ["Zanzibarian", "ConsumerOfClo"] + Self.declarations[0].columns.map(\.name) { trace(name) }
    for word in ["swahili1", "poet", "stonetown"] { trace(word) }
    for number in 0..<30 {
      for text in Self.texts(number).values { trace(text) }
      let harvest = 0x1357_9BDF_0246_8ACE + UInt64(number)
      for word in [harvest, harvest ^ 1 << 63] {
        traces.append(("\(harvest)", withUnsafeBytes(of: word.bigEndian) { Data($0) }))
        traces.append(("\(harvest)", withUnsafeBytes(of: word.littleEndian) { Data($0) }))
      }
    }
    let plain = try bytes("plain.larder", nil)
    // What is looked for can be found: each kind of it is in a plain store.
    for name in ["Zanzibarian", "biography", "PASSPORT-5-XQ", "Vanilla7Beans", "poet", "ConsumerOfClo"] {
      #expect(plain.range(of: Data(name.utf8)) != nil, "\(name)")
    }
    let sealed = try bytes("sealed.larder", .test())
    for trace in traces { #expect(sealed.range(of: trace.bytes) == nil, "\(trace.name) is in the file") }
  }

  @Test("E-5, M-101: another key, none, and one for a plain store are wrong keys; damage is damage")
  func wrongKeys() throws {
    let directory = try TemporaryDirectory()
    let (sealed, plain) = (directory.file("sealed.larder"), directory.file("plain.larder"))
    do {
      try fill(try open(sealed, .test()), 0..<3)
      try fill(try open(plain, nil), 0..<3)
    }
    for readOnly in [false, true] {
      func open(_ path: String, _ key: EncryptionKey?) throws {
        var options = Self.options(key)
        options.readOnly = readOnly
        _ = try Store.open(path: path, options: options)
      }
      #expect(code { try open(sealed, .test(2)) } == .wrongKey)
      #expect(code { try open(sealed, nil) } == .wrongKey)
      #expect(code { try open(plain, .test()) } == .wrongKey)
      #expect(code { try open(sealed, .test()) } == nil)
    }
    let first = try Data(contentsOf: URL(fileURLWithPath: sealed))
    let record = try #require(first.range(of: Data("sealing\0".utf8)))
    // Checksum, algorithms, salt and proof follow the key of the record.
    for offset in [0, 9, 16, 40, 50, 60, 100, 140] {
      var damaged = first
      damaged[record.upperBound + offset] ^= 4
      let path = directory.file("damaged-\(offset).larder")
      try damaged.write(to: URL(fileURLWithPath: path))
      #expect(code { _ = try self.open(path, .test()) } == .corrupted, "offset \(offset)")
    }
    let store = try open(sealed, .test())
    #expect(store.isEncrypted)
    #expect(try store.snapshot().count(of: ClassID(rawValue: 1)) == 3)
  }

  @Test("M-89: in one process a store is open with one key")
  func openWithAnother() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("store.larder")
    let store = try open(path, .test())
    #expect(code { _ = try self.open(path, .test(2)) } == .alreadyOpen)
    #expect(code { _ = try self.open(path, nil) } == .alreadyOpen)
    #expect(try open(path, .test()) === store)
  }

  @Test("two stores with one key share no key, and equal values look different")
  func salts() throws {
    let directory = try TemporaryDirectory()
    let stores = try ["a.larder", "b.larder"].map { try open(directory.file($0), .test()) }
    for store in stores { try fill(store, 0..<2) }
    let raw = try stores.map { store in
      let other = directory.file(UUID().uuidString)
      try store.environment.copy(to: other)
      return try Environment.open(path: other, options: EnvironmentOptions(tables: StoreLayout.tables))
    }
    var keys: [Set<KeyBytes>] = []
    for environment in raw {
      let cursor = try environment.beginRead().cursor(environment.table(StoreLayout.indexes))
      var (found, entry) = (Set<KeyBytes>(), try cursor.first())
      while let record = entry {
        // Prefix, then hashes; the tree of word numbers has object keys.
        if record.key.load(4, as: UInt8.self) != 2 { found.insert(KeyBytes(bytes: record.key.buffer)) }
        entry = try cursor.next()
      }
      keys.append(found)
    }
    #expect(!keys[0].isEmpty && keys[0].isDisjoint(with: keys[1]))
    #expect(try stores.map { try StoreVerifier.verify($0.snapshot()) } == [[], []])
  }

  @Test("M-102, M-115: copies with the same key, another key and none hold the same, indexes included")
  func copies() throws {
    let directory = try TemporaryDirectory()
    let store = try open(directory.file("store.larder"), .test())
    let consumers = try store.beginWrite()
    try store.log.register(LogConsumer(name: "reader", consumed: 1, policy: .hard), in: consumers.transaction)
    try consumers.commit()
    try fill(store, 0..<40)
    func check(_ name: String, _ key: EncryptionKey?, passports: [Int], consumers: [String]) throws {
      let copy = try open(directory.file(name), key)
      #expect(copy.isEncrypted == (key != nil))
      let snapshot = try copy.snapshot()
      let problems = try StoreVerifier.verify(snapshot)
      #expect(problems.isEmpty, "\(name): \(problems)")
      for number in passports {
        let passport = StoredValue.string(Self.texts(number)["passportNumber"] ?? "")
        let object = try #require(try snapshot.object(ClassID(rawValue: 1), primaryKey: passport), "\(number)")
        #expect(
          try snapshot.value(ClassID(rawValue: 1), ColumnID(rawValue: 2), object)
            == .string(Self.texts(number)["biography"] ?? ""))
        let words = try #require(try snapshot.textIndex(ClassID(rawValue: 1), ColumnID(rawValue: 2)))
        #expect(try words.keys(of: "swahili\(number)") == [object])
      }
      #expect(try copy.log.consumers(in: snapshot.transaction).map(\.name) == consumers)
      // It goes on as a store of its own.
      let writer = try copy.beginWrite()
      let made = try writer.create(ClassID(rawValue: 1), primaryKey: .string("further-\(name)"))
      #expect(try writer.object(ClassID(rawValue: 1), primaryKey: .string("further-\(name)")) == made)
      try writer.commit()
      #expect(try StoreVerifier.verify(copy.snapshot()).isEmpty)
    }
    let keys: [(String, CopyKey, EncryptionKey?)] = [
      ("same", .unchanged, .test()), ("given", .key(.test()), .test()), ("other", .key(.test(2)), .test(2)),
      ("none", .key(nil), nil),
    ]
    for (name, copyKey, key) in keys {
      try store.snapshot().copy(to: directory.file(name), key: copyKey)
      try check(name, key, passports: [0, 1, 5, 39], consumers: ["reader"])
    }
    let plain = try open(directory.file("none"), nil)
    try plain.snapshot().copy(to: directory.file("again"), key: .key(.test(3)))
    try check("again", .test(3), passports: [0, 39], consumers: ["reader"])
    let writer = try store.beginWrite()
    _ = try writer.create(ClassID(rawValue: 1), primaryKey: .string("uncommitted"))
    for (name, copyKey, key) in keys {
      let path = directory.file("open-" + name)
      try writer.copy(to: path, key: copyKey)
      let copy = try open(path, key).snapshot()
      #expect(try copy.object(ClassID(rawValue: 1), primaryKey: .string("uncommitted")) != nil)
      #expect(try StoreVerifier.verify(copy).isEmpty)
    }
    writer.cancel()
  }

  @Test("values that are not what was sealed are errors that say where, and larder check names them")
  func damagedValues() throws {
    let directory = try TemporaryDirectory()
    let (path, raw) = (directory.file("store.larder"), directory.file("raw.larder"))
    do {
      let store = try open(path, .test())
      try fill(store, 0..<20)
      try store.environment.copy(to: raw)
    }
    do {
      // Without its cipher the file is a plain one, in which sealed values can be moved about.
      let environment = try Environment.open(path: raw, options: EnvironmentOptions(tables: StoreLayout.tables))
      try environment.write { transaction in
        let clusters = environment.table(StoreLayout.clusters)
        func key(_ cluster: Int) -> KeyBytes {
          KeyBytes(StoreLayout.leafKey(ClassID(rawValue: 1), ColumnID(rawValue: 2), cluster: cluster))
        }
        let moved = try #require(try transaction.get(clusters, key(0))).bytes
        try transaction.put(clusters, key(1), moved)
      }
    }
    let snapshot = try open(raw, .test()).snapshot()
    let (classID, biography) = (ClassID(rawValue: 1), ColumnID(rawValue: 2))
    #expect(try snapshot.value(classID, biography, ObjectKey(rawValue: 0)) != .null)
    let error = #expect(throws: StorageError.self) {
      try snapshot.value(classID, biography, ObjectKey(rawValue: 9))
    }
    #expect(error?.code == .corrupted && error?.message.contains("Zanzibarian.biography, cluster 1") == true)
    let problems = try StoreVerifier.verify(snapshot)
    #expect(problems.contains { $0.location.contains("Zanzibarian.biography, cluster 1") }, "\(problems)")
  }

  @Test("a migration makes and drops indexes of an encrypted store")
  func migration() throws {
    let directory = try TemporaryDirectory()
    let store = try open(directory.file("store.larder"), .test())
    try fill(store, 0..<20)
    var columns = Self.declarations[0].columns
    for position in columns.indices {
      let column = columns[position]
      columns[position] = ColumnDeclaration(
        name: column.name, type: column.type, collection: column.collection, isOptional: column.isOptional,
        target: column.target, isPrimaryKey: column.isPrimaryKey, isIndexed: column.name == "biography")
    }
    for declarations in [[ClassDeclaration(name: "Zanzibarian", columns: columns)], Self.declarations] {
      let writer = try store.beginWrite()
      try writer.apply(declarations, schemaVersion: 2)
      try writer.commit()
      #expect(try StoreVerifier.verify(store.snapshot()).isEmpty)
    }
    let long = String(repeating: "long ", count: 80)
    let writer = try store.beginWrite()
    for name in ["one", "two"] { _ = try writer.create(ClassID(rawValue: 1), primaryKey: .string(long + name)) }
    #expect(throws: StorageError.self) { try writer.create(ClassID(rawValue: 1), primaryKey: .string(long + "one")) }
    try writer.commit()
    #expect(try StoreVerifier.verify(store.snapshot()).isEmpty)
  }
}
