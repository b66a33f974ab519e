import Foundation
import TestSupport
import Testing

@testable import LarderStorage

/// Rows that are filled in bulk are those that are made one by one, in the store and in the log.
@Suite struct RowWriterTests {
  private static let columns = [
    ColumnDeclaration(name: "number", type: .int, isIndexed: true),
    ColumnDeclaration(name: "text", type: .string, isOptional: true),
    ColumnDeclaration(name: "date", type: .date), ColumnDeclaration(name: "share", type: .double),
    ColumnDeclaration(name: "unset", type: .decimal128),
  ]

  private struct Row {
    var number: Int64
    var text: String?
    var date: Timestamp
    var share: Double
  }

  private func bulk(_ row: Row, _ entry: ClassDescriptor, _ rows: RowWriter, _ writer: StoreWriter) throws {
    let ids = entry.columns.map(\.id)
    let key = try rows.create()
    if !rows.setInt(ids[0], key, row.number) { try writer.set(entry.id, ids[0], key, .int(row.number)) }
    let isSet = row.text.map { rows.setString(ids[1], key, $0) } ?? rows.setNull(ids[1], key)
    if !isSet { try writer.set(entry.id, ids[1], key, row.text.map { .string($0) } ?? .null) }
    if !rows.setDate(ids[2], key, row.date) { try writer.set(entry.id, ids[2], key, .date(row.date)) }
    if !rows.setDouble(ids[3], key, row.share) { try writer.set(entry.id, ids[3], key, .double(row.share)) }
  }

  private func single(_ row: Row, _ entry: ClassDescriptor, _ writer: StoreWriter) throws {
    let ids = entry.columns.map(\.id)
    let key = try writer.create(entry.id)
    try writer.set(entry.id, ids[0], key, .int(row.number))
    try writer.set(entry.id, ids[1], key, row.text.map { .string($0) } ?? .null)
    try writer.set(entry.id, ids[2], key, .date(row.date))
    try writer.set(entry.id, ids[3], key, .double(row.share))
  }

  @Test func rowsWithoutAPrimaryKey() throws {
    var random = SeededRandom.forTest()
    let stores = try [TemporaryStore(clusterSize: 8), TemporaryStore(clusterSize: 8)]
    for fixture in stores {
      try fixture.write { try $0.apply([ClassDeclaration(name: "T", columns: Self.columns)], schemaVersion: 0) }
    }
    for _ in 0..<6 {
      let rows = (0..<random.int(1...60)).map { number in
        Row(
          number: Int64(random.int(0...9)),
          text: random.oneIn(3) ? nil : String(repeating: "x", count: random.pick([0, 5, 2000])),
          date: Timestamp(seconds: Int64(number)), share: Double(number) / 3)
      }
      let flushes = random.oneIn(2)
      for (place, fixture) in stores.enumerated() {
        try fixture.write { writer in
          let entry = try #require(writer.schema["T"])
          let bulkRows = try writer.rowWriter(entry.id)
          for (number, row) in rows.enumerated() {
            if place == 0 { try bulk(row, entry, bulkRows, writer) } else { try single(row, entry, writer) }
            if flushes, number == rows.count / 2 { try writer.flush() }
          }
        }
      }
    }
    let (first, second) = (try stores[0].snapshot, try stores[1].snapshot)
    let entry = try #require(first.schema["T"])
    #expect(try first.version == second.version && first.count(of: entry.id) == second.count(of: entry.id))
    for version in 2...first.version {
      let records = try [first, second].map { try #require(try $0.store.log.record(version, in: $0.transaction)) }
      #expect(records[0][entry.id] == records[1][entry.id])
    }
    for key in 0..<UInt64(try first.count(of: entry.id)) {
      for column in entry.columns {
        let key = ObjectKey(rawValue: key)
        #expect(try first.value(entry.id, column.id, key) == second.value(entry.id, column.id, key))
      }
    }
    for snapshot in [first, second] { #expect(try StoreVerifier.verify(snapshot).isEmpty) }
  }
}
