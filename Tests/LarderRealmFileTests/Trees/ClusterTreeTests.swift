import Testing

@testable import LarderRealmFile

@Suite struct ClusterTreeTests {
  private let column = NodeWriter.Column(name: "n", type: 0)

  @Test func aTreeOfTwoLevelsIsRead() throws {
    var writer = NodeWriter()
    var next: Int64 = 0
    func leaf(_ count: Int) -> Int {
      let values = (0..<count).map { next + Int64($0) }
      next += Int64(count)
      return writer.cluster(count: count, [writer.integers(values)])
    }
    // Without keys of its own, a node has a child for each 256 keys, and one a level up for each 65,536.
    let first = writer.slots(
      [.empty, .number(1), .number(512)] + [leaf(256), leaf(256)].map { .reference($0) }, isInner: true)
    let second = writer.slots([.empty, .number(1), .number(3), .reference(leaf(3))], isInner: true)
    let root = writer.slots([.empty, .number(2), .number(515), .reference(first), .reference(second)], isInner: true)
    let table = writer.table(key: 1, [column], root: root)
    let opened = try OpenedFile(writer.file([("A", table)]))
    #expect(try opened.keys("A") == Array(0..<512) + [65_536, 65_537, 65_538])
    #expect(try opened.values("A", "n") == (0..<515).map { .int($0) })
    let objectClass = opened.file.classes[0]
    #expect(try opened.file.object(of: objectClass, key: 65_538)?.value(of: 0) == .int(514))
    #expect(try opened.file.object(of: objectClass, key: 512) == nil)
    #expect(try opened.file.objectCount(of: objectClass) == 515)
  }

  @Test func keysOfAllLevelsAddUp() throws {
    var writer = NodeWriter()
    let leaves = [[0, 3], [1, 200]].map { keys in
      writer.cluster(keys: keys, [writer.integers(keys.map { $0 * 10 })])
    }
    let inner = writer.slots(
      [.reference(writer.integers([0, 250])), .number(1), .number(4)] + leaves.map { .reference($0) }, isInner: true)
    let root = writer.slots(
      [.reference(writer.integers([1_000_000])), .number(2), .number(4), .reference(inner)], isInner: true)
    let opened = try OpenedFile(writer.file([("A", writer.table(key: 1, [column], root: root))]))
    #expect(try opened.keys("A") == [1_000_000, 1_000_003, 1_000_251, 1_000_450])
    #expect(try opened.values("A", "n") == [.int(0), .int(30), .int(10), .int(2_000)])
    #expect(try opened.file.object(of: opened.file.classes[0], key: 1_000_450)?.value(of: 0) == .int(2_000))
  }

  @Test func columnsAreWhereTheirKeysSay() throws {
    var writer = NodeWriter()
    // The first and the third place are those of columns that were removed.
    let columns = [
      NodeWriter.Column(name: "late", type: 0, leafIndex: 3), NodeWriter.Column(name: "early", type: 1, leafIndex: 1),
    ]
    let root = writer.slots([
      .number(2), .empty, .reference(writer.integers([1, 0])), .empty, .reference(writer.integers([70, 80])),
    ])
    let opened = try OpenedFile(writer.file([("A", writer.table(key: 1, columns, root: root))]))
    #expect(try opened.values("A", "late") == [.int(70), .int(80)])
    #expect(try opened.values("A", "early") == [.bool(true), .bool(false)])
  }

  @Test func otherCountsAreDamage() throws {
    var writer = NodeWriter()
    let leaf = writer.cluster(count: 2, [writer.integers([1, 2, 3])])
    let inner = writer.slots([.empty, .number(1), .number(9), .reference(leaf)], isInner: true)
    let tables = [
      ("A", writer.table(key: 1, [column], root: leaf)), ("B", writer.table(key: 2, [column], root: inner)),
    ]
    let opened = try OpenedFile(writer.file(tables))
    let leafError = failure { _ = try opened.values("A", "n") }
    #expect(leafError?.kind == .damaged && leafError?.message.contains("A.n") == true)
    let count = failure { _ = try opened.keys("B") }
    #expect(count?.message.contains("2 objects where the file says 9") == true, "\(count?.message ?? "none")")
  }

  @Test func aTreeThatRefersToItselfEnds() throws {
    var writer = NodeWriter()
    let here = writer.bytes.count
    let root = writer.slots([.empty, .number(1), .number(9), .reference(here), .reference(here)], isInner: true)
    #expect(root == here)
    let opened = try OpenedFile(writer.file([("A", writer.table(key: 1, [column], root: root))]))
    #expect(failure { _ = try opened.keys("A") }?.kind == .damaged)
  }
}
