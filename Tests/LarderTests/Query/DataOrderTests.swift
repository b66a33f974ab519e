import Foundation
import Testing

@testable import Larder

@Suite("Data in order") struct DataOrderTests {
  class Blob: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var data: Data
    @Persisted var note: Data?
    @Persisted var next: Blob?
    @Persisted var double: Double
  }
  private let realm: Realm
  private var blobs: Results<Blob> { realm.objects(Blob.self) }

  init() throws {
    realm = try makeRealm([Blob.self])
    let values: [[UInt8]] = [[2], [1, 255], [], [1], [255], [1, 0], [1]]
    try realm.write {
      for (id, value) in values.enumerated() {
        let blob = Blob(value: ["id": id, "data": Data(value)] as [String: Any])
        blob.note = id % 3 == 0 ? nil : Data(value)
        blob.next = blobs.last
        realm.add(blob)
      }
      // Beyond the size of what is kept within a leaf.
      let large = Data(repeating: 1, count: 100_000)
      realm.add(Blob(value: ["id": 7, "data": large + Data([2])] as [String: Any]))
      realm.add(Blob(value: ["id": 8, "data": large + Data([1])] as [String: Any]))
    }
  }

  private func ids(_ results: Results<Blob>) -> [Int] { results.map(\.id) }

  @Test("F-124: sorted by Data, up and down, over links, with a limit, with nil before all")
  func sorted() throws {
    let order = [2, 3, 6, 5, 8, 7, 1, 0, 4]
    #expect(ids(blobs.sorted(byKeyPath: "data")) == order && ids(blobs.sorted(by: \.data)) == order)
    #expect(ids(blobs.sorted(byKeyPath: "data", ascending: false)) == [4, 0, 1, 7, 8, 5, 3, 6, 2])
    #expect(ids(blobs.sorted(byKeyPath: "data").limit(3)) == [2, 3, 6])
    #expect(ids(blobs.filter("id < 7").sorted(byKeyPath: "note")) == [0, 3, 6, 2, 5, 1, 4])
    #expect(ids(blobs.filter("id < 7 AND id > 0").sorted(byKeyPath: "next.data")) == [3, 4, 6, 2, 1, 5])
    let descriptors = [SortDescriptor(keyPath: "note"), SortDescriptor(keyPath: "id", ascending: false)]
    #expect(ids(blobs.filter("id < 7").sorted(by: descriptors)) == [6, 3, 0, 2, 5, 1, 4])
    #expect(ids(blobs.filter(rql: "id < 7 SORT(data DESC) LIMIT(2)")) == [4, 0])
    let sorted = blobs.filter("id < 7").sorted(byKeyPath: "data")
    #expect(sorted.first?.id == 2)
    try realm.write { blobs.filter("id == 4")[0].data = Data() }
    #expect(ids(sorted) == [2, 4, 3, 6, 5, 1, 0])
  }

  @Test("F-124: each Data once, groups by it, and sections by it")
  func distinct() throws {
    #expect(ids(blobs.distinct(by: ["data"])) == [0, 1, 2, 3, 4, 5, 7, 8])
    #expect(ids(blobs.filter("id < 7").distinct(by: ["note"])) == [0, 1, 2, 4, 5])
    #expect(ids(blobs.distinct(by: ["data"]).sorted(byKeyPath: "data").limit(2)) == [2, 3])
    let groups = try blobs.filter("id < 7").grouped(by: "data", .count)
    #expect(groups.map(\.count) == [1, 2, 1, 1, 1, 1])
    #expect(
      blobs.filter("id < 7").sectioned(by: \.data).allKeys.map(Array.init) == [[], [1], [1, 0], [1, 255], [2], [255]])
  }

  @Test("F-128: a whole number that no Double is exactly is refused for a Double property, and in RQL compared exactly")
  func largeNumbers() throws {
    try realm.write { blobs[0].double = 9_007_199_254_740_992 }
    #expect(try blobs.throwing.filter("double == 9007199254740992").map(\.id) == [0])
    for text in ["double == 9007199254740993", "double > 9007199254740993", "double IN {1, -9007199254740993}"] {
      let error = #expect(throws: Realm.Error.self) { try blobs.throwing.filter(text) }
      #expect(error?.message.contains("no Double is") == true)
    }
    #expect(throws: Realm.Error.self) { try blobs.throwing.filter("double == %@", Int.max) }
    #expect(try blobs.throwing.filter("double == %@", Double(Int.max)).isEmpty)
  }
}
