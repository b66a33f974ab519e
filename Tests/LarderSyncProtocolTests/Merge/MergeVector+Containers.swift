@testable import LarderSyncProtocol

extension MergeVector {
  /// A vector over a slot that holds a container; the last result is listed when it is not plain.
  private static func container(
    _ id: String, _ expected: String, _ property: SyncText, _ run: @escaping @Sendable (inout VectorObject) -> Void
  ) -> MergeVector {
    MergeVector(id, expected) { object in
      object.create(.a, 1, [:])
      run(&object)
      let result = object.results.last == .noop ? " noop" : ""
      return describe(object.state.value(of: property)) + result
    }
  }

  private static func describe(_ value: SyncValue?) -> String {
    switch value {
    case .embedded(let embedded):
      embedded.properties.map { "\($0.name)=\(describe($0.value))" }.joined(separator: " ")
    case .list(let list): "[" + list.entries.map { describe($0.value) }.joined(separator: ",") + "]"
    case .map(let map): "{" + map.entries.map { "\($0.key):\(describe($0.value))" }.joined(separator: ",") + "}"
    case .int(let number): String(number)
    case nil: "nothing"
    default: "?"
    }
  }

  private static func embedded(_ incarnation: OperationID, x: Int64) -> SyncValue {
    .embedded(SyncEmbedded(incarnation: incarnation, properties: [SyncProperty("x", .int(x))]))
  }

  private static func property(_ name: SyncText, in incarnation: OperationID) -> SyncPath {
    SyncPath("e", [.property(name, in: incarnation)])
  }

  private static func list(_ incarnation: OperationID, _ value: Int64) -> SyncValue {
    let element = OperationID(
      site: incarnation.site, siteVersion: incarnation.siteVersion, operation: incarnation.operation, index: 1)
    return .list(SyncList(incarnation: incarnation, entries: [SyncListEntry(element: element, value: .int(value))]))
  }

  /// Inserts a number at the end of the list `mixed` that has a name.
  private static func append(
    _ value: Int64, to incarnation: OperationID, _ object: inout VectorObject, _ site: VectorObject.Site, _ time: UInt64
  ) {
    let path = SyncCollectionPath(SyncPath("mixed"), incarnation: incarnation)
    let id = object.name(site)
    object.apply(
      site, time, .listInsert(path, [.int(value)], first: id, left: incarnation.advanced(by: 1), right: nil))
  }

  static let containers = [
    container("T34", "x=2", "e") {
      let (first, second) = ($0.name(.a), $0.name(.a))
      $0.set(.a, 5, "e", embedded(first, x: 1))
      $0.apply(.b, 30, .set(property("x", in: first), .int(9)))
      $0.set(.a, 20, "e", embedded(second, x: 2))
    },
    container("T35", "x=2 noop", "e") {
      let (first, second) = ($0.name(.a), $0.name(.a))
      $0.set(.a, 5, "e", embedded(first, x: 1))
      $0.set(.a, 20, "e", embedded(second, x: 2))
      $0.apply(.b, 30, .set(property("x", in: first), .int(9)))
    },
    container("T36", "list=[7] x=9", "e") {
      let first = $0.name(.a)
      $0.set(.a, 5, "e", embedded(first, x: 1))
      $0.apply(.b, 30, .set(property("x", in: first), .int(9)))
      let list = SyncCollectionPath(property("list", in: first))
      $0.apply(.a, 10, .listInsert(list, [.int(7)], first: $0.name(.a), left: nil, right: nil))
    },
    container("T37", "{} noop", "mixed") {
      let first = $0.name(.a)
      $0.set(.a, 5, "mixed", list(first, 1))
      $0.set(.b, 9, "mixed", .map(SyncMap(incarnation: $0.name(.b))))
      append(2, to: first, &$0, .a, 12)
    },
    container("T38", "[5] noop", "mixed") {
      let first = $0.name(.a)
      $0.set(.a, 5, "mixed", list(first, 1))
      $0.set(.b, 9, "mixed", list($0.name(.b), 5))
      append(2, to: first, &$0, .a, 12)
    },
    list("T39 without the check of uploads", "z") {
      $0.apply(.a, 15, .delete); $0.insert(.b, 20, "c", "-", "z"); $0.create(.a, 21, [:])
    },
    list("T39", "") {
      $0.isUpload = true
      $0.apply(.a, 15, .delete); $0.insert(.b, 20, "c", "-", "z"); $0.create(.a, 21, [:])
    },
    MergeVector("T40", "t") { object in
      object.create(.a, 1, [:])
      object.set(.a, 5, "k", .link(ObjectName(className: "Person", key: .string("t"))))
      guard case .link(let name) = object.state.value(of: "k"), case .string(let key) = name.key else { return "" }
      return key.string
    },
  ]
}
