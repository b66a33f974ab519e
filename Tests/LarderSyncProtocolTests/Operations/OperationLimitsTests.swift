import LarderSyncProtocol
import Testing

@Suite("Limits of operations")
struct OperationLimitsTests {
  private static func text(_ bytes: Int) -> SyncText { SyncText(String(repeating: "k", count: bytes)) }

  private static func nested(_ levels: Int) -> SyncValue {
    (0..<levels).reduce(.int(1)) { value, _ in
      .list(SyncList(incarnation: .root, entries: [SyncListEntry(element: .root, value: value)]))
    }
  }

  /// Operations that have so much of what a limit is of; none for limits that are of other things than operations.
  private static func operations(_ limit: SyncLimit, _ count: Int) -> [SyncOperation] {
    let item = ObjectName(className: "Item", key: .int(1))
    func edits(_ value: SyncValue) -> [SyncEdit] {
      [
        .create([CreatedProperty("a", value)]), .set(SyncPath("a"), value),
        .set(SyncPath("a"), .embedded(SyncEmbedded(incarnation: .root, properties: [SyncProperty("b", value)]))),
      ]
    }
    switch limit {
    case .primaryKey:
      let object = ObjectName(className: "Item", key: .string(text(count)))
      return [SyncOperation(object, .create([])), SyncOperation(item, .set(SyncPath("a"), .link(object)))]
    case .mapKey:
      let map = SyncValue.map(SyncMap(incarnation: .root, entries: [SyncMapEntry(text(count), .int(1))]))
      return edits(map).map { SyncOperation(item, $0) } + [
        SyncOperation(item, .mapPut(SyncCollectionPath(SyncPath("a")), text(count), .int(1)))
      ]
    case .value:
      return (edits(.string(text(count))) + edits(.data([UInt8](repeating: 1, count: count)))).map {
        SyncOperation(item, $0)
      }
    case .depth:
      let path = SyncCollectionPath(SyncPath("a", [.key("k", in: .root)]))
      return [
        SyncOperation(item, .set(SyncPath("a"), nested(count))),
        SyncOperation(item, .mapPut(path, "k", nested(count - 2))),
        SyncOperation(item, .listInsert(path, [nested(count - 2)], first: .root, left: nil, right: nil)),
      ]
    case .className, .propertyName, .transactionBytes, .transactionItems, .queries, .queryBytes: return []
    }
  }

  @Test("F-106: What is at a limit is accepted, and what is one above it is not", arguments: SyncLimit.allCases)
  func table(_ limit: SyncLimit) {
    for operation in Self.operations(limit, limit.most) { #expect(throws: Never.self) { try operation.checkLimits() } }
    for operation in Self.operations(limit, limit.most + 1) {
      let error = #expect(throws: SyncLimitExceeded.self) { try operation.checkLimits() }
      #expect(error == SyncLimitExceeded(limit, found: limit.most + 1))
    }
  }

  @Test("F-106: The limits are those that the documentation gives")
  func documented() {
    #expect(SyncLimit.primaryKey.most == 1_024 && SyncLimit.value.most == 16 << 20)
    #expect(SyncLimit.transactionBytes.most > 16 << 20 && SyncLimit.queries.most == 1_000)
  }

  @Test("F-106: An object whose key is too long can be deleted")
  func deletion() {
    let object = ObjectName(className: "Item", key: .string(Self.text(SyncLimit.primaryKey.most + 1)))
    #expect(throws: Never.self) { try SyncOperation(object, .delete).checkLimits() }
  }

  @Test("F-106: A schema whose names are longer than the limits names the first of them")
  func names() {
    func schema(_ className: Int, _ property: Int) -> SyncSchema {
      SyncSchema(classes: [
        SchemaClass(
          Self.text(className), primaryKey: "id",
          properties: [SchemaProperty("id", .int), SchemaProperty(Self.text(property), .int)])
      ])
    }
    let (most, mostProperty) = (SyncLimit.className.most, SyncLimit.propertyName.most)
    #expect(throws: Never.self) { try schema(most, mostProperty).checkNames() }
    #expect(throws: TooLongName.self) { try schema(most + 1, mostProperty).checkNames() }
    let error = #expect(throws: TooLongName.self) { try schema(most, mostProperty + 1).checkNames() }
    #expect(error?.exceeded == SyncLimitExceeded(.propertyName, found: mostProperty + 1))
  }
}
