import Foundation
import LarderLMDB
import TestSupport
import Testing

@Suite("Savepoint")
struct SavepointTests {
  struct Rollback: Error {}

  let directory: TemporaryDirectory
  let environment: Environment
  let table: Table

  init() throws {
    directory = try TemporaryDirectory()
    environment = try openEnvironment(directory)
    table = environment.table("a")
  }

  @Test("drops exactly its own changes when its body throws, keeps them when it returns")
  func rollback() throws {
    try environment.write { transaction in
      try transaction.put(table, KeyBytes(1), [1])
      #expect(throws: Rollback.self) {
        try transaction.savepoint {
          try transaction.put(table, KeyBytes(1), [2])
          try transaction.put(table, KeyBytes(2), [2])
          throw Rollback()
        }
      }
      #expect(try transaction.get(table, KeyBytes(1))?.bytes == [1])
      let result = try transaction.savepoint {
        try transaction.put(table, KeyBytes(3), [3])
        return 5
      }
      #expect(result == 5)
    }
    let transaction = try environment.beginRead()
    #expect(try transaction.fill(of: 1) == 1)
    #expect(try transaction.fill(of: 2) == nil)
    #expect(try transaction.fill(of: 3) == 3)
  }

  @Test("nests; an outer rollback takes inner savepoints with it")
  func nesting() throws {
    try environment.write { transaction in
      try? transaction.savepoint {
        try transaction.put(table, KeyBytes(1), [1])
        try transaction.savepoint { try transaction.put(table, KeyBytes(2), [2]) }
        #expect(try transaction.get(table, KeyBytes(2))?.bytes == [2])
        throw Rollback()
      }
      try transaction.savepoint {
        try? transaction.savepoint {
          try transaction.put(table, KeyBytes(3), [3])
          throw Rollback()
        }
        try transaction.put(table, KeyBytes(4), [4])
      }
    }
    let transaction = try environment.beginRead()
    #expect(try (1...4).map { try transaction.fill(of: UInt64($0)) } == [nil, nil, nil, 4])
  }

  @Test("neither commits inside of a savepoint, nor goes on after an abort inside")
  func endings() throws {
    let transaction = try environment.beginWrite()
    try transaction.savepoint {
      #expect(code { try transaction.commit() } == .badTransaction)
      try transaction.put(table, KeyBytes(1), [1])
    }
    #expect(code { try transaction.savepoint { transaction.abort() } } == .badTransaction)
    #expect(code { try transaction.put(table, KeyBytes(1), [1]) } == .badTransaction)
    #expect(try environment.beginRead().count == 0)
    try environment.store([1])
  }

  @Test("cursors belong to the level that made them")
  func cursors() throws {
    try environment.store(1...10)
    try environment.write { transaction in
      let outer = try transaction.cursor(table)
      #expect(try outer.first() != nil)
      var inner: WriteCursor?
      try transaction.savepoint {
        #expect(code { _ = try outer.next() } == .badTransaction)
        inner = try transaction.cursor(table)
        #expect(try inner?.last()?.key.loadBigEndian(0, as: UInt64.self) == 10)
      }
      #expect(code { _ = try inner?.first() } == .badTransaction)
      #expect(try outer.next()?.key.loadBigEndian(0, as: UInt64.self) == 2)
      inner = nil
    }
  }

  @Test("random nesting agrees with a dictionary")
  func model() throws {
    var random = SeededRandom.forTest()
    var model: [UInt64: UInt8] = [:]
    for _ in 0..<10 {
      try environment.write { try change($0, &model, &random, depth: 0) }
      let transaction = try environment.beginRead()
      #expect(try transaction.count == model.count)
      for (key, value) in model { #expect(try transaction.fill(of: key) == value) }
    }
    _ = try environment.checkPages()
  }

  private func change(
    _ transaction: WriteTransaction, _ model: inout [UInt64: UInt8], _ random: inout SeededRandom, depth: Int
  ) throws {
    for _ in 0..<12 {
      let key = UInt64(random.int(0..<60))
      switch random.int(0..<(depth < 3 ? 6 : 5)) {
      case 0, 1, 2:
        let value = UInt8(random.int(1...255))
        try transaction.put(table, KeyBytes(key), [UInt8](repeating: value, count: random.int(1...3000)))
        model[key] = value
      case 3, 4:
        #expect(try transaction.delete(table, KeyBytes(key)) == (model.removeValue(forKey: key) != nil))
      default:
        var copy = model
        let isKept = random.oneIn(2)
        try? transaction.savepoint {
          try change(transaction, &copy, &random, depth: depth + 1)
          if !isKept { throw Rollback() }
        }
        if isKept { model = copy }
      }
    }
  }
}
