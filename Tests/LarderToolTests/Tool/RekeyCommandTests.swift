import Foundation
import LarderInspection
import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

/// `larder rekey`: a store encrypted, decrypted and given another key in its place.
@Suite(.serialized) struct RekeyCommandTests {
  private let directory: TemporaryDirectory
  private let store: String
  private let first: String
  private let second: String
  private static let firstKey = EncryptionKey.test(1)
  private static let secondKey = EncryptionKey.test(2)
  /// Texts that the store holds: of values large and small, lists, sets, maps, words, names of properties, and a consumer.
  private static let planted = ["many words", "note 12", "tag 3", "label 4", "key 2", "any 8", "title", "follower"]

  init() throws {
    let made = try TemporaryDirectory()
    directory = made
    store = made.file("store.larder")
    // `EncryptionKey.test` as the tool reads it.
    func file(_ number: UInt8) throws -> String {
      try made.write((0..<64).map { UInt8(truncatingIfNeeded: $0 &* 3 &+ Int(number)) }, to: "key\(number)")
    }
    first = try file(1)
    second = try file(2)
    try SoundStore.make(store)
    try change(nil) { writer in
      let note = try #require(writer.schema["Note"])
      let key = try writer.create(note.id, primaryKey: .int(500))
      try writer.set(note.id, try #require(note.column(named: "text")).id, key, .string("a commit of its own"))
    }
    let opened = try open(nil)
    try opened.environment.write {
      try opened.log.register(LogConsumer(name: "follower", consumed: 3, policy: .hard), in: $0)
    }
  }

  private func open(_ key: EncryptionKey?) throws -> Store {
    var options = StoreOptions()
    options.encryptionKey = key
    return try Store.open(path: store, options: options)
  }

  private func change(_ key: EncryptionKey?, _ body: (StoreWriter) throws -> Void) throws {
    let writer = try open(key).beginWrite()
    defer { writer.cancel() }
    try body(writer)
    try writer.commit()
  }

  /// The parts that must stay as they are: the store's identity, its version, its records of the log and its consumers.
  private struct Account: Equatable {
    var identity: [UInt64]
    var version: UInt64
    var log: [UInt64: CommitRecord]
    var consumers: [LogConsumer]
  }

  private func account(_ key: EncryptionKey?) throws -> Account {
    let opened = try open(key)
    let snapshot = try opened.snapshot()
    let identity = opened.identity
    var log: [UInt64: CommitRecord] = [:]
    for version in 0...snapshot.version { log[version] = try opened.log.record(version, in: snapshot.transaction) }
    return Account(
      identity: [identity.storeID.high, identity.storeID.low, identity.incarnation, UInt64(identity.clusterSize)],
      version: snapshot.version, log: log, consumers: try opened.log.consumers(in: snapshot.transaction))
  }

  private func holds(_ text: String) throws -> Bool {
    try Data(contentsOf: URL(fileURLWithPath: store)).range(of: Data(text.utf8)) != nil
  }

  private func arguments(_ key: String?, _ words: String...) -> [String] {
    ["rekey", store] + words + (key.map { ["--key-file", $0] } ?? [])
  }

  private func dump(_ key: String?) throws -> String {
    let found = try WorkerProcess.run("larder", ["dump", store] + (key.map { ["--key-file", $0] } ?? []))
    #expect(found.status == 0, "\(found.errors)")
    return found.output
  }

  @Test(
    "F-75: plain, encrypted, with another key and plain again: the same dump, identity, versions, log and consumers")
  func thereAndBack() throws {
    let (text, account) = (try dump(nil), try account(nil))
    #expect(!account.log.isEmpty && account.consumers.map(\.name) == ["follower"])
    for planted in Self.planted { #expect(try holds(planted), "\(planted)") }
    let steps: [(old: (String, EncryptionKey)?, new: (String, EncryptionKey)?)] = [
      (nil, (first, Self.firstKey)), ((first, Self.firstKey), (second, Self.secondKey)),
      ((second, Self.secondKey), nil),
    ]
    for (old, new) in steps {
      let work =
        new.map { arguments(old?.0, "--new-key-file", $0.0, "--write") } ?? arguments(old?.0, "--decrypt", "--write")
      let result = try WorkerProcess.run("larder", work)
      #expect(result.status == 0 && result.output.contains(" before, "), "\(result)")
      #expect(try dump(new?.0) == text)
      #expect(try self.account(new?.1) == account)
      let check = try WorkerProcess.run(
        "larder", ["check", store, "--deep"] + (new.map { ["--key-file", $0.0] } ?? []))
      #expect(check.status == 0, "\(check)")
      // What it was opened with before is refused.
      #expect(throws: StorageError.self) { _ = try open(old?.1) }
      for planted in Self.planted { #expect(try holds(planted) == (new == nil), "\(planted)") }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: directory.path).allSatisfy { !$0.contains("copying") })
    }
    // The log goes on where it was.
    try change(nil) { writer in _ = try writer.create(try #require(writer.schema["Plain"]).id) }
    let after = try self.account(nil)
    #expect(after.version == account.version + 1 && after.log[account.version] == account.log[account.version])
    #expect(after.log[after.version]?.classes.count == 1)
  }

  @Test("F-75: indexes of a store that was encrypted in its place answer, and take new values")
  func indexes() throws {
    try expectLarder("rekey", store, "--new-key-file", first, "--write")
    func count(_ className: String, _ predicate: String) throws -> String {
      try expectLarder("query", store, className, predicate, "--count", "--key-file", first)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    #expect(try count("Thing", "id == 107") == "1")
    #expect(try count("Thing", "name == 'name 3'") == "5")
    #expect(try count("Thing", "text TEXT 'word'") == "22")
    try change(Self.firstKey) { writer in
      let note = try #require(writer.schema["Note"])
      #expect(try writer.object(note.id, primaryKey: .int(500)) != nil)
      _ = try writer.create(note.id, primaryKey: .int(501))
    }
    #expect(try count("Note", "id >= 500") == "2")
    try expectLarder("check", store, "--deep", "--quiet", "--key-file", first)
  }

  @Test("F-75: without --write nothing changes, and what cannot be done is reported")
  func refusals() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    let plan = try expectLarder("rekey", store, "--new-key-file", first)
    #expect(
      plan.contains("is not encrypted; it would be") && plan.hasSuffix("nothing was written: say --write to do it\n"))
    let json = try expectLarder("rekey", store, "--new-key-file", first, "--json")
    #expect(json.contains("\"work\": \"encrypt\"") && json.contains("\"written\": false"))
    try expectFailure("rekey", store, "--decrypt", "--write", words: "is not encrypted")
    try expectFailure("rekey", store, "--key-file", first, "--decrypt", "--write", words: "is not encrypted")
    let short = try directory.write("deadbeef", to: "short")
    try expectFailure("rekey", store, "--new-key-file", short, "--write", words: "holds no key")
    for wrong in [["rekey", store, "--write"], ["rekey", store, "--decrypt", "--new-key-file", first, "--write"]] {
      #expect(try WorkerProcess.run("larder", wrong).status == 2)
    }
    do {
      let opened = try open(nil)
      try expectFailure("rekey", store, "--new-key-file", first, "--write", words: "is in use")
      withExtendedLifetime(opened) {}
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
    try expectLarder("rekey", store, "--new-key-file", first, "--write")
    try expectFailure("rekey", store, "--new-key-file", second, "--write", words: "is encrypted", "--key-file")
    try expectFailure(
      "rekey", store, "--key-file", second, "--decrypt", "--write", words: "cannot be decrypted with this key")
  }

  @Test("F-75: a value that does not open is reported, and the store is left as it is")
  func damage() throws {
    try expectLarder("rekey", store, "--new-key-file", first, "--write")
    // Below the store nothing is sealed.
    do {
      let environment = try Environment.open(path: store, options: EnvironmentOptions(tables: StoreLayout.tables))
      let log = environment.table(StoreLayout.log)
      try environment.write { try $0.put(log, KeyBytes(UInt64(1)), [UInt8](repeating: 3, count: 96)) }
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    try expectFailure(
      "rekey", store, "--key-file", first, "--new-key-file", second, "--write", words: "table log", "larder repair")
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
  }

  @Test("F-75: killed at any moment, the store is the old one or the new one")
  func kills() async throws { try await LongTest.run { try kill() } }

  private func kill() throws {
    var random = SeededRandom.forTest()
    let rounds = ProcessInfo.processInfo.environment["LARDER_KILLS"].flatMap { Int($0) } ?? 15
    let text = try dump(nil)
    var current: String?
    var changed = 0
    var whole = 0.3
    for round in 0..<rounds {
      let next = [first, second, nil].filter { $0 != current }[random.int(0...1)]
      let work =
        next.map { arguments(current, "--new-key-file", $0, "--write") } ?? arguments(current, "--decrypt", "--write")
      let worker = try WorkerProcess("larder", work)
      usleep(useconds_t(random.int(0...Int(whole * 1e6))))
      worker.kill()
      // Which of the two it is shows by what opens it.
      let opens = try [current, next].filter {
        try WorkerProcess.run("larder", ["info", store] + ($0.map { ["--key-file", $0] } ?? [])).status == 0
      }
      #expect(opens.count == 1, "round \(round)")
      guard let now = opens.first else { return }
      if now != current { changed += 1 }
      whole *= now != current ? 0.9 : 1.1
      current = now
      #expect(try dump(current) == text, "round \(round)")
      let check = try WorkerProcess.run(
        "larder", ["check", store, "--deep"] + (current.map { ["--key-file", $0] } ?? []))
      #expect(check.status == 0, "round \(round): \(check)")
    }
    // The next one takes away what the kills have left.
    let last = try WorkerProcess.run("larder", arguments(current, "--new-key-file", first, "--write"))
    #expect(last.status == 0, "\(last.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).allSatisfy { !$0.contains("copying") })
    print("re-keyed \(changed) times of \(rounds) kills")
  }
}
