import LarderSyncProtocol
import Testing

/// A message of each kind with its bytes as version 1.0 has them, which never change.
struct GoldenFrame: Sendable, CustomTestStringConvertible {
  let message: SyncMessage
  let bytes: String

  init(_ message: SyncMessage, _ bytes: String) {
    self.message = message
    self.bytes = bytes
  }

  var testDescription: String { "kind \(message.kind)" }

  static let site = SiteID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10)
  static let other = SiteID(high: 0xA0A0_A0A0_A0A0_A0A0, low: 0xB0B0_B0B0_B0B0_B0B0)
  static let time = SyncTime(rawValue: 0x0000_018B_CFE5_6800_0001)

  static func own(_ operation: UInt32, _ index: UInt32) -> OperationID {
    OperationID(site: site, siteVersion: 7, operation: operation, index: index)
  }

  static let person = ObjectName(className: "Person", key: .int(5))
  static let city = ObjectName(className: "City", key: .string("Rom"))
  static let view = ViewTag(subscriptions: 3, rules: 300)

  static let commit = SyncCommit(
    siteVersion: 7, time: time, nonce: 0x1122_3344_5566_7788,
    operations: [
      SyncOperation(
        person, .create([CreatedProperty("age", .int(41)), CreatedProperty("name", .null, rank: .byDefault)])),
      SyncOperation(
        person,
        .listInsert(SyncCollectionPath(SyncPath("tags")), [.bool(true)], first: own(1, 1), left: nil, right: nil)),
      SyncOperation(
        person,
        .listMove(
          SyncCollectionPath(SyncPath("tags")), own(1, 1), position: own(2, 0),
          left: OperationID(site: other, siteVersion: 2, operation: 0, index: 9), right: nil)),
      SyncOperation(city, .mapPut(SyncCollectionPath(SyncPath("names")), "it", .string("Roma"))),
      SyncOperation(city, .set(SyncPath("mixed"), .list(SyncList(incarnation: own(4, 0))))),
      SyncOperation(
        city,
        .listInsert(
          SyncCollectionPath(SyncPath("mixed"), incarnation: own(4, 0)), [.double(1.5)], first: own(5, 1), left: nil,
          right: nil)),
      SyncOperation(city, .set(SyncPath("mixed", [.element(own(5, 1), in: own(4, 0))]), .link(person))),
      SyncOperation(city, .add(SyncPath("visits"), .int(-3))), SyncOperation(person, .delete),
    ])

  static let records = [
    DownloadRecord(
      version: 1_000, time: time, site: other,
      objects: [
        ObjectDelta(
          person, .cells([.set(SyncPath("age"), .int(42)), .setInsert(SyncCollectionPath(SyncPath("set")), [.int(1)])])),
        ObjectDelta(city, .gone),
      ]),
    DownloadRecord(
      version: 1_002, time: SyncTime(rawValue: time.rawValue + 1), site: site,
      own: OwnMarker(siteVersion: 7, results: [.plain, .at(left: own(1, 1)), .refused(.objectBefore)]),
      objects: [ObjectDelta(city, .columns([SyncProperty("visits", .int(8))]))]),
  ]

  static let embedded = SyncValue.embedded(
    SyncEmbedded(
      incarnation: OperationID(site: other, siteVersion: 4, operation: 0, index: 1),
      properties: [SyncProperty("zip", .string("00100"))]))

  static let schema = SyncSchema(
    version: 2,
    classes: [
      SchemaClass(
        "Person", primaryKey: "_id",
        properties: [
          SchemaProperty("_id", .int),
          SchemaProperty("age", .int, isOptional: true, merge: .counter, isQueryable: true),
          SchemaProperty("home", .link, collection: .list, target: "City"),
        ])
    ])
}
