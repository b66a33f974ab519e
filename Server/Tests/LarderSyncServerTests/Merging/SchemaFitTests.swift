import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct SchemaFitTests {
  private static let schema = SyncSchema(
    version: 1,
    classes: [
      TaskSchema.schema.classes[0],
      SchemaClass(
        "Task", primaryKey: "id",
        properties: TaskSchema.schema.classes[1].properties + [
          SchemaProperty("any", .mixed), SchemaProperty("parent", .link, isOptional: true, target: "Task"),
          SchemaProperty("places", .embedded, collection: .list, target: "Place"),
        ]),
    ])
  private let name = OperationID(site: .test(1), siteVersion: 1, operation: 0, index: 1)

  private func fits(_ edit: SyncEdit) -> Bool {
    let access = TaskSchema.access("ann", .everything(schema: Self.schema))
    guard let task = access.schemaClass("Task") else { return false }
    return SchemaFit(access: access).fits(edit, of: task)
  }

  private func sets(_ property: SyncText, _ value: SyncValue, _ steps: [SyncPathStep] = []) -> Bool {
    fits(.set(SyncPath(property, steps), value))
  }

  @Test("Y-48: values of the schema's types fit, and others do not")
  func plain() {
    #expect(sets("rank", .int(1)) && sets("rank", .null) && sets("owner", .string("a")))
    #expect(!sets("rank", .string("1")) && !sets("rank", .double(1)) && !sets("weight", .int(1)))
    #expect(sets("parent", .link(TaskSchema.task(1))))
    #expect(!sets("parent", .link(ObjectName(className: "Place", key: .int(1)))) && !sets("parent", .int(1)))
    #expect(sets("any", .int(1)) && sets("any", .list(SyncList(incarnation: name))))
    // What the schema does not have is passed on.
    #expect(sets("new", .string("1")))
    #expect(fits(.create([CreatedProperty("rank", .int(1)), CreatedProperty("new", .int(1))])))
    #expect(!fits(.create([CreatedProperty("rank", .int(1)), CreatedProperty("owner", .int(1))])))
    #expect(fits(.add(SyncPath("count"), .int(1))) && !fits(.add(SyncPath("owner"), .int(1))))
  }

  @Test("Y-48: elements of collections are of the schema's type, and collections of its kind")
  func collections() {
    let (notes, tags) = (SyncCollectionPath(SyncPath("notes")), SyncCollectionPath(SyncPath("tags")))
    let marks = SyncCollectionPath(SyncPath("marks"))
    #expect(fits(.listInsert(notes, [.string("a")], first: name, left: nil, right: nil)))
    #expect(!fits(.listInsert(notes, [.string("a"), .int(1)], first: name, left: nil, right: nil)))
    #expect(!fits(.listInsert(tags, [.string("a")], first: name, left: nil, right: nil)))
    #expect(fits(.setInsert(tags, .string("a"))) && !fits(.setInsert(tags, .int(1))))
    #expect(fits(.mapPut(marks, "a", .int(1))) && !fits(.mapPut(marks, "a", .string("1"))))
    #expect(!sets("notes", .string("a")) && !sets("rank", .list(SyncList(incarnation: name))))
    let list = SyncList(incarnation: name, entries: [SyncListEntry(element: name, value: .int(1))])
    #expect(sets("notes", .list(SyncList(incarnation: name))) && !sets("notes", .list(list)))
    #expect(!sets("tags", .list(SyncList(incarnation: name))))
    // In a value of any type there is anything.
    let any = SyncCollectionPath(SyncPath("any"), incarnation: name)
    #expect(fits(.listInsert(any, [.int(1)], first: name, left: nil, right: nil)) && fits(.mapPut(any, "a", .int(1))))
  }

  @Test("Y-48: embedded objects have values of their class, and steps lead into them")
  func embedded() {
    func place(_ value: SyncValue) -> SyncValue {
      .embedded(SyncEmbedded(incarnation: name, properties: [SyncProperty("street", value)]))
    }
    #expect(sets("place", place(.string("a"))) && !sets("place", place(.int(1))) && !sets("place", .int(1)))
    let street = SyncPathStep.property("street", in: name)
    #expect(sets("place", .string("a"), [street]) && !sets("place", .int(1), [street]))
    let element = SyncPathStep.element(name, in: .root)
    #expect(sets("places", .string("a"), [element, street]) && !sets("places", .int(1), [element, street]))
    #expect(sets("marks", .int(1), [.key("a", in: .root)]) && !sets("marks", .string("1"), [.key("a", in: .root)]))
    #expect(!sets("notes", .int(1), [element]))
  }
}
