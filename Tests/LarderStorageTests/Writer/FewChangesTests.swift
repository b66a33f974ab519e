import Foundation
import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

/// Transactions that change few texts of a cluster, which is not decoded for that.
@Suite struct FewChangesTests {
  private let fixture: TemporaryStore
  private let note: ClassDescriptor
  private var text: ColumnID { column("text") }
  private var data: ColumnID { column("data") }

  init() throws {
    fixture = try TemporaryStore(clusterSize: 64)
    let declaration = ClassDeclaration(
      name: "Note",
      columns: [
        ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
        ColumnDeclaration(name: "text", type: .string, isIndexed: true),
        ColumnDeclaration(name: "data", type: .data, isOptional: true),
      ])
    try fixture.write { try $0.apply([declaration], schemaVersion: 0) }
    let note = try #require(try fixture.snapshot.schema["Note"])
    self.note = note
    try fixture.write { writer in
      for number in 0..<Int64(200) {
        let key = try writer.create(note.id, primaryKey: number)
        try writer.set(note.id, try #require(note.column(named: "text")).id, key, .string("text \(number)"))
        if number % 3 > 0 {
          try writer.set(note.id, try #require(note.column(named: "data")).id, key, .data(Data("data \(number)".utf8)))
        }
      }
    }
  }

  private func column(_ name: String) -> ColumnID { note.column(named: name)?.id ?? .presence }

  /// All values, by a reader of the newest version.
  private func contents() throws -> [[StoredValue]] {
    let snapshot = try fixture.snapshot
    return try (0..<200).map { number in
      let key = ObjectKey(rawValue: UInt64(number))
      return try [text, data].map { try snapshot.value(note.id, $0, key) }
    }
  }

  private func checked(_ body: (StoreWriter, inout [[StoredValue]]) throws -> Void) throws {
    var expected = try contents()
    try fixture.write { try body($0, &expected) }
    #expect(try contents() == expected)
    #expect(try StoreVerifier.verify(fixture.snapshot).isEmpty)
  }

  private func set(
    _ writer: StoreWriter, _ expected: inout [[StoredValue]], _ number: Int, _ column: ColumnID, _ value: StoredValue
  ) throws {
    try writer.set(note.id, column, ObjectKey(rawValue: UInt64(number)), value)
    expected[number][column == text ? 0 : 1] = value
    #expect(try writer.value(note.id, column, ObjectKey(rawValue: UInt64(number))) == value)
  }

  @Test("random transactions of few changes leave what they set and all else", arguments: 0..<6)
  func randomChanges(_ seed: Int) throws {
    var random = LeafRandom(seed: UInt64(seed))
    for _ in 0..<40 {
      try checked { writer, expected in
        for _ in 0...random.next() % (random.next() % 8 == 0 ? 120 : 6) {
          let number = Int(random.next() % 200)
          let length = random.next() % 9 == 0 ? 1_500 : Int(random.next() % 60)
          switch random.next() % 3 {
          case 0: try set(writer, &expected, number, data, .null)
          case 1: try set(writer, &expected, number, data, .data(Data(repeating: 7, count: length)))
          default: try set(writer, &expected, number, text, .string(String(repeating: "y", count: length)))
          }
        }
      }
    }
  }

  @Test("a column of which few values changed is decoded when more do, and not before")
  func decoding() throws {
    try checked { writer, expected in
      try set(writer, &expected, 70, text, .string("one"))
      try set(writer, &expected, 70, text, .string("another"))
      let owner = try writer.classWriter(note.id)
      let cluster = try writer.cluster(owner, 1)
      #expect(try !writer.column(owner, text, cluster).isDecoded)
      #expect(try writer.value(note.id, text, ObjectKey(rawValue: 71)) == .string("text 71"))
      #expect(try !writer.column(owner, text, cluster).isDecoded)
      for number in 71..<86 { try set(writer, &expected, number, text, .string("changed \(number)")) }
      #expect(try !writer.column(owner, text, cluster).isDecoded)
      try set(writer, &expected, 86, text, .string("one more"))
      #expect(try writer.column(owner, text, cluster).isDecoded)
    }
  }

  @Test("what a cancelled part of a transaction changed is as it was")
  func savepoint() throws {
    struct Cancelled: Error {}
    try checked { writer, expected in
      try set(writer, &expected, 3, text, .string("kept"))
      var dropped = expected
      #expect(throws: Cancelled.self) {
        try writer.savepoint {
          try set(writer, &dropped, 4, text, .string("dropped"))
          throw Cancelled()
        }
      }
      try set(writer, &expected, 5, text, .string("after"))
    }
  }

  @Test("indexes follow, within the transaction and after it")
  func index() throws {
    try checked { writer, expected in
      try set(writer, &expected, 9, text, .string("renamed"))
      let index = try #require(try writer.index(note.id, text))
      #expect(try index.firstKey(equalTo: .string("renamed"))?.rawValue == 9)
      #expect(try index.firstKey(equalTo: .string("text 9")) == nil)
      try set(writer, &expected, 10, text, .string("renamed too"))
    }
    let index = try #require(try fixture.snapshot.index(note.id, text))
    #expect(try index.firstKey(equalTo: .string("renamed too"))?.rawValue == 10)
  }

  @Test("the text of an object that is deleted in the same transaction does not stay")
  func deletion() throws {
    try fixture.write { writer in
      try writer.set(note.id, text, ObjectKey(rawValue: 20), .string("never to be seen"))
      try writer.delete(note.id, ObjectKey(rawValue: 20))
    }
    let leaf = try #require(try fixture.snapshot.leaf(note.id, text, cluster: 0))
    #expect(!String(decoding: leaf.bytes.buffer, as: UTF8.self).contains("never to be seen"))
    #expect(try StoreVerifier.verify(fixture.snapshot).isEmpty)
  }
}
