import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// Stores whose pages are damaged or cut off: all that is on sound pages is saved, and what is lost is reported.
@Suite struct DamagedPagesTests {
  private static let page = 4_096
  private static let objects = 4_000
  private static let clusterSize = 8

  /// A store of 4,000 cities in small clusters, each with a list and every tenth with a long text.
  private func make(_ path: String, key: EncryptionKey? = nil) throws {
    var options = StoreOptions()
    options.clusterSize = Self.clusterSize
    options.durability = .none
    options.mapSize = 1 << 32
    options.encryptionKey = key
    let store = try Store.open(path: path, options: options)
    let schema = try store.beginWrite()
    try schema.apply(
      [
        ClassDeclaration(
          name: "City",
          columns: [
            ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
            ColumnDeclaration(name: "name", type: .string, isIndexed: true),
            ColumnDeclaration(name: "height", type: .double, isOptional: true),
            ColumnDeclaration(name: "near", type: .link, target: "City"),
            ColumnDeclaration(name: "names", type: .string, collection: .list),
            ColumnDeclaration(name: "history", type: .string),
          ])
      ], schemaVersion: 3)
    try schema.commit()
    let writer = try store.beginWrite()
    let city = try #require(writer.schema["City"])
    func set(_ name: String, _ object: ObjectKey, _ value: StoredValue) throws {
      try writer.set(city.id, try #require(city.column(named: name)).id, object, value)
    }
    let names = try #require(city.column(named: "names")).id
    var last: ObjectKey?
    for number in 1...Self.objects {
      let object = try writer.create(city.id, primaryKey: .int(Int64(number)))
      try set("name", object, .string("City \(number) of \(number % 17)"))
      if number % 5 != 0 { try set("height", object, .double(Double(number) / 8)) }
      if let last { try set("near", object, .link(last)) }
      if number % 10 == 0 { try set("history", object, .string(String(repeating: "In \(number). ", count: 200))) }
      try writer.lists.assign(city.id, names, object, (0...number % 4).map { .string("Name \($0) of \(number)") })
      last = object
    }
    try writer.commit()
  }

  /// The pages that every object needs, by primary key: leaves of its cluster, its list, its long text, found without the code that is
  /// tested. A key that is on several pages needs them all.
  private func places(_ content: Data) -> [Int: Set<Int>] {
    let bytes = Array(content)
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
    }
    func word(_ offset: Int) -> UInt64 { (0..<8).reduce(0) { $0 << 8 | UInt64(bytes[offset + $1]) } }
    var clusters: [Int: Set<Int>] = [:]
    var own: [Int: Set<Int>] = [:]
    for page in 2..<bytes.count / Self.page where number(page * Self.page, 8) == page {
      let start = page * Self.page
      guard number(start + 10, 2) == 2 else { continue }
      for index in 0..<(number(start + 12, 2) - 16) / 2 {
        let node = start + number(start + 16 + index * 2, 2)
        let (flags, keySize) = (number(node + 4, 2), number(node + 6, 2))
        guard flags < 2, keySize == 8 || keySize == 24, word(node + 8) >> 48 == 1 else { continue }
        var pages: Set<Int> = [page]
        if flags == 1 {
          let first = number(node + 8 + keySize, 8)
          pages.formUnion(first...first + (number(node, 4) + 15) / Self.page)
        }
        if keySize == 8 {
          clusters[Int(word(node + 8) >> 16 & 0xFFFF_FFFF), default: []].formUnion(pages)
        } else if word(node + 16) < UInt64(Self.objects) {
          own[Int(word(node + 16)), default: []].formUnion(pages)
        }
      }
    }
    return (0..<Self.objects).reduce(into: [:]) {
      $0[$1 + 1] = (clusters[$1 / Self.clusterSize] ?? []).union(own[$1] ?? [])
    }
  }

  /// Each object by its primary key: its line in a dump, with the link as the primary key of its end.
  private func contents(_ store: Store) throws -> [Int: [String]] {
    let snapshot = try store.snapshot()
    let city = try #require(snapshot.schema["City"])
    var result: [Int: [String]] = [:]
    try snapshot.forEachKey(of: city.id) { object in
      var values: [String] = []
      for column in city.columns where column.collection == .none {
        let value = try snapshot.value(city.id, column.id, object)
        if case .link(let end) = value {
          values.append("\(try snapshot.value(city.id, city.columns[0].id, end))")
        } else {
          values.append("\(value)")
        }
      }
      let list = try snapshot.list(city.id, try #require(city.column(named: "names")).id, object)
      values += try (0..<list.count).map { "\(try list.value(at: $0))" }
      if case .int(let id) = try snapshot.value(city.id, city.columns[0].id, object) { result[Int(id)] = values }
      return true
    }
    return result
  }

  private static let near = 3

  /// Objects that are not as they were, though all pages that they and the end of their link need are undamaged.
  private func wronged(
    _ saved: [Int: [String]], _ good: [Int: [String]], _ places: [Int: Set<Int>], _ damaged: Set<Int>
  ) -> [Int] {
    func isSound(_ id: Int) -> Bool { places[id].map { !$0.isEmpty && $0.isDisjoint(with: damaged) } ?? false }
    return good.keys.filter { id in
      guard isSound(id), var expected = good[id] else { return false }
      guard var found = saved[id] else { return true }
      // A link is there when its end is.
      if id > 1, !isSound(id - 1) { (expected[Self.near], found[Self.near]) = ("", "") }
      return found != expected
    }.sorted()
  }

  @Test(
    "Whatever pages inside are damaged, and wherever the end is cut off, every object on sound pages is saved",
    arguments: [false, true])
  func everyKindOfPage(_ isEncrypted: Bool) throws {
    var random = SeededRandom.forTest()
    try withTemporaryDirectory { directory in
      let (path, keyFile) = (directory.file("whole.larder"), directory.file("key"))
      try make(path, key: isEncrypted ? .test() : nil)
      try Data((0..<64).map { UInt8(truncatingIfNeeded: $0 * 3 + 1) }).write(to: URL(fileURLWithPath: keyFile))
      let key = isEncrypted ? ["--key-file", keyFile] : []
      var options = StoreOptions()
      options.readOnly = true
      options.encryptionKey = isEncrypted ? .test() : nil
      let good = try contents(Store.open(path: path, options: options))
      #expect(good.count == Self.objects)
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      let places = places(whole)
      let pages = whole.count / Self.page
      // Pages of trees, which lead to others; leaves; and the end.
      func kind(_ page: Int) -> UInt8 { whole[page * Self.page + 10] }
      let branches = (2..<pages).filter { kind($0) == 1 && whole[$0 * Self.page + 1] == UInt8($0 >> 8) }
      let catalog = (2..<pages).filter { page in
        whole[page * Self.page..<(page + 1) * Self.page].range(of: Data("identity".utf8)) != nil
      }
      for round in 0..<4 {
        var bytes = whole
        var damaged = Set((0..<3).map { _ in random.pick(branches) })
        damaged.formUnion((0..<4).map { _ in random.int(2..<pages) })
        // Without any page that says what the store is nothing can be read.
        damaged.subtract(catalog)
        for page in damaged {
          let range = page * Self.page..<(page + 1) * Self.page
          bytes.replaceSubrange(
            range, with: round % 2 == 0 ? Data(count: Self.page) : Data(random.bytes(count: Self.page)))
        }
        let end = random.int(pages * 9 / 10..<pages)
        bytes = bytes.prefix(end * Self.page + random.int(0..<Self.page))
        damaged.formUnion(end..<pages)
        let (broken, saved) = (directory.file("\(round).larder"), directory.file("\(round)-saved.larder"))
        try bytes.write(to: URL(fileURLWithPath: broken))
        let result = try WorkerProcess.run("larder", ["repair", broken, "--into", saved] + key)
        #expect(result.status == 1, "round \(round): \(result)")
        #expect(result.output.contains("damaged: pages of the file"), "\(result.output)")
        #expect(try WorkerProcess.run("larder", ["check", saved, "--deep", "--quiet"] + key).status == 0)
        let found = try contents(Store.open(path: saved, options: options))
        let wronged = wronged(found, good, places, damaged)
        #expect(wronged.isEmpty, "round \(round), pages \(damaged.sorted()): \(wronged.count), \(wronged.prefix(5))")
        let sound = places.count { $0.value.isDisjoint(with: damaged) }
        #expect(sound > Self.objects / 4 && found.count <= Self.objects, "\(sound)")
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: directory.path).allSatisfy { !$0.contains("copying") })
      }
    }
  }

  @Test("The last 100 bytes missing cost what was there and nothing else")
  func cutEnd() throws {
    try withTemporaryDirectory { directory in
      let (path, broken, saved) = (directory.file("a.larder"), directory.file("b.larder"), directory.file("c.larder"))
      try make(path)
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      try whole.dropLast(100).write(to: URL(fileURLWithPath: broken))
      let result = try larder("repair", broken, "--into", saved)
      #expect([0, 1].contains(result.status), "\(result)")
      let good = try contents(StoreAccess.open(reading: path))
      let wronged = wronged(
        try contents(StoreAccess.open(reading: saved)), good, places(whole), [whole.count / Self.page - 1])
      #expect(wronged.isEmpty, "\(wronged)")
    }
  }

  @Test("A store whose catalog is damaged is read by the catalog of the version before")
  func lostCatalog() throws {
    try withTemporaryDirectory { directory in
      let (path, broken, saved) = (directory.file("a.larder"), directory.file("b.larder"), directory.file("c.larder"))
      try make(path)
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let state = try StoreAccess.open(reading: path).snapshot().version
      let pages = (2..<bytes.count / Self.page).map { $0 * Self.page..<($0 + 1) * Self.page }
      // The page with the newest state: the version stands first in it.
      let version = withUnsafeBytes(of: state.littleEndian) { Data($0) }
      let newest = pages.filter { range in
        let page = bytes[range]
        guard let found = page.range(of: Data("state\0\0\0".utf8)) else { return false }
        return page[found.upperBound...].prefix(8) == version
      }
      #expect(newest.count == 1)
      for range in newest { bytes.replaceSubrange(range, with: Data(count: Self.page)) }
      try bytes.write(to: URL(fileURLWithPath: broken))
      let result = try larder("repair", broken, "--into", saved)
      #expect(result.output.contains("The catalog is damaged; that of version \(state - 1)"), "\(result)")
      #expect(try contents(StoreAccess.open(reading: saved)) == contents(StoreAccess.open(reading: path)))
    }
  }

  @Test("check reports every damaged page, as many as are wanted, and says what saves the rest")
  func check() throws {
    try withTemporaryDirectory { directory in
      let (path, broken) = (directory.file("a.larder"), directory.file("b.larder"))
      try make(path)
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let used = Set(places(bytes).values.flatMap { $0 }).sorted()
      for page in [used[5], used[20], used[40]] {
        bytes.replaceSubrange(page * Self.page..<(page + 1) * Self.page, with: Data(count: Self.page))
      }
      try bytes.write(to: URL(fileURLWithPath: broken))
      let result = try larder("check", broken, "--json")
      #expect(result.status == 1 && result.errors == "", "\(result)")
      let report = try #require(
        try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result.output)")
      #expect(report["sound"] as? Bool == false && report["version"] is NSNull && report["file"] as? String == broken)
      let problems = try #require(report["problems"] as? [String])
      for page in [used[5], used[20], used[40]] {
        #expect(problems.contains { $0.contains("page \(page): it says that it is page 0") }, "\(problems)")
      }
      let few = try larder("check", broken, "--limit", "2")
      #expect(few.status == 1 && few.output.split(separator: "\n").count == 2, "\(few)")
      #expect(few.errors.contains("2 or more problems; `larder repair` saves what can be read"), "\(few.errors)")
    }
  }

  @Test("What is no store is not taken for a damaged one")
  func noStore() throws {
    try withTemporaryDirectory { directory in
      let text = try directory.write(Data(String(repeating: "no store\n", count: 5_000).utf8), to: "text")
      for verb in [["check", text], ["repair", text, "--into", directory.file("new.larder")]] {
        let result = try WorkerProcess.run("larder", verb)
        #expect(result.status == 3 && result.errors.contains("not a valid database"), "\(result)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["text"])
    }
  }

  @Test("Every verb follows a link to a store, and the lock file is beside the store")
  func links() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let link = directory.file("link.larder")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "world.larder")
      #expect(
        try expectLarder("query", link, "Country", "--count") == expectLarder("query", store, "Country", "--count"))
      try expectLarder("check", link, "--deep", "--quiet")
      try expectLarder("backup", link, directory.file("copy.larder"))
      try expectLarder("compact", link, "--write")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "world.larder")
      #expect(try Store.open(path: link) === Store.open(path: store))
      #expect(!FileManager.default.fileExists(atPath: link + "-lock"))
    }
  }
}
