import Foundation
import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// Each limit of the table at its bound and one above, as it comes to a server from a device that does not keep to it.
@Suite(.timeLimit(.minutes(20))) struct SyncLimitTests {
  private static let schema = SyncSchema(
    version: 1,
    classes: [
      SchemaClass(
        "Item", primaryKey: "id",
        properties: [
          SchemaProperty("id", .int), SchemaProperty("owner", .string, isOptional: true),
          SchemaProperty("any", .mixed), SchemaProperty("l", .int, collection: .list),
          SchemaProperty("x", .int, isOptional: true),
        ]),
      SchemaClass("Text", primaryKey: "id", properties: [SchemaProperty("id", .string), SchemaProperty("x", .int)]),
    ])

  private static let all = Subscribe(
    version: 1,
    queries: ["Item", "Text"].map { SubscribedQuery(className: $0, predicate: "TRUEPREDICATE") })

  private func fixture(_ backend: Backend) async throws -> HubFixture {
    // The clock stands still, so that what may come in a second is all that may come.
    let fixture = try await HubFixture(backend) { $0.devices.uploadBytesPerSecond = 1 << 30 }
    fixture.directory.change {
      $0 = TenantConfiguration(schema: Self.schema, policy: .everything(schema: Self.schema))
    }
    return fixture
  }

  private func device(_ name: String, _ fixture: HubFixture) async throws -> TestDevice {
    let device = TestDevice(name, subscribe: Self.all, seed: UInt64(name.count))
    try await device.connect(fixture.hubs[0])
    try await device.sync()
    return device
  }

  private static func text(_ bytes: Int) -> SyncText { SyncText(String(repeating: "k", count: bytes)) }

  private static func nested(_ levels: Int) -> SyncValue {
    (0..<levels).reduce(.int(1)) { value, _ in
      .map(SyncMap(incarnation: .root, entries: [SyncMapEntry("k", value)]))
    }
  }

  /// Changes that have so much of what a limit is of; nil for limits of other things than changes.
  private static func edits(_ limit: SyncLimit, _ count: Int) -> [LocalEdit]? {
    let item = HubSchema.name(1)
    func set(_ property: SyncText, _ value: SyncValue) -> LocalEdit {
      LocalEdit(item, .set(LocalPath(property), value))
    }
    switch limit {
    case .primaryKey:
      return [
        LocalEdit(ObjectName(className: "Text", key: .string(text(count))), .create([CreatedProperty("x", .int(1))]))
      ]
    case .mapKey:
      return [set("any", .map(SyncMap(incarnation: .root, entries: [SyncMapEntry(text(count), .int(1))])))]
    case .value: return [set("owner", .string(text(count)))]
    case .depth: return [set("any", nested(count))]
    case .className, .propertyName, .transactionBytes, .transactionItems, .queries, .queryBytes: return nil
    }
  }

  @Test(
    "F-106: what is at a limit is merged, what is above it is refused, and other commits and devices go on",
    arguments: [Backend.postgres, .memory])
  func changes(_ backend: Backend) async throws {
    let fixture = try await fixture(backend)
    let (ann, bob) = (try await device("ann", fixture), try await device("bobby", fixture))
    try await ann.create(1)
    for limit in SyncLimit.allCases {
      guard let most = Self.edits(limit, limit.most) else { continue }
      try await ann.edit(most)
      try await ann.sync()
      #expect(await ann.refused.isEmpty, "\(limit)")
      await ann.forget()
    }
    // Names within values are not the same everywhere.
    try await ann.set(1, "any", .null)
    try await ann.sync()
    try await bob.sync()
    #expect(await bob.shown == ann.shown)
    // A value that is nested deeper is no message at all: see below.
    for limit in SyncLimit.allCases where limit != .depth {
      guard let above = Self.edits(limit, limit.most + 1) else { continue }
      try await ann.edit(above)
      try await ann.set(1, "x", .int(Int64(limit.most)))
      try await ann.sync()
      #expect(await ann.refused.map(\.reason) == [.tooLarge], "\(limit)")
      await ann.forget()
      try await bob.sync()
      #expect(await bob.value(1, "x") == .int(Int64(limit.most)), "\(limit)")
      #expect(await bob.shown == ann.shown)
      try await bob.set(1, "x", .int(1))
      try await bob.sync()
    }
    await fixture.end()
  }

  @Test("F-106: a primary key of 3,000 random bytes is refused, and its device goes on", arguments: [Backend.postgres])
  func key(_ backend: Backend) async throws {
    let fixture = try await fixture(backend)
    let ann = try await device("ann", fixture)
    var random = SeededRandom(seed: 5)
    let key = String((0..<3_000).map { _ in Character(UnicodeScalar(UInt8(random.int(33...126)))) })
    let object = ObjectName(className: "Text", key: .string(SyncText(key)))
    try await ann.edit([LocalEdit(object, .create([CreatedProperty("x", .int(1))]))])
    try await ann.create(1)
    try await ann.sync()
    #expect(await ann.refused.map(\.object) == [object])
    #expect(await ann.refused.map(\.reason) == [.tooLarge])
    #expect(await ann.keys == [1])
    await fixture.end()
  }

  /// The failure that ends the session of a device that sends more than a message may have.
  private func failure(_ edits: [LocalEdit]) async throws -> SyncFailure? {
    let fixture = try await fixture(.memory)
    let (ann, bob) = (try await device("ann", fixture), try await device("bobby", fixture))
    try await ann.create(1)
    try await ann.sync()
    try await ann.edit(edits)
    try await ann.upload()
    try await ann.waitForEnd()
    try await bob.create(2)
    try await bob.sync()
    #expect(await bob.keys == [1, 2])
    let failure = await ann.failures.first
    await fixture.end()
    return failure
  }

  @Test("F-105: more than a message may have is reported in words, and other devices go on")
  func messages() async throws {
    let item = HubSchema.name(1)
    let tooMany = [UInt8](repeating: 1, count: DecodingLimits.standard.frameBytes)
    let above: [LocalEdit] = [
      LocalEdit(item, .set(LocalPath("any"), .data(tooMany))),
      LocalEdit(item, .set(LocalPath("any"), Self.nested(SyncLimit.depth.most + 1))),
    ]
    for edit in above {
      let failure = try await failure([edit])
      #expect(failure?.code == .frameTooLarge && failure?.action == .stop)
    }
  }

  @Test("F-105: what a transaction may have at most is merged and sent to other devices")
  func transaction() async throws {
    let fixture = try await fixture(.memory)
    let (ann, bob) = (try await device("ann", fixture), try await device("bobby", fixture))
    let rest = SyncLimit.transactionBytes.most - SyncLimit.value.most - 1_000
    try await ann.edit([
      LocalEdit(
        HubSchema.name(1),
        .create([
          CreatedProperty("owner", .string(Self.text(SyncLimit.value.most))),
          CreatedProperty("any", .data([UInt8](repeating: 1, count: rest))),
        ]))
    ])
    try await ann.sync()
    let values = (0..<(SyncLimit.transactionItems.most - 100)).map { SyncValue.int(Int64($0)) }
    try await ann.edit([
      LocalEdit(HubSchema.name(2), .create([])),
      LocalEdit(HubSchema.name(2), .listInsert(LocalPath("l"), at: 0, values, sizeBefore: 0)),
    ])
    try await ann.sync()
    #expect(await ann.refused.isEmpty)
    #expect(await ann.failures.isEmpty)
    try await bob.sync()
    #expect(await bob.keys == [1, 2])
    #expect(await bob.count(2) == values.count)
    let carl = try await device("carl", fixture)
    #expect(await carl.shown == ann.shown)
    await fixture.end()
  }

  @Test("F-106: the names in a schema, and the queries of a device, have the limits of the table")
  func names() throws {
    func schema(_ className: Int, _ property: Int) -> [UInt8] {
      let (name, other) = (Self.text(className), Self.text(property))
      return Array(#"{ "\#(name)": { "primaryKey": "id", "properties": { "id": "int", "\#(other)": "int" } } }"#.utf8)
    }
    let (most, mostProperty) = (SyncLimit.className.most, SyncLimit.propertyName.most)
    #expect(throws: Never.self) { try SchemaDocument.schema(schema(most, mostProperty)) }
    for text in [schema(most + 1, mostProperty), schema(most, mostProperty + 1)] {
      let error = #expect(throws: DocumentError.self) { try SchemaDocument.schema(text) }
      #expect("\(error.map { "\($0)" } ?? "")".contains("bytes"))
    }
    #expect(DeviceLimits().queriesPerSet == SyncLimit.queries.most)
  }
}
