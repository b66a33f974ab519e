import LarderSyncProtocol
import Testing

@Suite("Changes without what a server's schema does not have")
struct SchemaFilterTests {
  private let filter = SchemaFilter(
    SyncSchema(classes: [
      SchemaClass(
        "Item", primaryKey: "id",
        properties: [
          SchemaProperty("id", .int), SchemaProperty("x", .int), SchemaProperty("any", .mixed),
          SchemaProperty("texts", .string, collection: .list), SchemaProperty("part", .embedded, target: "Part"),
          SchemaProperty("parts", .embedded, collection: .list, target: "Part"),
        ]),
      SchemaClass("Part", kind: .embedded, primaryKey: nil, properties: [SchemaProperty("weight", .int)]),
    ]))

  private let item = ObjectName(className: "Item", key: .int(1))

  private func kept(_ change: LocalChange) -> LocalChange? { filter.kept(LocalEdit(item, change))?.change }

  private func part(_ names: SyncText...) -> SyncValue {
    .embedded(SyncEmbedded(incarnation: .root, properties: names.map { SyncProperty($0, .int(1)) }))
  }

  @Test("F-107: A new object keeps its other properties, also within embedded objects")
  func created() {
    let change = LocalChange.create([
      CreatedProperty("x", .int(1)), CreatedProperty("colour", .int(2)),
      CreatedProperty("part", part("size", "weight")),
    ])
    #expect(kept(change) == .create([CreatedProperty("x", .int(1)), CreatedProperty("part", part("weight"))]))
    #expect(kept(.delete) == .delete)
  }

  @Test(
    "F-107: Changes of what the schema does not have are left out",
    arguments: [
      LocalChange.set(LocalPath("colour"), .int(1)), .add(LocalPath("colour"), .int(1)),
      .listInsert(LocalPath("colours"), at: 0, [.int(1)], sizeBefore: 0), .setClear(LocalPath("colours")),
      .set(LocalPath("part", [.property("size")]), .int(1)),
      .set(LocalPath("parts", [.index(0), .property("size")]), .int(1)),
      .mapRemove(LocalPath("colours"), "a"),
    ])
  func leftOut(_ change: LocalChange) { #expect(kept(change) == nil) }

  @Test(
    "F-107: Changes of what it has stay, also within values of any type",
    arguments: [
      LocalChange.set(LocalPath("x"), .int(1)), .listRemove(LocalPath("texts"), at: 0, count: 1, sizeBefore: 1),
      .set(LocalPath("part", [.property("weight")]), .int(1)), .set(LocalPath("any", [.key("colour")]), .int(1)),
      .mapPut(LocalPath("any"), "colour", .int(1)),
    ])
  func stays(_ change: LocalChange) { #expect(kept(change) == change) }

  @Test("F-107: Changes of classes that the schema does not have are not looked at")
  func otherClass() {
    let edit = LocalEdit(ObjectName(className: "Other", key: .int(1)), .set(LocalPath("colour"), .int(1)))
    #expect(filter.kept(edit) == edit)
  }
}
