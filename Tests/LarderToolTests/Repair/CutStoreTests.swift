import Foundation
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// Stores whose end is cut off: what is on pages that are left is saved, told by what the whole file had there.
@Suite struct CutStoreTests {
  private typealias Contents = [String: [String: String]]
  private static let clusterSize = 992

  /// A file, what it held after each commit, and how its repair is run.
  private struct Subject {
    let content: Data
    let versions: [Contents]
    let pages: CutStorePages
    let key: EncryptionKey?
    var good: Contents { versions[versions.count - 1] }
  }

  private func subject(_ directory: TemporaryDirectory, isEncrypted: Bool) throws -> Subject {
    let path = directory.file("whole.larder")
    let key: EncryptionKey? = isEncrypted ? .test() : nil
    let versions = try CutStore.make(path, key: key)
    let content = try Data(contentsOf: URL(fileURLWithPath: path))
    return Subject(content: content, versions: versions, pages: CutStorePages(content), key: key)
  }

  /// Repairs what is left of a file; the report, and what is in the copy.
  private func repair(
    _ subject: Subject, _ content: Data, _ name: String, _ directory: TemporaryDirectory
  ) throws -> (report: [String: Any], saved: Contents, schema: StoreSchema) {
    let (broken, saved) = (directory.file("\(name).larder"), directory.file("\(name)-saved.larder"))
    try content.write(to: URL(fileURLWithPath: broken))
    var flags: [String] = []
    if subject.key != nil {
      let file = directory.file("key")
      try Data((0..<64).map { UInt8(truncatingIfNeeded: $0 * 3 + 1) }).write(to: URL(fileURLWithPath: file))
      flags = ["--key-file", file]
    }
    let result = try WorkerProcess.run("larder", ["repair", broken, "--into", saved, "--json"] + flags)
    #expect([0, 1].contains(result.status), "\(name): \(result)")
    #expect(try WorkerProcess.run("larder", ["check", saved, "--deep", "--quiet"] + flags).status == 0)
    let report = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    var options = StoreOptions()
    options.encryptionKey = subject.key
    let snapshot = try Store.open(path: saved, options: options).snapshot()
    let contents = try CutStore.contents(snapshot)
    // What says that nothing is lost must be right.
    if result.status == 0 { #expect(contents == subject.good, "\(name)") }
    return (try #require(report, "\(result)"), contents, snapshot.schema)
  }

  // MARK: - What must be saved

  /// Tells which values have all their pages in front of a place, and none that is destroyed.
  private struct Oracle {
    let pages: CutStorePages
    let end: Int
    var destroyed: Set<Int> = []
    /// Numbers of classes, and of columns from 1 on as they were declared.
    static let (country, city, location) = (UInt64(1), UInt64(2), UInt64(3))

    /// True if a leaf is left: where it has pages of its own they tell it without its entry.
    func hasLeaf(_ classID: UInt64, _ column: UInt64, _ position: Int) -> Bool {
      let cluster = UInt64(position / CutStoreTests.clusterSize)
      guard let place = pages.clusters[classID << 48 | cluster << 16 | column] else { return false }
      return place.run.map(isLeft) ?? isLeft(place.entry..<place.entry + 1)
    }

    private func isLeft(_ run: Range<Int>) -> Bool {
      run.upperBound <= end && destroyed.isDisjoint(with: run)
    }

    /// True if an object is known to be there.
    func hasObject(_ classID: UInt64, _ position: Int) -> Bool {
      hasLeaf(classID, 0, position) && (classID == Self.location || hasLeaf(classID, 1, position))
    }

    func hasList(_ position: Int) -> Bool {
      guard let place = pages.lists[[Self.city << 48 | 7 << 32, UInt64(position)]] else { return true }
      return isLeft(place.entry..<place.entry + 1) && place.run.map(isLeft) ?? true
    }
  }

  /// The properties of a city that must be as they were.
  private func certain(_ oracle: Oracle, _ position: Int) -> [String] {
    var result: [String] = []
    for (number, name) in [(2, "name"), (3, "population"), (4, "zone")]
    where oracle.hasLeaf(Oracle.city, UInt64(number), position) { result.append(name) }
    let hasPlace = oracle.hasObject(Oracle.location, position)
    if oracle.hasLeaf(Oracle.city, 5, position), hasPlace, oracle.hasLeaf(Oracle.location, 1, position),
      oracle.hasLeaf(Oracle.location, 2, position)
    {
      result.append("location")
    }
    if oracle.hasLeaf(Oracle.city, 6, position), oracle.hasObject(Oracle.country, position * 13 % CutStore.countries) {
      result.append("country")
    }
    if oracle.hasList(position) { result.append("names") }
    return result
  }

  /// Judges what was saved: returns the faults, and the number of values that had to be there.
  private func judge(_ saved: Contents, _ subject: Subject, _ oracle: Oracle) throws -> (wrong: [String], count: Int) {
    var wrong: [String] = []
    var count = 0
    func compare(_ name: String, _ properties: [String]) {
      count += properties.count + 1
      guard let found = saved[name], let good = subject.good[name] else { return wrong.append("\(name) is missing") }
      for property in properties where found[property] != good[property] {
        wrong.append("\(name).\(property): \(found[property] ?? "none") for \(good[property] ?? "none")")
      }
    }
    for position in 0..<CutStore.cities + CutStore.added where oracle.hasObject(Oracle.city, position) {
      compare("City \(StoredValue.int(Int64(position * 7 % 100_003)))", certain(oracle, position))
    }
    for position in 0..<CutStore.countries where oracle.hasObject(Oracle.country, position) {
      let names = [(2, "name"), (3, "area")].filter { oracle.hasLeaf(Oracle.country, UInt64($0.0), position) }
      compare("Country \(StoredValue.string("C\(position)"))", names.map(\.1))
    }
    return (wrong, count)
  }

  /// Values that no version had, and that do not mean lost ones.
  private func invented(_ saved: Contents, _ subject: Subject) -> [String] {
    let defaults: Set<String> = ["null", "int(0)", "double(0.0)", "string(\"\")", "[]", "\(StoredValue.null)"]
    return saved.keys.filter { $0.hasPrefix("City ") }.flatMap { name -> [String] in
      guard let fields = saved[name] else { return [] }
      return ["id", "name", "population", "zone"].compactMap { property in
        guard let value = fields[property], !defaults.contains(value) else { return nil }
        return subject.versions.contains { $0[name]?[property] == value } ? nil : "\(name).\(property): \(value)"
      }
    }
  }

  // MARK: - Tests

  @Test(
    "F-8: whatever is on pages in front of a cut is saved, and every class is in the report by its name",
    .notUnder(
      .smallClusters, "older copies of small leaves are on free pages, which nothing tells from the newest ones"),
    arguments: [false, true])
  func cuts(isEncrypted: Bool) async throws { try await LongTest.run { try cutEverywhere(isEncrypted) } }

  private func cutEverywhere(_ isEncrypted: Bool) throws {
    var random = SeededRandom.forTest("cuts, encrypted: \(isEncrypted)")
    try withTemporaryDirectory { directory in
      let subject = try subject(directory, isEncrypted: isEncrypted)
      let whole = subject.content.count
      let shares = [90, 75, 50, 25].map { whole * $0 / 100 }
      let odd = [random.int(whole / 5..<whole), random.int(whole / 2..<whole), whole - 4_097, whole - 1]
      for size in shares + odd {
        let (report, saved, schema) = try repair(subject, subject.content.prefix(size), "cut\(size)", directory)
        let told = try #require(report["savedObjects"] as? [String: Int])
        // The catalog comes before the objects of its commit.
        #expect(Set(told.keys) == ["Country", "City", "Location"], "cut at \(size) of \(whole): \(told)")
        let city = try #require(schema["City"])
        #expect(
          city.columns.map(\.name).sorted() == ["country", "id", "location", "name", "names", "population", "zone"])
        let (wrong, count) = try judge(saved, subject, Oracle(pages: subject.pages, end: size / CutStorePages.size))
        print("cut at \(size) of \(whole), encrypted \(isEncrypted): \(told), \(count) values had to be there")
        #expect(wrong.isEmpty, "cut at \(size) of \(whole): \(wrong.count) of \(count) wrong: \(wrong.prefix(5))")
        let invented = invented(saved, subject)
        #expect(invented.isEmpty, "cut at \(size) of \(whole): \(invented.count), \(invented.prefix(5))")
        // What is not saved is reported: the catalog counts the cities.
        let lost = (report["lostObjects"] as? [String: Int])?["City"] ?? 0
        #expect(lost + (told["City"] ?? 0) >= CutStore.cities, "cut at \(size) of \(whole): \(lost) lost, \(told)")
      }
    }
  }

  @Test(
    "F-8: leaves whose entries are lost are found by what they hold, or on pages of older versions, which is reported",
    .notUnder(.smallClusters, "what it expects was counted with the usual clusters"))
  func entries() async throws { try await LongTest.run { try destroyEntries() } }

  private func destroyEntries() throws {
    try withTemporaryDirectory { directory in
      let subject = try subject(directory, isEncrypted: false)
      let entries = Set(subject.pages.clusters.values.map(\.entry)).sorted()
      #expect(entries.count > 2)
      var older = 0
      for page in entries {
        var bytes = subject.content
        let range = page * CutStorePages.size..<(page + 1) * CutStorePages.size
        bytes.replaceSubrange(range, with: Data(count: CutStorePages.size))
        let (report, saved, _) = try repair(subject, bytes, "page\(page)", directory)
        let oracle = Oracle(
          pages: subject.pages, end: subject.content.count / CutStorePages.size, destroyed: [page])
        let (wrong, count) = try judge(saved, subject, oracle)
        #expect(count > 5_000 && wrong.isEmpty, "page \(page): \(wrong.count) of \(count) wrong: \(wrong.prefix(5))")
        #expect(invented(saved, subject).isEmpty)
        let told = try #require(report["olderVersions"] as? [String])
        if told.contains(where: { $0.contains("records were taken from pages that may be of older versions") }) {
          older += 1
        }
      }
      #expect(older > 0)
    }
  }

  @Test("F-8: objects whose newest leaves are lost come back as an older version had them")
  func olderPages() throws {
    try withTemporaryDirectory { directory in
      let subject = try subject(directory, isEncrypted: false)
      // The last commit wrote the last cluster of cities again.
      let last = UInt64(CutStore.cities / Self.clusterSize)
      let place = try #require(subject.pages.clusters[2 << 48 | last << 16 | 1])
      var bytes = subject.content
      bytes.replaceSubrange(
        place.entry * CutStorePages.size..<(place.entry + 1) * CutStorePages.size, with: Data(count: CutStorePages.size)
      )
      let (report, saved, _) = try repair(subject, bytes, "older", directory)
      #expect((report["olderVersions"] as? [String])?.count == 1, "\(report)")
      for position in 0..<CutStore.cities {
        let name = "City \(StoredValue.int(Int64(position * 7 % 100_003)))"
        #expect(saved[name]?["name"] == subject.good[name]?["name"], "\(name)")
      }
    }
  }
}
