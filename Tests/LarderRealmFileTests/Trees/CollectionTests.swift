import Testing

@testable import LarderRealmFile

@Suite struct CollectionTests {
  /// A number for a value of any type: its type, where it is kept, and which.
  private func composite(_ type: Int64, _ payload: Int64 = 0, _ value: Int64) -> Int64 {
    type + 1 | payload << 5 | value << 8
  }

  private func mixedLeaf(_ writer: inout NodeWriter, _ values: [Int64]) -> Int {
    let composites = writer.integers(values.map { composite(0, 0, $0) })
    return writer.slots([.reference(composites), .empty, .empty, .empty, .empty, .empty])
  }

  @Test func dictionariesWithIntegersAsKeysAreSortedByThem() throws {
    var writer = NodeWriter()
    let keys = writer.integers([10, -2, 9])
    let dictionary = writer.slots([.reference(keys), .reference(mixedLeaf(&writer, [1, 2, 3]))])
    let root = writer.cluster(count: 1, [writer.slots([.reference(dictionary)])])
    let column = NodeWriter.Column(name: "d", type: 0, attributes: 64, keyType: 0)
    let opened = try OpenedFile(writer.file([("A", writer.table(key: 1, [column], root: root))]))
    let expected = [("-2", 2), ("9", 3), ("10", 1)].map { RealmFileEntry(key: $0, value: .int(Int64($1))) }
    #expect(try opened.values("A", "d") == [.dictionary(expected)])
  }

  @Test(arguments: [21, 22]) func dictionariesOfEarlierFormatsAreObjects(format: Int) throws {
    var writer = NodeWriter()
    let composites = writer.integers([composite(0, 0, 5), 0])
    let values = writer.slots([.reference(composites), .empty, .empty, .empty])
    let dictionary = writer.cluster(keys: [77, 900_000], [writer.texts(["b", "a"]), values])
    let root = writer.cluster(count: 2, [writer.slots([.reference(dictionary), .empty])])
    let column = NodeWriter.Column(name: "d", type: 0, attributes: 64 | 16, keyType: 2)
    let opened = try OpenedFile(writer.file([("A", writer.table(key: 1, [column], root: root))], format: format))
    let expected = [RealmFileEntry(key: "a", value: .null), RealmFileEntry(key: "b", value: .int(5))]
    #expect(try opened.values("A", "d") == [.dictionary(expected), .dictionary([])])
  }

  @Test func linksOfFormat20AreReadAndComparedWithTheirTargets() throws {
    var writer = NodeWriter()
    let list = writer.integers([0, 1, 1])
    let columns = [
      NodeWriter.Column(
        name: "list", type: 13, attributes: 32, target: 2, targetColumn: NodeWriter.Column(name: "", type: 14).key(0))
    ]
    let origin = writer.cluster(count: 2, [writer.slots([.reference(list), .empty])])
    let backlink = NodeWriter.Column(name: "", type: 14, target: 1, targetColumn: columns[0].key(0))
    // One link is a number itself; more are a plain array.
    let backlinks = writer.slots([.number(0), .reference(writer.integers([0, 0]))])
    let target = writer.cluster(count: 2, [backlinks])
    let tables = [
      ("A", writer.table(key: 1, columns, root: origin)), ("B", writer.table(key: 2, [backlink], root: target)),
    ]
    let opened = try OpenedFile(writer.file(tables, format: 20))
    func link(_ key: Int64) -> RealmFileValue { .link(RealmFileLink(classIndex: 1, key: key)) }
    #expect(try opened.values("A", "list") == [.list([link(0), link(1), link(1)]), .list([])])
    let property = opened.file.classes[0].properties[0]
    #expect(property.type == .link && property.collection == .list && property.target == "B")
    let report = try opened.file.verifyLinks()
    #expect(report.links == 3 && report.faults == [])
  }

  @Test func aLinkThatItsTargetDoesNotKnowIsReported() throws {
    var writer = NodeWriter()
    let column = NodeWriter.Column(name: "to", type: 12, attributes: 16, target: 1)
    let root = writer.cluster(count: 2, [writer.integers([2, 1])])
    let opened = try OpenedFile(writer.file([("A", writer.table(key: 1, [column], root: root))]))
    #expect(try opened.file.verifyLinks().faults.count == 1)
  }

  @Test func linksToWhatNeverArrivedAreNil() throws {
    var writer = NodeWriter()
    let back = { (index: Int, leaf: Int) in NodeWriter.Column(name: "", type: 14, target: 1, leafIndex: leaf).key(index)
    }
    var columns = [
      NodeWriter.Column(name: "one", type: 12, attributes: 16, target: 1, targetColumn: back(3, 3)),
      NodeWriter.Column(name: "many", type: 12, attributes: 32, target: 1, targetColumn: back(4, 4)),
      NodeWriter.Column(name: "any", type: 6, attributes: 16),
    ]
    columns += [0, 1].map { NodeWriter.Column(name: "", type: 14, target: 1, targetColumn: columns[$0].key($0)) }
    // A link is stored with 1 added, an element of a list as it is: the objects that never arrived have the keys -2 and -3.
    let one = writer.integers([-1, 0, 1])
    let list = writer.integers([-2, 2, -3], isMarked: true)
    let many = writer.slots([.reference(list), .empty, .empty])
    let composites = writer.integers([composite(16, 2, 0), composite(16, 2, 1), 0])
    let any = writer.slots([
      .reference(composites), .empty, .reference(writer.integers([1, -2, 1, 0])), .empty, .empty, .empty,
    ])
    let backlinks = [writer.slots([.number(2), .empty, .empty]), writer.slots([.empty, .empty, .number(0)])]
    let root = writer.cluster(count: 3, [one, many, any] + backlinks)
    let opened = try OpenedFile(writer.file([("A", writer.table(key: 1, columns, root: root))]))
    func link(_ key: Int64) -> RealmFileValue { .link(RealmFileLink(classIndex: 0, key: key)) }
    #expect(try opened.values("A", "one") == [.null, .null, link(0)])
    #expect(try opened.values("A", "many") == [.list([link(2)]), .list([]), .list([])])
    #expect(try opened.values("A", "any") == [.null, link(0), .null])
    let report = try opened.file.verifyLinks()
    #expect(report.unresolved == ["A.one": 1, "A.many": 2, "A.any": 1])
    #expect(report.origins.map { "\($0.property) \($0.key): \($0.count)" } == ["one 0: 1", "many 0: 2", "any 0: 1"])
    // The value of any type has no column there that knows of it.
    #expect(report.faults.count == 1 && report.faults.first?.contains("A.any") == true)
  }

  @Test func aListWhoseLeavesAreSharedIsDamage() throws {
    var writer = NodeWriter()
    let leaf = writer.integers([Int64](repeating: 0, count: 1_000))
    let tree = writer.slots(
      [.number(1_000)] + [NodeWriter.Slot](repeating: .reference(leaf), count: 900) + [.number(900_000)], isInner: true)
    let root = writer.cluster(count: 1, [writer.slots([.reference(tree)])])
    let column = NodeWriter.Column(name: "l", type: 0, attributes: 32)
    let opened = try OpenedFile(writer.file([("A", writer.table(key: 1, [column], root: root))]))
    #expect(failure { _ = try opened.values("A", "l") }?.kind == .damaged)
  }

  @Test func aLeafOfMillionsOfElementsWithoutBytesIsDamage() throws {
    for type in [0, 1, 6, 12] {
      var writer = NodeWriter()
      // Enough bytes for the file to be allowed that many elements.
      _ = writer.blob([UInt8](repeating: 0, count: 1 << 20))
      let zeros = writer.node([], count: 0xFF_FFFF, layout: 0, width: 0)
      let leaf = type == 6 ? writer.slots([.reference(zeros), .empty, .empty, .empty, .empty, .empty]) : zeros
      let root = writer.cluster(count: 1, [writer.slots([.reference(leaf)])])
      let column = NodeWriter.Column(name: "l", type: type, attributes: 32, target: type == 12 ? 1 : nil)
      let opened = try OpenedFile(writer.file([("A", writer.table(key: 1, [column], root: root))]))
      let error = failure { _ = try opened.values("A", "l") }
      #expect(error?.message.contains("where there can be 4096") == true, "\(error?.message ?? "was read")")
    }
  }

  @Test func treesInNestedCollectionsShareTheirLevels() throws {
    for (levels, isRead) in [(64, true), (65, false)] {
      var writer = NodeWriter()
      var inner = mixedLeaf(&writer, [1])
      for _ in 0..<levels {
        let tree = writer.slots([.number(1), .reference(inner), .number(1)], isInner: true)
        let composites = writer.integers([composite(19, 4, 0)])
        let references = writer.slots([.reference(tree)])
        inner = writer.slots([.reference(composites), .empty, .empty, .empty, .reference(references), .empty])
      }
      let root = writer.cluster(count: 1, [inner])
      let column = NodeWriter.Column(name: "m", type: 6, attributes: 16)
      let opened = try OpenedFile(writer.file([("A", writer.table(key: 1, [column], root: root))]))
      #expect((failure { _ = try opened.values("A", "m") } == nil) == isRead)
    }
  }

  @Test func listsOfListsOfListsThatShareAllPartsAreDamage() throws {
    var writer = NodeWriter()
    var inner = mixedLeaf(&writer, [1, 2])
    for _ in 0..<90 {
      let composites = writer.integers([composite(19, 4, 0), composite(19, 4, 1)])
      let references = writer.slots([.reference(inner), .reference(inner)])
      inner = writer.slots([.reference(composites), .empty, .empty, .empty, .reference(references), .empty])
    }
    let root = writer.cluster(count: 1, [inner])
    var opened = try OpenedFile(
      writer.file([("A", writer.table(key: 1, [.init(name: "m", type: 6, attributes: 16)], root: root))]))
    #expect(failure { _ = try opened.values("A", "m") }?.kind == .damaged)
    // A value in itself is too deep, or a second visit.
    writer = NodeWriter()
    let composites = writer.integers([composite(19, 4, 0)])
    let here = writer.bytes.count + 16
    let references = writer.slots([.reference(here)])
    let leaf = writer.slots([.reference(composites), .empty, .empty, .empty, .reference(references), .empty])
    #expect(here == leaf)
    let again = writer.cluster(count: 1, [leaf])
    opened = try OpenedFile(
      writer.file([("A", writer.table(key: 1, [.init(name: "m", type: 6, attributes: 16)], root: again))]))
    #expect(failure { _ = try opened.values("A", "m") }?.kind == .damaged)
  }

  @Test func deeplyNestedCollectionsAreRead() throws {
    for (depth, isRead) in [(100, true), (101, false)] {
      var writer = NodeWriter()
      var inner = mixedLeaf(&writer, [1])
      for _ in 0..<depth {
        let composites = writer.integers([composite(19, 4, 0)])
        let references = writer.slots([.reference(inner)])
        inner = writer.slots([.reference(composites), .empty, .empty, .empty, .reference(references), .empty])
      }
      let root = writer.cluster(count: 1, [inner])
      let column = NodeWriter.Column(name: "m", type: 6, attributes: 16)
      let opened = try OpenedFile(writer.file([("A", writer.table(key: 1, [column], root: root))]))
      #expect((failure { _ = try opened.values("A", "m") } == nil) == isRead)
    }
  }
}
