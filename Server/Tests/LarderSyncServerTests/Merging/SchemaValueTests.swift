import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// The tests of values that the schema does not have, or has with another type: they are refused and not stored.
@Suite struct SchemaValueTests {
  private static let schema = SyncSchema(
    version: 1,
    classes: TaskSchema.schema.classes + [
      SchemaClass(
        "Kinds", primaryKey: "id",
        properties: [
          SchemaProperty("id", .int), SchemaProperty("name", .string), SchemaProperty("any", .mixed),
          SchemaProperty("task", .link, target: "Task"), SchemaProperty("price", .decimal),
          SchemaProperty("places", .embedded, collection: .list, target: "Place"),
          SchemaProperty("flags", .bool, isOptional: true), SchemaProperty("numbers", .int, collection: .list),
        ])
    ])

  private static let incarnation = OperationID(site: .test(1), siteVersion: 1, operation: 0)

  private func refusal(_ className: SyncText, _ edit: SyncEdit) -> RefusalReason? {
    let access = AccessPolicy.everything(schema: Self.schema).access(for: UserClaims(subject: "a", expires: 0))
    let operation = SyncOperation(ObjectName(className: className, key: .int(1)), edit)
    return UploadRules(access: access).refusal(of: operation, before: ObjectState())
  }

  private static func set(_ property: SyncText, _ value: SyncValue) -> SyncEdit { .set(SyncPath(property), value) }

  private static func place(_ street: SyncValue, _ name: SyncText = "street") -> SyncValue {
    .embedded(SyncEmbedded(incarnation: incarnation, properties: [SyncProperty(name, street)]))
  }

  private static func list(_ property: SyncText) -> SyncCollectionPath { SyncCollectionPath(SyncPath(property)) }

  private static let street = SyncPath("place", [.property("street", in: incarnation)])
  private static let inAny = SyncPath("any", [.key("a", in: incarnation), .element(incarnation, in: incarnation)])

  @Test(
    "Y-27: values of the types that the schema says are accepted",
    arguments: [
      ("Task", .create([CreatedProperty("id", .int(1)), CreatedProperty("owner", .null)])),
      ("Task", .delete), ("Task", set("weight", .double(1))), ("Task", .add(SyncPath("count"), .int(1))),
      ("Task", .setInsert(list("tags"), .string("a"))), ("Task", .setClear(list("tags"))),
      ("Task", .listInsert(list("notes"), [.string("a")], first: incarnation, left: nil, right: nil)),
      ("Task", .mapPut(list("marks"), "a", .int(1))), ("Task", set("place", place(.string("x")))),
      ("Task", set("place", .null)), ("Task", .set(street, .string("x"))),
      ("Kinds", set("any", .int(1))), ("Kinds", set("any", .null)), ("Kinds", .set(inAny, .bool(true))),
      ("Kinds", .mapPut(SyncCollectionPath(SyncPath("any"), incarnation: incarnation), "a", .double(1))),
      ("Kinds", set("task", .link(TaskSchema.task(1)))), ("Kinds", set("task", .null)),
      ("Kinds", set("flags", .null)), ("Kinds", .add(SyncPath("any"), .int(1))),
      (
        "Kinds",
        .listInsert(list("places"), [place(.string("x"))], first: incarnation, left: nil, right: nil)
      ),
    ] as [(SyncText, SyncEdit)])
  func accepted(_ className: SyncText, _ edit: SyncEdit) {
    #expect(refusal(className, edit) == nil)
  }

  @Test(
    "Y-27, Y-48: values of other types are refused",
    arguments: [
      ("Task", .create([CreatedProperty("id", .int(1)), CreatedProperty("owner", .int(1))])),
      ("Task", set("weight", .int(1))), ("Task", set("rank", .string("1"))), ("Task", set("notes", .string("a"))),
      ("Task", .add(SyncPath("owner"), .int(1))), ("Task", .setInsert(list("tags"), .int(1))),
      ("Task", .setInsert(list("notes"), .string("a"))), ("Task", .listRemove(list("tags"), [])),
      ("Task", .listInsert(list("notes"), [.string("a"), .int(1)], first: incarnation, left: nil, right: nil)),
      ("Task", .mapPut(list("marks"), "a", .string("1"))), ("Task", .mapPut(list("owner"), "a", .string("1"))),
      ("Task", set("place", place(.int(1)))), ("Task", .set(street, .int(1))),
      ("Task", .set(SyncPath("owner", [.key("a", in: incarnation)]), .string("x"))),
      ("Kinds", set("name", .null)), ("Kinds", set("task", .link(ObjectName(className: "Kinds", key: .int(1))))),
      ("Kinds", .add(SyncPath("price"), .int(1))), ("Kinds", set("flags", .int(1))),
      ("Kinds", .listInsert(list("numbers"), [.double(1)], first: incarnation, left: nil, right: nil)),
    ] as [(SyncText, SyncEdit)])
  func refused(_ className: SyncText, _ edit: SyncEdit) {
    #expect(refusal(className, edit) == .schema)
  }

  @Test(
    "F-107: properties that the schema does not have are refused, also within embedded objects",
    arguments: [
      ("Task", .create([CreatedProperty("id", .int(1)), CreatedProperty("colour", .int(1))])),
      ("Task", set("colour", .null)), ("Task", .add(SyncPath("colour"), .int(1))),
      ("Task", .listInsert(list("colours"), [.int(1)], first: incarnation, left: nil, right: nil)),
      ("Task", set("place", place(.string("x"), "town"))),
      ("Task", .set(SyncPath("place", [.property("town", in: incarnation)]), .string("x"))),
    ] as [(SyncText, SyncEdit)])
  func unknown(_ className: SyncText, _ edit: SyncEdit) {
    #expect(refusal(className, edit) == .schema)
  }

  @Test("Y-27: a device whose values are of another type gets the object as it is", arguments: Backend.allCases)
  func stored(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    try await ann.create(1, q: 1)
    try await ann.sync()
    try await ann.set(1, "q", .string("one"))
    try await ann.set(1, "colour", .int(3))
    try await ann.set(1, "x", .int(3))
    try await ann.sync()
    #expect(await ann.refused.map(\.reason) == [.schema, .schema])
    #expect(await ann.value(1, "q") == .int(1))
    #expect(await ann.value(1, "x") == .int(3))
    #expect(try await fixture.content() == ann.shown)
    await fixture.end()
  }
}
