import Foundation
import LarderStorage
import TestSupport
import TestTraits
import Testing

/// Stores that one transaction has filled, and that lose their end: the objects come before what they hold, and both are found without the
/// pages that led to them.
@Suite("Cut imports") struct CutImportTests {
  private static let clusterSize = 992

  private func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let result = try WorkerProcess.run("larder", arguments)
    #expect([0, 1].contains(result.status), "\(arguments): \(result)")
    return (result.status, result.output)
  }

  private func snapshot(_ path: String) throws -> Snapshot { try Store.open(path: path).snapshot() }

  /// Cuts a file, repairs it, and gives back what was saved.
  private func saved(_ content: Data, _ share: Int, _ directory: TemporaryDirectory) throws -> Snapshot {
    let (broken, target) = (directory.file("cut\(share).larder"), directory.file("saved\(share).larder"))
    try content.prefix(content.count * share / 100).write(to: URL(fileURLWithPath: broken))
    _ = try run(["repair", broken, "--into", target, "--json"])
    #expect(try run(["check", target, "--deep", "--quiet"]).status == 0)
    return try snapshot(target)
  }

  @Test(
    "F-162: of 34,006 cities of one import whose end is cut, all are saved whose pages exist, with their values", .long)
  func cities() throws {
    let directory = try TemporaryDirectory("import")
    let path = directory.file("cities.larder")
    let file = "\(fixtures)/geonames/cities15000.jsonl.gz"
    _ = try run(["import", file, "--into", path, "--class", "City", "--primary-key", "geonameid"])
    let content = try Data(contentsOf: URL(fileURLWithPath: path))
    let pages = CutStorePages(content)
    let whole = try snapshot(path)
    let city = try #require(whole.schema["City"])
    let primary = try #require(city.primaryKey)
    for (share, least) in [(75, 20_000), (50, 10_000), (25, 5_000)] {
      let end = content.count * share / 100 / CutStorePages.size
      func isLeft(_ place: CutStorePages.Place?) -> Bool {
        place.map { $0.run.map { $0.upperBound <= end } ?? ($0.entry < end) } ?? false
      }
      func hasLeaf(_ column: ColumnID, _ key: ObjectKey) -> Bool {
        let cluster = key.rawValue / UInt64(Self.clusterSize)
        return isLeft(pages.clusters[UInt64(city.id.rawValue) << 48 | cluster << 16 | UInt64(column.rawValue)])
      }
      let saved = try saved(content, share, directory)
      let copy = try #require(saved.schema["City"])
      var (expected, wrong) = (0, [String]())
      try whole.forEachKey(of: city.id) { key in
        guard hasLeaf(.presence, key), hasLeaf(primary.id, key) else { return true }
        expected += 1
        let value = try whole.value(city.id, primary.id, key)
        guard let found = try saved.object(copy.id, primaryKey: value) else {
          wrong.append("\(value) is missing")
          return true
        }
        for column in city.columns where !column.isPrimaryKey {
          guard let target = copy.column(named: column.name)?.id else { continue }
          if column.collection == .list {
            let list = pages.lists[[UInt64(city.id.rawValue) << 48 | UInt64(column.id.rawValue) << 32, key.rawValue]]
            guard let list, list.entry < end, list.run.map({ $0.upperBound <= end }) ?? true else { continue }
            let elements = try whole.list(city.id, column.id, key).values()
            if try saved.list(copy.id, target, found).values() != elements { wrong.append("\(value).\(column.name)") }
          } else if hasLeaf(column.id, key),
            try saved.value(copy.id, target, found) != whole.value(city.id, column.id, key)
          {
            wrong.append("\(value).\(column.name)")
          }
        }
        return true
      }
      #expect(wrong.isEmpty, "\(share)%: \(wrong.count) of \(expected): \(wrong.prefix(5))")
      #expect(expected >= least, "\(share)%: the pages of \(expected) cities are left")
      print("cut at \(share)%: \(try saved.count(of: copy.id)) cities saved, \(expected) had to be")
    }
  }

  @Test("F-162: objects without a primary key are known by their lists, where all their leaves are lost")
  func listsAlone() throws {
    let directory = try TemporaryDirectory("lists")
    let path = directory.file("notes.larder")
    let count = 1_500
    do {
      let store = try Store.open(path: path)
      let writer = try store.beginWrite()
      let note = ClassDeclaration(
        name: "Note",
        columns: [
          ColumnDeclaration(name: "text", type: .string),
          ColumnDeclaration(name: "tags", type: .string, collection: .list),
        ])
      try writer.apply([note], schemaVersion: 0)
      let entry = try #require(writer.schema["Note"])
      let (text, tags) = (try #require(entry.column(named: "text")).id, try #require(entry.column(named: "tags")).id)
      for number in 0..<count {
        let key = try writer.create(entry.id)
        try writer.set(entry.id, text, key, .string("text \(number)"))
        try writer.lists.assign(entry.id, tags, key, [.string("tag \(number)"), .string("tag")])
      }
      try writer.commit()
    }
    var content = try Data(contentsOf: URL(fileURLWithPath: path))
    for place in CutStorePages(content).clusters.values {
      for page in [place.entry] + (place.run.map { Array($0) } ?? []) {
        let range = page * CutStorePages.size..<(page + 1) * CutStorePages.size
        content.replaceSubrange(range, with: Data(count: CutStorePages.size))
      }
    }
    let saved = try saved(content, 100, directory)
    let entry = try #require(saved.schema["Note"])
    let tags = try #require(entry.column(named: "tags")).id
    var found: [String] = []
    try saved.forEachKey(of: entry.id) { key in
      let values = try saved.list(entry.id, tags, key).values()
      if case .string(let first)? = values.first, values.last == .string("tag") { found.append(first) }
      return true
    }
    #expect(found == (0..<count).map { "tag \($0)" })
  }
}
