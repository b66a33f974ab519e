@testable import LarderSyncProtocol
import Testing

/// Operations in the order in which they arrive, and what the object is then.
struct MergeVector: Sendable, CustomTestStringConvertible {
  let id: String
  let expected: String
  let run: @Sendable (inout VectorObject) -> String

  var testDescription: String { id }

  init(_ id: String, _ expected: String, _ run: @escaping @Sendable (inout VectorObject) -> String) {
    self.id = id
    self.expected = expected
    self.run = run
  }

  /// A vector over the list `abc` of an object.
  static func list(_ id: String, _ expected: String, _ run: @escaping @Sendable (inout VectorObject) -> Void)
    -> MergeVector
  {
    MergeVector(id, expected) { object in
      object.create(.a, 1, [:])
      object.insert(.a, 2, "-", "-", "abc")
      run(&object)
      return object.text()
    }
  }

  /// A vector over properties of an object, which are listed as `x=1`.
  static func cells(
    _ id: String, _ expected: String, _ run: @escaping @Sendable (inout VectorObject) -> Void
  ) -> MergeVector {
    MergeVector(id, expected) { object in
      run(&object)
      guard object.state.isAlive else { return "dead" }
      return ["x", "q", "c"].compactMap { name in object.int(SyncText(name)).map { "\(name)=\($0)" } }
        .joined(separator: " ")
    }
  }

  static let all = registers + deletions + counters + decimals + lists + collections + containers
}

extension MergeVector {
  private static let registers = [
    cells("T01", "x=1") {
      $0.create(.a, 1, [:]); $0.set(.a, 10, "x", .int(1)); $0.set(.b, 9, "x", .int(2))
    },
    cells("T02", "x=2") {
      $0.create(.a, 1, [:]); $0.set(.a, 10, "x", .int(1)); $0.set(.b, 10, "x", .int(2))
    },
    cells("T03", "x=1") {
      $0.create(.a, 5, ["x": 1]); $0.create(.b, 9, [:], default: ["x": 7])
    },
    cells("T04", "x=7") {
      $0.create(.a, 5, [:], default: ["x": 3]); $0.create(.b, 9, [:], default: ["x": 7])
    },
    cells("T05", "x=1 q=1 c=9") {
      $0.create(.a, 5, ["x": 1, "q": 1]); $0.create(.b, 4, ["x": 2, "c": 9])
    },
  ]

  private static let deletions = [
    cells("T06", "dead") {
      $0.create(.a, 1, ["x": 1]); $0.apply(.a, 15, .delete); $0.set(.b, 20, "x", .int(2))
    },
    cells("T07", "q=2") {
      $0.create(.a, 1, ["x": 1, "q": 1]); $0.apply(.a, 15, .delete); $0.create(.b, 20, ["q": 2])
    },
    cells("T08", "q=2") {
      $0.create(.a, 1, ["x": 1, "q": 1]); $0.create(.b, 20, ["q": 2]); $0.apply(.a, 15, .delete)
    },
    cells("T09", "x=5") {
      $0.create(.a, 10, ["x": 1]); $0.create(.b, 20, [:], default: ["x": 5]); $0.apply(.a, 15, .delete)
    },
    cells("T10", "dead") {
      $0.create(.a, 1, [:]); $0.apply(.a, 15, .delete); $0.apply(.b, 25, .delete); $0.create(.a, 20, [:])
    },
  ]

  private static let counters = [
    cells("T11", "c=12") {
      $0.create(.a, 1, ["c": 5]); $0.add(.a, 10, 3); $0.add(.b, 12, 4)
    },
    cells("T12", "c=104") {
      $0.create(.a, 1, ["c": 5]); $0.add(.a, 10, 3); $0.add(.b, 14, 4); $0.set(.a, 12, "c", .int(100))
    },
    cells("T13", "c=10") {
      $0.create(.a, 1, [:], default: ["c": 7]); $0.add(.b, 12, 3); $0.create(.c, 20, [:], default: ["c": 7])
    },
    cells("T14", "c=7") {
      $0.create(.a, 1, ["c": 5]); $0.add(.a, 10, 3); $0.apply(.a, 11, .delete);
      $0.create(.a, 12, [:], default: ["c": 7])
    },
    // Two devices create the object and count up, each in one transaction.
    cells("T71", "c=12") {
      $0.create(.a, 10, ["c": 0]); $0.add(.a, 11, 5); $0.create(.b, 20, ["c": 0]); $0.add(.b, 21, 7)
    },
    cells("T72", "c=12") {
      $0.create(.b, 20, ["c": 0]); $0.add(.b, 21, 7); $0.create(.a, 10, ["c": 0]); $0.add(.a, 11, 5)
    },
    cells("T73", "c=32") {
      $0.create(.a, 10, ["c": 10]); $0.add(.a, 11, 5); $0.create(.b, 20, ["c": 20]); $0.add(.b, 21, 7)
    },
    // An assignment between the two voids what is older than it, whenever it arrives.
    cells("T74", "c=7") {
      $0.create(.a, 10, ["c": 0]); $0.add(.a, 11, 5); $0.create(.b, 20, ["c": 0]); $0.add(.b, 21, 7)
      $0.set(.a, 15, "c", .int(100))
    },
    cells("T75", "c=7") {
      $0.create(.b, 20, ["c": 0]); $0.add(.b, 21, 7); $0.set(.a, 15, "c", .int(100)); $0.create(.a, 10, ["c": 0])
      $0.add(.a, 11, 5)
    },
    // No value counts as zero.
    cells("T77", "c=12") {
      $0.create(.a, 10, [:]); $0.set(.a, 11, "c", .null); $0.add(.a, 12, 5); $0.add(.b, 13, 7)
    },
    cells("T76", "c=7") {
      $0.create(.a, 10, ["c": 0]); $0.add(.a, 11, 5); $0.apply(.c, 15, .delete); $0.create(.b, 20, ["c": 0])
      $0.add(.b, 21, 7)
    },
  ]
}
