import Foundation
import Larder
import TestSupport
import Testing

@Suite("Realms made of .realm files") struct RealmFileImportTests {
  enum Graph {
    class Address: EmbeddedObject {
      @Persisted var street: String?
      @Persisted var geo: Geo?
      @Persisted var history: List<Geo>
      @Persisted var named: Map<String, Geo?>
      @Persisted var owner: Person?
    }
    class Geo: EmbeddedObject {
      @Persisted var lat: Double
      @Persisted var lon: Double
      @Persisted var tags: List<String>
    }
    class Person: Object {
      @Persisted var name: String
      @Persisted var friend: Person?
      @Persisted var friends: List<Person>
      @Persisted var circle: MutableSet<Person>
      @Persisted var byRole: Map<String, Person?>
      @Persisted var address: Address?
      @Persisted var addresses: List<Address>
      @Persisted var places: Map<String, Address?>
      @Persisted var any: AnyRealmValue
      @Persisted(originProperty: "friends") var friendOf: LinkingObjects<Person>
    }
    class Hub: Object {
      @Persisted(primaryKey: true) var id: String
      @Persisted var next: Hub?
      @Persisted(originProperty: "hub") var spokes: LinkingObjects<Spoke>
    }
    class Spoke: Object {
      @Persisted var n: Int
      @Persisted var hub: Hub?
    }
    class Box: Object {
      @Persisted var v: AnyRealmValue
      @Persisted var list: List<AnyRealmValue>
      @Persisted var set: MutableSet<AnyRealmValue>
      @Persisted var map: Map<String, AnyRealmValue>
    }
    static let all: [ObjectBase.Type] = [
      Address.self, Geo.self, Person.self, Hub.self, Spoke.self, Box.self,
    ]
  }

  enum Settings {
    class Setting: Object {
      @Persisted(primaryKey: true) var name: String
      @Persisted var value: String?
      @Persisted var revision: Int
    }
    class Log: Object {
      @Persisted var line: String
    }
  }

  enum Later {
    class Setting: Object {
      @Persisted(primaryKey: true) var name: String
      @Persisted var text: String
      @Persisted var revision: Int
      @Persisted(indexed: true) var origin = "new"
    }
    class Log: Object {
      @Persisted var line: String
    }
  }

  private static func sample(_ name: String) -> URL { URL(fileURLWithPath: "\(fixtures)/realm/\(name).realm") }

  private static func key() throws -> Data {
    let text = try String(contentsOfFile: "\(fixtures)/realm/encrypted.key", encoding: .utf8)
    let digits = Array(text.filter { $0.isHexDigit })
    return Data(
      stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) })
  }

  private func configuration(
    _ folder: TemporaryFolder, _ types: [ObjectBase.Type], _ source: URL, version: UInt64 = 0
  ) -> Realm.Configuration {
    var configuration = folder.configuration(types, version: version)
    configuration.importsRealmFile = RealmFileImport(fileURL: source)
    return configuration
  }

  private func files(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  /// Returns the error that opening throws.
  private func error(_ configuration: Realm.Configuration) -> Realm.Error? {
    do {
      _ = try Realm(configuration: configuration)
      return nil
    } catch { return error as? Realm.Error }
  }

  // MARK: - Content

  @Test("U-40 objects of a .realm file are live objects: links, collections, embedded objects, queries, changes")
  func liveObjects() throws {
    let folder = try TemporaryFolder()
    let bytes = try Data(contentsOf: Self.sample("graph"))
    let reports = Reports()
    var configuration = configuration(folder, Graph.all, Self.sample("graph"))
    configuration.importsRealmFile?.completion = { reports.add($0) }
    let realm = try Realm(configuration: configuration)
    let people = realm.objects(Graph.Person.self)
    #expect(people.map(\.name) == [0, 1, 2, 3, 4, 5, 7].map { "person \($0)" })
    let first = try #require(people.first)
    #expect(first.friend?.isSameObject(as: first) == true)
    #expect(first.friends.map(\.name) == [3, 0, 3, 7, 1, 3].map { "person \($0)" })
    #expect(first.byRole["boss"]??.name == "person 5" && first.byRole["vacant"] == .some(nil))
    #expect(first.address?.street == "Main Street 1" && first.address?.geo?.lat == 3)
    #expect(first.address?.geo.map { Array($0.tags) } == ["north", "östlich"])
    #expect(first.address?.history.count == 2 && first.address?.named["bell"]??.lat == -2)
    #expect(Set(people[1].circle.map(\.name)) == ["person 0", "person 1", "person 4"])
    #expect(people[1].any.object(Graph.Person.self)?.isSameObject(as: people[1]) == true)
    #expect(people.where { $0.friends.name == "person 7" }.map(\.name) == ["person 0"])
    #expect(people[3].friendOf.count == 3)
    let hub = try #require(realm.object(ofType: Graph.Hub.self, forPrimaryKey: "centre"))
    #expect(hub.next?.id == "edge" && hub.next?.next == hub)
    #expect(hub.spokes.count == realm.objects(Graph.Spoke.self).filter("hub.id == 'centre'").count)
    #expect(hub.spokes.count > 1_000)
    let box = realm.objects(Graph.Box.self)[5]
    #expect(box.list.count == 4 && box.set.count == 9)
    #expect(box.map["p"]?.object(Graph.Person.self)?.isSameObject(as: people[3]) == true)
    try realm.write { realm.create(Graph.Person.self, value: ["name": "new", "friend": first] as [String: Any]) }
    #expect(people.filter("friend == %@", first).count == 2)
    #expect(reports.all.count == 1 && reports.all.first?.omissions.isEmpty == true)
    #expect(reports.all.first?.objectCounts["Person"] == 7 && reports.all.first?.skippedTables == ["metadata"])
    #expect(try Data(contentsOf: Self.sample("graph")) == bytes)
  }

  @Test("U-40 what was imported is observed") func observes() throws {
    let folder = try TemporaryFolder()
    let configuration = configuration(folder, Graph.all, Self.sample("graph"))
    let (owner, arrived) = (DispatchQueue(label: "owner"), DispatchSemaphore(value: 0))
    let (seen, kept) = (Reports(), Kept())
    try owner.sync {
      let realm = try Realm(configuration: configuration, queue: owner)
      kept.realm = realm
      kept.token = realm.objects(Graph.Person.self).observe { change in
        if case .update(_, _, let insertions, _) = change { seen.add(insertions.count) }
        arrived.signal()
      }
    }
    #expect(arrived.wait(timeout: .now() + 60) == .success)
    try owner.sync {
      guard let realm = kept.realm else { return }
      try realm.write { _ = realm.create(Graph.Person.self, value: ["name": "new"]) }
    }
    #expect(arrived.wait(timeout: .now() + 60) == .success)
    owner.sync {
      kept.token = nil
      kept.realm = nil
    }
    #expect(seen.numbers == [1])
  }

  @Test("U-40 a .realm file is imported once; where there is a store it need not be there")
  func importsOnce() throws {
    let folder = try TemporaryFolder()
    let reports = Reports()
    var configuration = configuration(
      folder, [Settings.Setting.self, Settings.Log.self], Self.sample("schema-version"))
    configuration.schemaVersion = 7
    configuration.importsRealmFile?.completion = { reports.add($0) }
    do {
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(Settings.Setting.self).map(\.name) == ["theme", "font"])
      try realm.write { realm.deleteAll() }
    }
    configuration.importsRealmFile?.fileURL = folder.url.appendingPathComponent("gone.realm")
    #expect(try Realm(configuration: configuration).objects(Settings.Setting.self).isEmpty)
    #expect(reports.all.map(\.schemaVersion) == [7])
  }

  @Test("U-40 the migration block changes what a .realm file had, from its schema version on") func migrates() throws {
    let folder = try TemporaryFolder()
    var configuration = configuration(
      folder, [Later.Setting.self, Later.Log.self], Self.sample("schema-version"), version: 9)
    let versions = Reports()
    configuration.migrationBlock = { migration, version in
      versions.add(Int(version))
      migration.enumerateObjects(ofType: "Setting") { old, new in
        new?["text"] = old?["value"] as? String ?? "none"
        new?["revision"] = (old?["revision"] as? Int ?? 0) + 1
      }
    }
    let realm = try Realm(configuration: configuration)
    let settings = realm.objects(Later.Setting.self)
    #expect(versions.numbers == [7])
    #expect(settings.map(\.text) == ["dark", "none"] && settings.map(\.revision) == [8, 1])
    #expect(settings.map(\.origin) == ["new", "new"] && realm.objects(Later.Log.self).count == 1)
    #expect(try schemaVersionAtURL(try #require(configuration.fileURL)) == 9)
  }

  @Test("U-40 a lower schema version than the file's is an error, as with any store") func refusesLowerVersion() throws
  {
    let folder = try TemporaryFolder()
    let configuration = configuration(
      folder, [Settings.Setting.self, Settings.Log.self], Self.sample("schema-version"), version: 6)
    #expect(error(configuration)?.message.contains("below the stored 7") == true)
  }

  // MARK: - Keys, places, errors

  @Test("U-40 file and store have keys of their own") func encryption() throws {
    let folder = try TemporaryFolder()
    var configuration = folder.configuration([], version: 2)
    configuration.importsRealmFile = RealmFileImport(
      fileURL: Self.sample("encrypted"), encryptionKey: try Self.key())
    configuration.encryptionKey = Data(repeating: 7, count: 64)
    do { _ = try Realm(configuration: configuration) }
    configuration.encryptionKey = nil
    #expect(error(configuration)?.isWrongKey == true)
    configuration.fileURL = folder.url.appendingPathComponent("b.larder")
    configuration.importsRealmFile?.encryptionKey = nil
    #expect(error(configuration)?.isWrongKey == true)
    configuration.importsRealmFile?.encryptionKey = Data(repeating: 1, count: 64)
    #expect(error(configuration)?.isWrongKey == true)
    #expect(try files(folder).filter { !$0.hasPrefix("a.larder") }.isEmpty)
  }

  @Test("U-40 what cannot be imported is an error that names the file, and leaves no store") func errors() throws {
    let folder = try TemporaryFolder()
    var configuration = folder.configuration([], version: 0)
    for (name, code) in [
      ("nothing", Realm.Error.Code.fileNotFound), ("damaged-truncated", .invalidDatabase),
      ("damaged-format25", .unsupportedFileFormatVersion), ("not-a-realm", .invalidDatabase),
      ("damaged-bit-count", .invalidDatabase),
    ] {
      configuration.importsRealmFile = RealmFileImport(fileURL: Self.sample(name))
      let error = error(configuration)
      #expect(
        error?.code == code && error?.path?.hasSuffix("\(name).realm") == true, "\(name): \(String(describing: error))")
    }
    #expect(try files(folder).isEmpty)
    configuration.importsRealmFile = RealmFileImport(fileURL: try #require(configuration.fileURL))
    #expect(error(configuration)?.message.contains("give the store another fileURL") == true)
    configuration.importsRealmFile = RealmFileImport(fileURL: Self.sample("graph"))
    configuration.seedFilePath = Self.sample("graph")
    #expect(error(configuration)?.message.contains("excludes seedFilePath") == true)
    configuration.seedFilePath = nil
    configuration.inMemoryIdentifier = "import"
    let inMemory = error(configuration)
    #expect(inMemory?.code == .fail && inMemory?.message.contains("not in memory") == true)
  }

  @Test("U-40 opening asynchronously imports as well, with progress") func asynchronously() async throws {
    let folder = try TemporaryFolder()
    let seen = Reports()
    var configuration = configuration(folder, Graph.all, Self.sample("graph"))
    configuration.importsRealmFile?.progress = { seen.add($0.done) }
    let opened = configuration
    let count = try await Task { @MainActor in
      try await Realm.open(configuration: opened).objects(Graph.Person.self).count
    }.value
    #expect(count == 7)
    #expect(seen.numbers == seen.numbers.sorted() && (seen.numbers.last ?? 0) > 1_000)
  }

  @Test("U-41 what could not be imported is reported") func reportsOmissions() throws {
    let folder = try TemporaryFolder()
    let reports = Reports()
    let source = folder.url.appendingPathComponent("crafted.realm")
    let table = RealmFileBuilder.Table(
      "class_Spoke", rows: 2,
      [
        .init("n", .int) { rows, nodes in nodes.integers(rows.map { Int64($0) }) },
        .init("hub", .link, attributes: 16, target: 0) { _, nodes in nodes.links([0, 44]) },
      ])
    try Data(RealmFileBuilder([table]).bytes()).write(to: source)
    var configuration = folder.configuration([], version: 0)
    configuration.importsRealmFile = RealmFileImport(fileURL: source, completion: { reports.add($0) })
    _ = try Realm(configuration: configuration)
    let omission = try #require(reports.all.first?.omissions.first)
    #expect(reports.all.first?.omissionCount == 1)
    #expect(omission.className == "Spoke" && omission.propertyName == "hub" && omission.objectKey == 1)
    #expect(omission.message.contains("object 44 of 'Spoke'"))
  }

  // MARK: - Other processes

  private func crafted(_ folder: TemporaryFolder) throws -> String {
    let source = folder.url.appendingPathComponent("old.realm")
    try Data(RealmFileBuilder([RealmFileBuilder.people(600)]).bytes()).write(to: source)
    return source.path
  }

  @Test("U-40 an import that is killed leaves no store, and the next one tidies up") func killed() throws {
    let folder = try TemporaryFolder()
    let (old, new) = (try crafted(folder), folder.url.appendingPathComponent("new.larder").path)
    let worker = try WorkerProcess("ImportWorker", [old, new, "wait"])
    #expect(worker.readLine() == "importing")
    worker.kill()
    #expect(!FileManager.default.fileExists(atPath: new))
    #expect(try files(folder).contains { $0.hasSuffix(".copying") })
    let result = try WorkerProcess.run("ImportWorker", [old, new])
    #expect(result.output == "importing\nmade 600\n", "\(result)")
    #expect(try files(folder) == ["new.larder", "new.larder-lock", "old.realm"])
  }

  @Test("U-40 of two processes that open at once one imports, and the other waits for it") func together() throws {
    let folder = try TemporaryFolder()
    let (old, new) = (try crafted(folder), folder.url.appendingPathComponent("new.larder").path)
    let first = try WorkerProcess("ImportWorker", [old, new, "wait"])
    #expect(first.readLine() == "importing")
    let second = try WorkerProcess("ImportWorker", [old, new])
    try first.send("go on")
    #expect(first.readLine() == "made 600")
    #expect(second.readLine() == "found 600")
  }
}

/// A Realm and a token that live on a queue.
private final class Kept: @unchecked Sendable {
  // Unchecked: it is used on the queue.
  var realm: Realm?
  var token: NotificationToken?
}

/// The reports of imports, from whatever thread.
private final class Reports: @unchecked Sendable {
  // Unchecked: everything is under the lock.
  private let lock = NSLock()
  private var reports: [RealmFileImport.Report] = []
  private var counts: [Int] = []

  func add(_ report: RealmFileImport.Report) { lock.withLock { reports.append(report) } }
  func add(_ number: Int) { lock.withLock { counts.append(number) } }
  var all: [RealmFileImport.Report] { lock.withLock { reports } }
  var numbers: [Int] { lock.withLock { counts } }
}
