import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

/// Text that is looked for in whole leaves, against one text at a time.
@Suite("Text kernels")
struct TextKernelTests {
  /// Objects of which some have no text, or were deleted, and whose texts are ASCII in some clusters only.
  private func makeStore(
    _ directory: TemporaryDirectory, clusterSize: Int, hasLarge: Bool, _ random: inout SeededRandom
  ) throws -> (Store, ClassID) {
    var options = StoreOptions()
    options.clusterSize = clusterSize
    options.durability = .none
    let store = try Store.open(path: directory.file("texts.larder"), options: options)
    let writer = try store.beginWrite()
    let columns = [
      ColumnDeclaration(name: "name", type: .string), ColumnDeclaration(name: "nick", type: .string, isOptional: true),
      ColumnDeclaration(name: "blob", type: .data),
    ]
    try writer.apply([ClassDeclaration(name: "Item", columns: columns)], schemaVersion: 1)
    let item = try #require(writer.schema["Item"])
    for number in 0..<3 * clusterSize + 7 {
      let key = try writer.create(item.id)
      let isASCII = number / clusterSize % 2 == 0
      for column in item.columns where !random.oneIn(8) {
        var text = String((0..<random.int(0...9)).map { _ in random.pick(Array(isASCII ? "aAbBc" : "aAbBcé")) })
        if hasLarge, random.oneIn(100) { text += String(repeating: "abc", count: 500) }
        try writer.set(item.id, column.id, key, column.type == .data ? .data(Data(text.utf8)) : .string(text))
      }
      if random.oneIn(5) { try writer.delete(item.id, key) }
    }
    try writer.commit()
    return (store, item.id)
  }

  @Test("Q-133, Q-136 texts of leaves are found as one by one", arguments: [64, 496, 992], [false, true])
  func agree(clusterSize: Int, hasLarge: Bool) throws {
    var random = SeededRandom.forTest()
    let directory = try TemporaryDirectory()
    let (store, classID) = try makeStore(directory, clusterSize: clusterSize, hasLarge: hasLarge, &random)
    let snapshot = try store.snapshot()
    let parts = ["a", "A", "b", "ab", "Ba", "é", "abc", "*", "*", "?"]
    var found = 0
    for _ in 0..<80 {
      let column = random.pick(["name", "nick", "blob"])
      let isLike = random.oneIn(2)
      let options = column == "blob" ? "" : random.pick(isLike ? ["", "[c]"] : ["", "", "[c]", "[d]", "[cd]"])
      let wanted = (0..<random.int(1...4)).map { _ in random.pick(parts) }.joined()
      let text = isLike ? "*" + wanted + "*" : wanted
      let value: StoredValue = column == "blob" ? .data(Data(text.utf8)) : .string(text)
      // Alone, for few candidates, and for many.
      let condition = "\(column) \(isLike ? "LIKE" : "CONTAINS")\(options) %@"
      for predicate in [condition, "name == 'a' AND \(condition)", "NOT \(condition)"] {
        let query = try ResultsQuery(classID).filtered(predicate, [.value(value)], schema: snapshot.schema)
        let expected = try query.keys(in: snapshot, mode: .rowByRow)
        #expect(try query.keys(in: snapshot) == expected, "\(predicate) \(text)")
        found += expected.count
      }
    }
    #expect(found > 0)
  }

  @Test("Q-133 what is found only across the border of two texts is in neither")
  func borders() throws {
    let directory = try TemporaryDirectory()
    let store = try Store.open(path: directory.file("texts.larder"))
    let writer = try store.beginWrite()
    let declaration = ClassDeclaration(name: "Item", columns: [ColumnDeclaration(name: "name", type: .string)])
    try writer.apply([declaration], schemaVersion: 1)
    let item = try #require(writer.schema["Item"])
    let texts = ["xa", "bc", "", "abc", "ab", "", "c", "zzabc", "abcabc", "ab"]
    let keys = try texts.map { text in
      let key = try writer.create(item.id)
      try writer.set(item.id, item.columns[0].id, key, .string(text))
      return key
    }
    try writer.commit()
    let snapshot = try store.snapshot()
    for condition in ["name CONTAINS 'abc'", "name LIKE '*abc*'", "name CONTAINS[c] 'ABC'"] {
      let query = try ResultsQuery(item.id).filtered(condition, schema: snapshot.schema)
      #expect(try query.keys(in: snapshot) == [keys[3], keys[7], keys[8]], "\(condition)")
    }
  }
}
