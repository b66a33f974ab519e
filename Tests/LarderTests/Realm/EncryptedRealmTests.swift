import Foundation
import Testing

@testable import Larder
@testable import LarderStorage

@Suite("Encrypted Realms") struct EncryptedRealmTests {
  enum V {
    class Patient: Object {
      @Persisted(primaryKey: true) var number: Int
      @Persisted(indexed: true) var name = ""
      @Persisted(indexed: .fullText) var notes = ""
      @Persisted var visits: List<Date>
      @Persisted var doctor: Patient?
    }
  }
  enum Later {
    class Patient: Object {
      @Persisted(primaryKey: true) var number: Int
      @Persisted var name = ""
      @Persisted(indexed: .fullText) var notes = ""
      @Persisted var visits: List<Date>
      @Persisted var doctor: Patient?
      @Persisted(indexed: true) var room = "unknown"
    }
  }

  private static func key(_ number: UInt8 = 1) -> Data {
    Data((0..<64).map { UInt8(truncatingIfNeeded: $0) &+ number })
  }

  private func configuration(_ folder: TemporaryFolder, _ key: Data?, _ name: String = "a.larder")
    -> Realm.Configuration
  {
    var configuration = folder.configuration([V.Patient.self], version: 1)
    configuration.fileURL = folder.url.appendingPathComponent(name)
    configuration.encryptionKey = key
    return configuration
  }

  private func fill(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      var doctor: V.Patient?
      for number in 0..<50 {
        let patient = realm.create(
          V.Patient.self, value: ["number": number, "name": "Name \(number % 7)", "notes": "fever and cough \(number)"])
        patient.doctor = doctor
        patient.visits.append(Date(timeIntervalSince1970: Double(number)))
        doctor = patient
      }
    }
  }

  private func error(_ configuration: Realm.Configuration) -> Realm.Error? {
    do {
      _ = try Realm(configuration: configuration)
      return nil
    } catch { return error as? Realm.Error }
  }

  private func verify(_ realm: Realm, _ count: Int = 50) throws {
    let patients = realm.objects(V.Patient.self)
    #expect(patients.count == count)
    #expect(patients.filter("name == 'Name 3'").count == patients.filter { $0.name == "Name 3" }.count)
    #expect(patients.filter("name > 'Name 3'").count == patients.filter { $0.name > "Name 3" }.count)
    #expect(patients.filter("notes TEXT 'feve* cough'").count == count)
    #expect(patients.sorted(byKeyPath: "name").first?.name == "Name 0")
    let problems = try StoreVerifier.verify(realm.core.currentSnapshot())
    #expect(problems.isEmpty, "\(problems.map(\.description))")
  }

  @Test("M-100 to M-102, E-5: a Realm opens with its key only, and a wrong key is distinguished from damage")
  func keys() throws {
    let folder = try TemporaryFolder()
    let configuration = configuration(folder, Self.key())
    try fill(configuration)
    for wrong in [nil, Self.key(2)] {
      var other = configuration
      other.encryptionKey = wrong
      other.deleteRealmIfMigrationNeeded = true
      let error = error(other)
      #expect(error?.code == .invalidDatabase && error?.isWrongKey == true, "\(String(describing: error))")
      #expect(error?.message.contains("a.larder") == true)
    }
    let realm = try Realm(configuration: configuration)
    try verify(realm)
    #expect(realm.configuration.description.contains("encryptionKey = (set)"))
    var other = configuration
    other.encryptionKey = Self.key(2)
    #expect(error(other)?.code == .fail && error(other)?.message.contains("different encryptionKey") == true)
    let plain = self.configuration(folder, nil, "plain.larder")
    try fill(plain)
    var superfluous = plain
    superfluous.encryptionKey = Self.key()
    #expect(error(superfluous)?.isWrongKey == true)
    let url = folder.url.appendingPathComponent("text.larder")
    try Data(repeating: 65, count: 9_000).write(to: url)
    let foreign = error(self.configuration(folder, Self.key(), "text.larder"))
    #expect(foreign?.code == .invalidDatabase && foreign?.isWrongKey == false)
  }

  @Test("schemaVersionAtURL needs the key")
  func schemaVersion() throws {
    let folder = try TemporaryFolder()
    let configuration = configuration(folder, Self.key())
    try fill(configuration)
    let url = try #require(configuration.fileURL)
    #expect(try schemaVersionAtURL(url, encryptionKey: Self.key()) == 1)
    for wrong in [nil, Self.key(2)] {
      let error = #expect(throws: Realm.Error.self) { try schemaVersionAtURL(url, encryptionKey: wrong) }
      #expect(error?.code == .invalidDatabase && error?.isWrongKey == true)
    }
    let short = #expect(throws: Realm.Error.self) { try schemaVersionAtURL(url, encryptionKey: Data(count: 3)) }
    #expect(short?.code == .invalidInput)
  }

  @Test("M-102, M-115: writeCopy encrypts, encrypts again and decrypts, with what is not committed")
  func copies() throws {
    let folder = try TemporaryFolder()
    for source in [Self.key(), nil] {
      let configuration = configuration(folder, source, "\(source == nil ? "plain" : "sealed").larder")
      try fill(configuration)
      let realm = try Realm(configuration: configuration)
      for (name, key) in [("same", Self.key()), ("other", Self.key(2)), ("none", nil)] {
        let copy = self.configuration(folder, key, "\(source?.first ?? 0)-\(name).larder")
        try realm.writeCopy(configuration: copy)
        try verify(try Realm(configuration: copy))
        let open = self.configuration(folder, key, "\(source?.first ?? 0)-\(name)-open.larder")
        realm.beginWrite()
        realm.create(V.Patient.self, value: ["number": 100, "name": "Name 3", "notes": "cough, fever"])
        try realm.writeCopy(configuration: open)
        realm.cancelWrite()
        try verify(try Realm(configuration: open), 51)
        let bytes = try Data(contentsOf: try #require(copy.fileURL))
        #expect((bytes.range(of: Data("Patient".utf8)) == nil) == (key != nil))
      }
    }
  }

  @Test("M-88, M-93: seeds and compaction keep the encryption")
  func files() throws {
    let folder = try TemporaryFolder()
    let seed = configuration(folder, Self.key(), "seed.larder")
    try fill(seed)
    var made = configuration(folder, Self.key(), "made.larder")
    made.seedFilePath = seed.fileURL
    var asked = false
    try autoreleasepool {
      let realm = try Realm(configuration: made)
      try verify(realm)
      try realm.write { realm.delete(realm.objects(V.Patient.self).filter("number >= 10")) }
    }
    made.seedFilePath = nil
    let question = Asked()
    made.shouldCompactOnLaunch = { _, _ in question.ask() }
    try verify(try Realm(configuration: made), 10)
    asked = question.wasAsked
    #expect(asked)
    var wrong = configuration(folder, Self.key(2), "wrong.larder")
    wrong.seedFilePath = seed.fileURL
    #expect(error(wrong)?.isWrongKey == true)
    #expect(!FileManager.default.fileExists(atPath: try #require(wrong.fileURL).path))
  }

  private final class Asked: @unchecked Sendable {
    // Unchecked: asked on the thread that opens.
    private(set) var wasAsked = false
    func ask() -> Bool {
      wasAsked = true
      return true
    }
  }

  @Test("a migration of an encrypted Realm")
  func migration() throws {
    let folder = try TemporaryFolder()
    try fill(configuration(folder, Self.key()))
    var later = configuration(folder, Self.key())
    later.objectTypes = [Later.Patient.self]
    later.schemaVersion = 2
    later.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Patient") { old, new in new?["room"] = "room \(old?["number"] as? Int ?? 0)" }
    }
    let realm = try Realm(configuration: later)
    #expect(realm.objects(Later.Patient.self).filter("room == 'room 7'").first?.number == 7)
    let problems = try StoreVerifier.verify(realm.core.currentSnapshot())
    #expect(problems.isEmpty, "\(problems.map(\.description))")
  }

  @Test("what was read stays as it was while others write, and deleted rows free their keys")
  func versions() throws {
    let folder = try TemporaryFolder()
    let configuration = configuration(folder, Self.key())
    try fill(configuration)
    let realm = try Realm(configuration: configuration)
    var frozen: [(Realm, [String])] = []
    for round in 0..<30 {
      let now = realm.freeze()
      frozen.append((now, now.objects(V.Patient.self).sorted(byKeyPath: "number").map(\.name)))
      try realm.write {
        for patient in realm.objects(V.Patient.self) where patient.number % 3 == round % 3 { patient.name += "x" }
        if let first = realm.object(ofType: V.Patient.self, forPrimaryKey: round) { realm.delete(first) }
        realm.create(V.Patient.self, value: ["number": round, "name": "again \(round)"])
      }
      #expect(realm.object(ofType: V.Patient.self, forPrimaryKey: round)?.name == "again \(round)")
    }
    for (now, names) in frozen {
      #expect(now.objects(V.Patient.self).sorted(byKeyPath: "number").map(\.name) == names)
    }
    let problems = try StoreVerifier.verify(realm.core.currentSnapshot())
    #expect(problems.isEmpty, "\(problems.map(\.description))")
  }
}
