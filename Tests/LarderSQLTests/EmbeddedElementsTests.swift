import LarderStorage
import TestSupport
import Testing

@testable import LarderSQL

@Suite("Collections of embedded objects in SQL")
struct EmbeddedElementsTests {
  @Test("Each table has what the objects have, found by walking them")
  func walk() throws {
    var random = SeededRandom.forTest()
    let shop = try ShopStore()
    try shop.fill(&random)
    let reader = try shop.temporary.snapshot
    let sources = RowSources(reader)
    func find(_ owner: String, _ name: String) throws -> (ClassID, ColumnID) {
      let entry = try #require(reader.schema[owner])
      return (entry.id, try #require(entry.column(named: name)).id)
    }
    let ((item, box), (_, parts)) = (try find("Item", "box"), try find("Item", "parts"))
    let ((boxClass, notes), (part, marks)) = (try find("Box", "notes"), try find("Part", "marks"))
    var (boxNotes, partMarks, partNotes): ([[SQLValue]], [[SQLValue]], [[SQLValue]]) = ([], [], [])
    for number in 0..<UInt64(200) {
      let key = ObjectKey(rawValue: number)
      guard try reader.contains(item, key) else { continue }
      let owner = SQLValue.integer(Int64(number))
      func addNotes(_ box: StoredValue, _ start: [SQLValue], to rows: inout [[SQLValue]]) throws {
        guard case .link(let box) = box else { return }
        let set = try reader.list(boxClass, notes, box)
        for position in 0..<set.count { rows.append(start + [try sources.value(try set.value(at: position))]) }
      }
      try addNotes(try reader.value(item, box, key), [owner], to: &boxNotes)
      let list = try reader.list(item, parts, key)
      for position in 0..<list.count {
        guard case .link(let partKey) = try list.value(at: position) else { continue }
        let start = [owner, SQLValue.integer(Int64(position))]
        let map = try reader.map(part, marks, partKey)
        for entry in 0..<map.count {
          partMarks.append(
            start + [.text(try map.key(at: entry)), try sources.value(try map.value(at: entry))])
        }
        try addNotes(try reader.value(part, try find("Part", "box").1, partKey), start, to: &partNotes)
      }
    }
    let database = try SQLDatabase(reader)
    #expect(try database.prepare("SELECT * FROM Item_box_notes").rows() == boxNotes)
    #expect(try database.prepare("SELECT * FROM Item_parts_marks").rows() == partMarks)
    #expect(try database.prepare("SELECT * FROM Item_parts_box_notes").rows() == partNotes)
    #expect(!boxNotes.isEmpty && !partMarks.isEmpty && !partNotes.isEmpty)
    #expect(
      try database.prepare("SELECT * FROM Item_parts_marks WHERE owner = 7").rows()
        == partMarks.filter { $0[0] == .integer(7) })
  }

  @Test("A date is written as before whatever its neighbours are")
  func dates() {
    var buffer = DateBuffer()
    defer { buffer.deallocate() }
    var random = SeededRandom.forTest()
    for _ in 0..<2_000 {
      let day = Int64(random.int(-3...3)) * 86_400
      let date = Timestamp(
        seconds: random.oneIn(9)
          ? Int64(random.int(-70_000_000_000...300_000_000_000)) : day + Int64(random.int(0...86_399)),
        nanoseconds: random.pick([0, 0, 1, 500_000_000, 123_456_000, 999_999_999]))
      let found = buffer.text(date).map { String(decoding: $0, as: UTF8.self) }
      #expect(found == nil || found == SQLDate.text(date))
      #expect(found != nil || !(-62_167_219_200..<253_402_300_800).contains(date.seconds))
    }
  }
}
