import Foundation
import LarderLMDB
import TestSupport
import Testing

@Suite("Cursor")
struct CursorTests {
  let directory: TemporaryDirectory
  let environment: Environment
  let table: Table

  init() throws {
    directory = try TemporaryDirectory()
    environment = try openEnvironment(directory)
    table = environment.table("a")
    try environment.store(stride(from: 10, through: 100, by: 10))
  }

  private func keys(_ cursor: any CursorReading, _ step: (any CursorReading) throws -> Entry?) throws -> [UInt64] {
    var result: [UInt64] = []
    while let entry = try step(cursor) { result.append(entry.key.loadBigEndian(0)) }
    return result
  }

  @Test("moves to and from every place, in both kinds of transaction")
  func moves() throws {
    try checkMoves(try environment.beginRead().cursor(table))
    try environment.write { try checkMoves($0.cursor(table)) }
  }

  private func checkMoves(_ cursor: any CursorReading) throws {
    func key(_ entry: Entry?) -> UInt64? { entry?.key.loadBigEndian(0) }
    #expect(try cursor.current() == nil)
    #expect(try keys(cursor) { try $0.next() } == Array(stride(from: 10, through: 100, by: 10)))
    #expect(try key(cursor.first()) == 10)
    #expect(try cursor.previous() == nil)
    #expect(try key(cursor.last()) == 100)
    #expect(try cursor.next() == nil)
    #expect(try key(cursor.seek(KeyBytes(UInt64(15)))) == 20)
    #expect(try key(cursor.current()) == 20)
    #expect(try key(cursor.previous()) == 10)
    #expect(try key(cursor.find(KeyBytes(UInt64(30)))) == 30)
    #expect(try cursor.find(KeyBytes(UInt64(35))) == nil)
    #expect(try cursor.seek(KeyBytes(UInt64(101))) == nil)
  }

  @Test("deleting leaves the cursor on the next entry, and going on does not skip it")
  func deleting() throws {
    try environment.write { transaction in
      let cursor = try transaction.cursor(table)
      _ = try cursor.find(KeyBytes(UInt64(30)))
      try cursor.delete()
      #expect(try cursor.next()?.key.loadBigEndian(0, as: UInt64.self) == 40)
      try cursor.delete()
      try cursor.delete()
      #expect(try cursor.current()?.key.loadBigEndian(0, as: UInt64.self) == 60)
    }
    #expect(try environment.beginRead().count == 7)
  }

  @Test("a cursor keeps its snapshot; one of an ended write transaction is refused, not used")
  func lifetimes() throws {
    var read: ReadTransaction? = try environment.beginRead()
    let cursor = try #require(try read?.cursor(table))
    read = nil
    try environment.write { try $0.clear(table) }
    #expect(try keys(cursor) { try $0.next() }.count == 10)
    let write = try environment.beginWrite()
    let gone = try write.cursor(table)
    try write.commit()
    #expect(code { _ = try gone.first() } == .badTransaction)
  }

  @Test("an empty table")
  func empty() throws {
    let cursor = try environment.beginRead().cursor(environment.table("b"))
    #expect(try cursor.first() == nil)
    #expect(try cursor.last() == nil)
    #expect(try cursor.next() == nil)
    #expect(try cursor.seek(KeyBytes(UInt64(0))) == nil)
  }
}
