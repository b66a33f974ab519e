@testable import LarderSyncProtocol

extension MergeVector {
  static let lists = [
    list("T15", "abcpqxy") {
      $0.insert(.a, 10, "c", "-", "pq"); $0.insert(.b, 11, "c", "-", "xy")
    },
    list("T16", "abcpqxy") {
      $0.insert(.b, 11, "c", "-", "xy"); $0.insert(.a, 10, "c", "-", "pq")
    },
    list("T17", "qpyxabc") {
      $0.insert(.a, 10, "-", "a", "p"); $0.insert(.a, 12, "-", "p", "q")
      $0.insert(.b, 11, "-", "a", "x"); $0.insert(.b, 13, "-", "x", "y")
    },
    list("T18", "apqxbc") {
      $0.insert(.a, 10, "a", "b", "p"); $0.insert(.b, 11, "a", "b", "x"); $0.insert(.a, 12, "p", "b", "q")
    },
    list("T19", "axc") {
      $0.remove(.a, 10, "b"); $0.insert(.b, 9, "b", "c", "x")
    },
    list("T20", "ac") {
      $0.remove(.a, 10, "b"); $0.move(.b, 12, "b", "-", "a")
    },
    list("T21", "bac") {
      $0.move(.a, 10, "a", "c", "-"); $0.move(.b, 11, "a", "b", "c")
    },
    list("T22", "bacz") {
      $0.move(.b, 11, "a", "b", "c"); $0.move(.a, 10, "a", "c", "-", as: "m1"); $0.insert(.a, 12, "m1", "-", "z")
    },
    list("T23", "x") {
      $0.remove(.a, 10, "abc"); $0.insert(.b, 11, "c", "-", "x")
    },
    list("T24", "px") {
      $0.remove(.a, 10, "abc"); $0.insert(.a, 10, "-", "-", "p"); $0.remove(.b, 11, "abc");
      $0.insert(.b, 11, "-", "-", "x")
    },
    list("T25", "aXc") {
      $0.setElement(.a, 10, "b", "B"); $0.setElement(.b, 11, "b", "X")
    },
    list("T26", "bXc") {
      $0.move(.a, 10, "a", "b", "c"); $0.setElement(.b, 9, "a", "X")
    },
    list("T27", "pabc") { $0.insert(.a, 10, "-", "?", "p") },
    list("T28", "apbc") { $0.insert(.a, 10, "?", "b", "p") },
    list("T29", "cba") {
      $0.move(.a, 10, "a", "c", "-"); $0.move(.a, 11, "c", "-", "b")
    },
  ]

  private static let set = SyncCollectionPath(SyncPath("set"))
  private static let map = SyncCollectionPath(SyncPath("map"))

  /// A vector over a set or a map, whose content is listed in order.
  private static func content(
    _ id: String, _ expected: String, _ property: SyncText, _ run: @escaping @Sendable (inout VectorObject) -> Void
  ) -> MergeVector {
    MergeVector(id, expected) { object in
      object.create(.a, 1, [:])
      run(&object)
      switch object.state.value(of: property) {
      case .set(let set): return set.values.map { "\($0)" }.joined(separator: " ")
      case .map(let map): return map.entries.map { "\($0.key):\($0.value)" }.joined(separator: " ")
      default: return ""
      }
    }
  }

  static let collections = [
    content("T30", "", "set") {
      $0.apply(.a, 5, .setInsert(set, .int(1))); $0.apply(.b, 7, .setRemove(set, .int(1)))
      $0.apply(.c, 6, .setInsert(set, .int(1)))
    },
    // Two devices insert the same value, and it is there once.
    content("T78", "int(1) int(2)", "set") {
      $0.apply(.a, 5, .setInsert(set, .int(1))); $0.apply(.b, 7, .setInsert(set, .int(1)))
      $0.apply(.b, 8, .setInsert(set, .int(2)))
    },
    content("T31", "int(3)", "set") {
      $0.apply(.a, 5, .setInsert(set, .int(1))); $0.apply(.a, 10, .setClear(set))
      $0.apply(.b, 9, .setInsert(set, .int(2))); $0.apply(.c, 11, .setInsert(set, .int(3)))
    },
    content("T32", "", "map") {
      $0.apply(.a, 5, .mapPut(map, "u", .int(1))); $0.apply(.b, 7, .mapRemove(map, "u"))
      $0.apply(.a, 6, .mapPut(map, "u", .int(2)))
    },
    content("T33", "u:int(2)", "map") {
      $0.apply(.a, 5, .mapPut(map, "u", .int(1))); $0.apply(.a, 10, .mapClear(map))
      $0.apply(.b, 11, .mapPut(map, "u", .int(2))); $0.apply(.b, 9, .mapPut(map, "v", .int(3)))
    },
  ]
}
