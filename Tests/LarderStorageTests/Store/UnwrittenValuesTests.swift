import TestSupport
import Testing

@testable import LarderStorage

/// Tests what an object reads in a property that was never written.
@Suite struct UnwrittenValuesTests {
  private static let types: [ColumnType] = [
    .bool, .int, .float, .double, .string, .data, .date, .uuid, .objectId, .decimal128,
  ]

  @Test("M-47 a required property that was never written is its type's zero, in a leaf with values as in none")
  func zeros() throws {
    let fixture = try TemporaryStore(clusterSize: 8)
    let columns = Self.types.map { ColumnDeclaration(name: "\($0)", type: $0) }
    try fixture.write { try $0.apply([ClassDeclaration(name: "Thing", columns: columns)], schemaVersion: 0) }
    let entry = try #require(try fixture.snapshot.schema["Thing"])
    // Eleven objects: a cluster that is full and one with a tail. Only the last of each is written.
    let keys = try fixture.write { writer in try (0..<11).map { _ in try writer.create(entry.id) } }
    for written in [false, true] {
      if written {
        try fixture.write { writer in
          for key in [keys[7], keys[10]] {
            try writer.set(entry.id, entry.columns[9].id, key, .decimal128(Decimal128Bits(high: 1, low: 2)))
            try writer.set(entry.id, entry.columns[1].id, key, .int(1 << 40))
            try writer.set(entry.id, entry.columns[3].id, key, .double(-1))
            try writer.set(entry.id, entry.columns[6].id, key, .date(Timestamp(seconds: -5, nanoseconds: 5)))
          }
          try check(writer, entry, keys)
        }
      }
      try check(fixture.snapshot, entry, keys)
      #expect(try StoreVerifier.verify(fixture.snapshot).isEmpty)
    }
    #expect(DecimalNumber(.zero).description == "0")
  }

  private func check(_ reader: some StoreReader, _ entry: ClassDescriptor, _ keys: [ObjectKey]) throws {
    for key in keys where key != keys[7] && key != keys[10] {
      for column in entry.columns {
        let value = try reader.value(entry.id, column.id, key)
        #expect(value == .zero(column.type), "\(column.name) of object \(key.rawValue) is \(value)")
      }
    }
  }
}
