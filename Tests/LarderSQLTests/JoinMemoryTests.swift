import LarderStorage
import TestSupport
import Testing

@testable import LarderSQL

@Suite("What joins of SQL remember")
struct JoinMemoryTests {
  /// Joins that a table of values serves, one that asks the store for each, and one whose other condition changes.
  static let statements = [
    "SELECT i.id, j.id FROM Item i JOIN Item j ON j.name = i.name AND j.count = i.count ORDER BY 1, 2",
    "SELECT i.id, j.id FROM Item i LEFT JOIN Item j ON j.day = i.day AND j.sold = 1 ORDER BY 1, 2",
    "SELECT i.id, (SELECT count(*) FROM Item j WHERE j.count > i.count) FROM Item i ORDER BY 1",
    "SELECT i.id, (SELECT count(*) FROM Item j WHERE j.name = i.name AND j.count > i.count) FROM Item i ORDER BY 1",
    "SELECT i.id, (SELECT sum(j.id) FROM Item j WHERE j.price = i.count AND j.weight = i.weight) FROM Item i ORDER BY 1",
  ]

  @Test("Answers are the same with nothing remembered, and when what may be is full", arguments: statements)
  func bounds(_ statement: String) throws {
    var random = SeededRandom.forTest()
    let shop = try ShopStore()
    try shop.fill(&random)
    let database = try SQLDatabase(try shop.temporary.snapshot)
    let expected = try shop.oracle(database).rows(statement)
    let full = SQLMemory()
    for memory in [
      full, SQLMemory(foundKeys: 0, foundKeysOfScan: 0, joinTableBytes: 0),
      SQLMemory(foundKeys: 60, foundKeysOfScan: 20, joinTableBytes: 4_000),
      SQLMemory(foundKeys: full.foundKeys, foundKeysOfScan: full.foundKeysOfScan, joinTableBytes: 0),
    ] {
      database.memory = memory
      #expect(try database.prepare(statement).rows() == expected, "\(memory)")
    }
  }

  @Test("No more is kept than the bound allows, and that is given back")
  func foundKeys() {
    var found = FoundKeys(SQLMemory(foundKeys: 30, foundKeysOfScan: 3, joinTableBytes: 0))
    let keys = (0..<4).map { ObjectKey(rawValue: $0) }
    found.keep(keys, [.integer(4)])
    for number in 0..<4 { found.keep(Array(keys.prefix(2)), [.integer(Int64(number))]) }
    #expect(found.keys([.integer(0)]) == Array(keys.prefix(2)) && found.keys([.integer(2)]) != nil)
    #expect(found.keys([.integer(3)]) == nil && found.keys([.integer(4)]) == nil)
  }

  @Test("A table of values has all objects with each, in their order, or is not made")
  func table() throws {
    var random = SeededRandom.forTest()
    let shop = try ShopStore()
    try shop.fill(&random)
    let reader = try shop.temporary.snapshot
    let item = try #require(reader.schema["Item"])
    let sources = RowSources(reader)
    let count = SQLColumn.Step(classID: item.id, column: try #require(item.column(named: "count")))
    let name = SQLColumn.Step(classID: item.id, column: try #require(item.column(named: "name")))
    let keys = try sources.presence(item.id).keys(in: 0...UInt64.max)
    let columns = [try sources.cell(name), try sources.cell(count)]
    #expect(try JoinTable(keys, columns, limit: keys.count * 16 + 100) == nil)
    let table = try #require(try JoinTable(keys, columns, limit: 1 << 20))
    for text in ["a", "A", "ab", "é", "", "none"] {
      for number in Int64(-6)...6 {
        var key = JoinKey()
        var text = text
        text.withUTF8 { key.append(UnsafeRawBufferPointer($0)) }
        key.append(number)
        let expected = try keys.filter {
          try reader.value(item.id, name.column.id, $0) == .string(text)
            && reader.value(item.id, count.column.id, $0) == .int(number)
        }
        #expect(Array(table.objects(key)) == expected)
      }
    }
  }
}
