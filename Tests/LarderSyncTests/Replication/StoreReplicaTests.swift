import LarderStorage
import LarderSyncProtocol
import TestSupport
import Testing

@testable import LarderSync

@Suite("Objects of a store as a device changes them")
struct StoreReplicaTests {
  private let temporary: TemporaryStore
  private let catalog: SyncCatalog

  private static let classes = [
    ClassDeclaration(
      name: "Item",
      columns: [
        ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
        ColumnDeclaration(name: "x", type: .int), ColumnDeclaration(name: "any", type: .mixed),
        ColumnDeclaration(name: "friend", type: .link, target: "Item"),
        ColumnDeclaration(name: "part", type: .link, target: "Part"),
        ColumnDeclaration(name: "texts", type: .string, collection: .list),
        ColumnDeclaration(name: "parts", type: .link, collection: .list, target: "Part"),
        ColumnDeclaration(name: "numbers", type: .int, collection: .set),
        ColumnDeclaration(name: "byName", type: .double, collection: .map),
        ColumnDeclaration(name: "weight", type: .double), ColumnDeclaration(name: "price", type: .decimal128),
        ColumnDeclaration(name: "weights", type: .double, collection: .list),
        ColumnDeclaration(name: "zeros", type: .double, collection: .set),
        ColumnDeclaration(name: "secret", type: .string, isLocalOnly: true),
      ], syncMode: .synced),
    ClassDeclaration(name: "Part", isEmbedded: true, columns: [ColumnDeclaration(name: "weight", type: .int)]),
  ]

  init() throws {
    temporary = try TemporaryStore(clusterSize: 8)
    try temporary.write { try $0.apply(Self.classes, schemaVersion: 1) }
    catalog = SyncCatalog(try temporary.snapshot.schema)
  }

  private let one = ObjectName(className: "Item", key: .int(1))

  private var properties: [SyncProperty] {
    let part = SyncValue.embedded(SyncEmbedded(incarnation: .root, properties: [SyncProperty("weight", .int(3))]))
    let texts = ["a", "b", "c"].map { SyncListEntry(element: .root, value: .string(SyncText($0))) }
    return [
      SyncProperty("x", .int(7)),
      SyncProperty("any", .map(SyncMap(incarnation: .root, entries: [SyncMapEntry("k", .int(1))]))),
      SyncProperty("part", part),
      SyncProperty("texts", .list(SyncList(incarnation: .root, entries: texts))),
      SyncProperty("parts", .list(SyncList(incarnation: .root, entries: [SyncListEntry(element: .root, value: part)]))),
      SyncProperty("numbers", .set(SyncSet(incarnation: .root, values: [.int(2), .int(1)]))),
      SyncProperty("byName", .map(SyncMap(incarnation: .root, entries: [SyncMapEntry("d", .double(0.5))]))),
    ]
  }

  private func change(_ body: (inout StoreReplica) throws -> Void) throws {
    try temporary.write { writer in
      try SyncWriting(writer).apply(from: Origin(high: 0, low: 1), at: HybridTime(rawValue: 1))
      let transaction = ReplicaTransaction(writer, catalog)
      var replica = StoreReplica(transaction: transaction)
      try body(&replica)
      try transaction.finish()
    }
  }

  private func shown(_ path: LocalPath) throws -> SyncValue? {
    var result: SyncValue?
    try change { result = $0.value(one, path) }
    return result
  }

  @Test("An object of every kind of property is written and read as it was")
  func replace() throws {
    try change { $0.replace(one, with: properties) }
    for property in properties { #expect(try shown(LocalPath(property.name)) == property.value) }
    try change { $0.replace(one, with: [SyncProperty("x", .int(8))]) }
    #expect(try shown(LocalPath("x")) == .int(8))
    #expect(try shown(LocalPath("part")) == .null)
    #expect(try shown(LocalPath("texts")) == .list(SyncList(incarnation: .root)))
    try change { $0.replace(one, with: nil) }
    try change { #expect(!$0.contains(one)) }
  }

  @Test("F-111: what comes from the server has its bits, also where an equal value is there")
  func bits() throws {
    let (minus, plus) = (SyncValue.double(-0.0), SyncValue.double(0))
    let (short, long) = (
      SyncDecimal(high: 0x3040_0000_0000_0000, low: 1), SyncDecimal(high: 0x303E_0000_0000_0000, low: 10)
    )
    func list(_ values: [SyncValue]) -> SyncValue {
      .list(SyncList(incarnation: .root, entries: values.map { SyncListEntry(element: .root, value: $0) }))
    }
    func map(_ value: SyncValue) -> SyncValue {
      .map(SyncMap(incarnation: .root, entries: [SyncMapEntry("k", value)]))
    }
    let pairs: [(SyncText, SyncValue, SyncValue)] = [
      ("any", minus, plus), ("any", .float(0), .float(-0.0)), ("any", list([minus]), list([plus])),
      ("any", map(minus), map(plus)), ("byName", map(minus), map(plus)),
      ("weights", list([plus, minus]), list([minus, plus])),
      ("weight", plus, minus), ("price", .decimal(short), .decimal(long)),
    ]
    for (name, one, other) in pairs {
      for (first, second) in [(one, other), (other, one)] {
        try change { $0.replace(self.one, with: [SyncProperty(name, first)]) }
        #expect(try shown(LocalPath(name)) == first, "\(name) of a new object")
        try change { $0.replace(self.one, with: [SyncProperty(name, second)]) }
        #expect(try shown(LocalPath(name)) == second, "\(name) of the object as a whole")
        try change { $0.set(self.one, LocalPath(name), first) }
        #expect(try shown(LocalPath(name)) == first, "\(name) by itself")
        try change { $0.replace(self.one, with: nil) }
      }
    }
  }

  @Test("F-111: sets keep one zero, without a sign")
  func zeroOfSet() throws {
    let path = LocalPath("zeros")
    try change { $0.replace(one, with: []) }
    for values in [[-0.0], [0.0, -0.0], [-0.0, 0.0]] {
      for value in values { try change { $0.setMember(.double(value), isPresent: true, one, path) } }
      #expect(try shown(path) == .set(SyncSet(incarnation: .root, values: [.double(0)])))
      try change { $0.setMember(.double(-0.0), isPresent: false, one, path) }
      #expect(try shown(path) == .set(SyncSet(incarnation: .root)))
    }
  }

  @Test("Slots and collections are changed where they are, also within mixed values and embedded objects")
  func edits() throws {
    try change { $0.replace(one, with: properties) }
    try change { replica in
      replica.set(one, LocalPath("part", [.property("weight")]), .int(9))
      replica.set(one, LocalPath("any", [.key("l")]), .list(SyncList(incarnation: .root)))
      replica.insert([.int(4), .int(5)], at: 0, one, LocalPath("any", [.key("l")]))
      replica.move(from: 0, to: 2, one, LocalPath("texts"))
      replica.remove(at: 0, one, LocalPath("texts"))
      replica.setMember(.int(2), isPresent: false, one, LocalPath("numbers"))
      replica.removeKey("d", one, LocalPath("byName"))
    }
    #expect(try shown(LocalPath("part", [.property("weight")])) == .int(9))
    #expect(try shown(LocalPath("any", [.key("l"), .index(1)])) == .int(5))
    #expect(try shown(LocalPath("texts", [.index(1)])) == .string("a"))
    #expect(try shown(LocalPath("numbers")) == .set(SyncSet(incarnation: .root, values: [.int(1)])))
    #expect(try shown(LocalPath("byName")) == .map(SyncMap(incarnation: .root)))
  }

  @Test("F-107: Values of other types than the schema says are left out and noted, and elements keep their positions")
  func mismatch() throws {
    func list(_ values: SyncValue...) -> SyncValue {
      .list(SyncList(incarnation: .root, entries: values.map { SyncListEntry(element: .root, value: $0) }))
    }
    let map = SyncValue.map(SyncMap(incarnation: .root, entries: [SyncMapEntry("k", .string("text"))]))
    let unfit = try noted { replica in
      replica.replace(
        one,
        with: [
          SyncProperty("x", .string("no number")), SyncProperty("part", .int(1)), SyncProperty("friend", map),
          SyncProperty("texts", list(.string("a"), .int(2), .string("c"))), SyncProperty("parts", list(.int(1))),
          SyncProperty("numbers", .set(SyncSet(incarnation: .root, values: [.int(1), .string("text")]))),
          SyncProperty("byName", map), SyncProperty("any", .int(7)),
        ])
    }
    #expect(unfit == ["byName", "friend", "numbers", "part", "parts", "texts", "x"])
    #expect(try shown(LocalPath("x")) == .int(0) && shown(LocalPath("part")) == .null)
    #expect(try shown(LocalPath("texts", [.index(2)])) == .string("c"))
    #expect(try shown(LocalPath("numbers")) == .set(SyncSet(incarnation: .root, values: [.int(1)])))
    #expect(try shown(LocalPath("byName")) == .map(SyncMap(incarnation: .root)))
    #expect(try shown(LocalPath("parts", [.index(0), .property("weight")])) == .int(0))
    #expect(try shown(LocalPath("any")) == .int(7))
  }

  @Test("F-107: So are edits of collections that a property does not have, and all later ones go on")
  func otherCollections() throws {
    try change { $0.replace(one, with: properties) }
    let unfit = try noted { replica in
      replica.insert([.int(1)], at: 0, one, LocalPath("x"))
      replica.remove(at: 0, one, LocalPath("numbers"))
      replica.move(from: 0, to: 1, one, LocalPath("byName"))
      replica.setMember(.int(1), isPresent: true, one, LocalPath("texts"))
      replica.removeKey("a", one, LocalPath("numbers"))
      replica.removeAll(one, LocalPath("x"))
      replica.set(one, LocalPath("x", [.key("k")]), .int(1))
      replica.set(one, LocalPath("texts", [.index(1)]), .int(1))
      replica.set(one, LocalPath("byName", [.key("e")]), .string("text"))
      replica.set(one, LocalPath("texts"), .int(5))
      replica.set(one, LocalPath("x"), .int(9))
    }
    #expect(unfit == ["byName", "numbers", "texts", "x"])
    #expect(try shown(LocalPath("x")) == .int(9))
  }

  /// Does something, and returns the names of the properties of which values were left out.
  private func noted(_ body: (inout StoreReplica) -> Void) throws -> [String] {
    try temporary.write { writer in
      try SyncWriting(writer).apply(from: Origin(high: 0, low: 1), at: HybridTime(rawValue: 1))
      let transaction = ReplicaTransaction(writer, catalog)
      var replica = StoreReplica(transaction: transaction)
      body(&replica)
      try transaction.finish()
      return Set(transaction.unfit.map(\.property)).sorted()
    }
  }

  @Test("classes and properties that the store does not know are left out")
  func unknown() throws {
    try change { replica in
      replica.replace(ObjectName(className: "Other", key: .int(1)), with: [])
      replica.replace(one, with: [SyncProperty("x", .int(1)), SyncProperty("later", .int(2))])
    }
    #expect(try shown(LocalPath("x")) == .int(1))
  }

  @Test("The log of a transaction makes the same object elsewhere")
  func logged() throws {
    let before = try temporary.snapshot.version
    try temporary.write { writer in
      let transaction = ReplicaTransaction(writer, catalog)
      var replica = StoreReplica(transaction: transaction)
      replica.replace(one, with: properties)
      try transaction.finish()
    }
    var commits: [LocalCommit] = []
    try temporary.write { writer in
      let logged = try OperationsReader(writer.base).commits(after: before, upTo: writer.base.version)
      var conversion = LoggedCommits(ReplicaTransaction(writer, catalog))
      commits = try logged.map { try conversion.converted($0, nonce: 5) }
    }
    try #require(commits.count == 1)
    guard case .create(let created) = commits[0].edits.first?.change else { return #expect(Bool(false)) }
    let values = Dictionary(created.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    for property in properties where ["x", "any", "part"].contains(property.name) {
      #expect(values[property.name] == property.value)
    }
    var device = Device(site: SiteID(high: 1, low: 1), store: StoreReplica())
    try device.replay(commits[0])
    #expect(device.isWaiting(one) && device.keptCommits.count == 1)
  }
}
