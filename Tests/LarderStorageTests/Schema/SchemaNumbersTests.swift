import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

/// Classes and properties get numbers as long as there are any that a store may have.
@Suite struct SchemaNumbersTests {
  private func declaration(_ columns: Range<Int>) -> ClassDeclaration {
    ClassDeclaration(name: "Wide", columns: columns.map { ColumnDeclaration(name: "p\($0)", type: .int) })
  }

  private func refused(_ body: () throws -> Void, _ word: String, location: SourceLocation = #_sourceLocation) {
    let error = #expect(throws: StorageError.self, sourceLocation: location, performing: body)
    #expect(error?.code == .invalidSchema && error?.message.contains(word) == true, sourceLocation: location)
    #expect(error?.message.contains("65278") == true, "\(error?.message ?? "")", sourceLocation: location)
  }

  @Test("F-43: a class with as many properties as there can be is stored, opened again, and gets no more")
  func asManyAsThereAre() async throws {
    try await LongTest.run {
      let directory = try TemporaryDirectory("wide")
      let path = directory.file("s.larder")
      var options = StoreOptions()
      options.mapSize = 1 << 32
      options.durability = .none
      let limit = SchemaNumbers.countLimit
      func write(_ count: Int) throws {
        let writer = try Store.open(path: path, options: options).beginWrite()
        defer { writer.cancel() }
        try writer.apply([declaration(0..<count)], schemaVersion: UInt64(count))
        try writer.commit()
      }
      try write(limit)
      refused({ try write(limit + 1) }, "'Wide.p65278'")
      let snapshot = try Store.open(path: path, options: options).snapshot()
      let wide = try #require(snapshot.schema["Wide"])
      #expect(wide.columns.count == limit && wide.column(named: "p65277")?.id.rawValue == 0xFEFE)
      #expect(try StoreVerifier.verify(snapshot).isEmpty)
    }
  }

  /// A schema whose classes and properties have used up all numbers but `left`.
  private func record(left: UInt16) -> SchemaRecord {
    var record = SchemaRecord()
    record.nextClassID = 0xFEFF - left
    record.nextColumnID[ClassID(rawValue: 1)] = 0xFEFF - left
    record.classes = [
      ClassDescriptor(
        id: ClassID(rawValue: 1), name: "Wide",
        columns: [
          ColumnDescriptor(
            id: ColumnID(rawValue: 1), name: "p0", type: .int, collection: .none, isOptional: false, target: nil,
            isPrimaryKey: false, isIndexed: false, isFullText: false)
        ])
    ]
    return record
  }

  private func final(_ record: SchemaRecord, _ declarations: [ClassDeclaration]) throws -> SchemaRecord {
    let bytes = try SchemaPlan(record, declarations, schemaVersion: 1, version: 1).final.encode()
    return try bytes.withUnsafeBytes { buffer in
      try SchemaRecord(ByteView(base: try #require(buffer.baseAddress), count: buffer.count), isTrusted: false)
    }
  }

  @Test("F-43: numbers of deleted properties and classes are used up, and what a migration commits can be read")
  func usedUp() throws {
    #expect(try final(record(left: 1), [declaration(0..<2)]).classes[0].columns.last?.id.rawValue == 0xFEFE)
    refused({ _ = try final(record(left: 1), [declaration(0..<3)]) }, "'Wide.p2'")
    let others = (0..<2).map { ClassDeclaration(name: "C\($0)", columns: []) }
    #expect(try final(record(left: 1), [others[0]]).classes.last?.id.rawValue == 0xFEFE)
    refused({ _ = try final(record(left: 1), others) }, "'C1'")
  }

  @Test("Columns of a wide class are found by name and number, also after one has changed") func lookup() {
    func column(_ number: Int, _ name: String) -> ColumnDescriptor {
      ColumnDescriptor(
        id: ColumnID(rawValue: UInt16(number + 1)), name: name, type: .int, collection: .none, isOptional: false,
        target: nil, isPrimaryKey: false, isIndexed: false, isFullText: false)
    }
    var wide = ClassDescriptor(
      id: ClassID(rawValue: 1), name: "Wide", columns: (0..<100).map { column($0, "p\($0)") })
    let before = wide
    #expect(wide.column(named: "p70")?.id.rawValue == 71 && wide.column(ColumnID(rawValue: 71))?.name == "p70")
    wide.columns[70].name = "q"
    #expect(wide.column(named: "q")?.id.rawValue == 71 && wide.column(named: "p70") == nil)
    #expect(before.column(named: "q") == nil && before.column(named: "p70") != nil && wide != before)
    wide.columns[70].name = "p70"
    #expect(wide == before && wide.hashValue == before.hashValue)
    wide.columns.removeAll { $0.id.rawValue > 10 }
    #expect(wide.column(named: "p70") == nil && wide.column(named: "p9") != nil)
  }
}
