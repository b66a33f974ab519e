import Foundation
import LarderLMDB
import TestSupport
import Testing

@Suite("Write transaction")
struct WriteTransactionTests {
  let directory: TemporaryDirectory
  let environment: Environment
  let table: Table

  init() throws {
    directory = try TemporaryDirectory()
    environment = try openEnvironment(directory)
    table = environment.table("a")
  }

  @Test("nothing is visible before the commit, all of it after")
  func visibility() throws {
    let transaction = try environment.beginWrite()
    try transaction.put(table, KeyBytes(1), [1])
    #expect(try transaction.get(table, KeyBytes(1))?.bytes == [1])
    #expect(try environment.fill(of: 1) == nil)
    let before = try environment.beginRead()
    try transaction.commit()
    #expect(try environment.fill(of: 1) == 1)
    #expect(try before.fill(of: 1) == nil)
    #expect(environment.lastTransactionID == transaction.transactionID)
  }

  @Test("aborted and dropped transactions leave nothing and release the writer")
  func aborting() throws {
    let transaction = try environment.beginWrite()
    try transaction.put(table, KeyBytes(1), [1])
    transaction.abort()
    transaction.abort()
    #expect(code { try transaction.put(table, KeyBytes(1), [1]) } == .badTransaction)
    #expect(code { try transaction.commit() } == .badTransaction)
    do { _ = try environment.beginWrite().put(table, KeyBytes(2), [1]) }
    #expect(try environment.beginRead().count == 0)
  }

  @Test("keys have 1 to 511 bytes, for reading too", arguments: [0, 1, 511, 512, 600])
  func keyLimits(_ count: Int) throws {
    let key = KeyBytes(bytes: [UInt8](repeating: 65, count: count))
    let isPossible = (1...511).contains(count)
    try environment.write { transaction in
      if isPossible {
        try transaction.put(table, key, [9])
        #expect(try transaction.get(table, key)?.bytes == [9])
        #expect(try transaction.cursor(table).seek(key)?.key.count == count)
        #expect(try transaction.delete(table, key))
        #expect(try !transaction.delete(table, key))
        try transaction.put(table, key, [9])
      } else {
        #expect(code { try transaction.put(table, key, [9]) } == .badValueSize)
        #expect(code { _ = try transaction.get(table, key) } == .badValueSize)
        #expect(code { _ = try transaction.delete(table, key) } == .badValueSize)
        #expect(code { _ = try transaction.cursor(table).find(key) } == .badValueSize)
        // The transaction goes on.
        try transaction.put(table, KeyBytes(1), [9])
      }
    }
    #expect(try environment.beginRead().count == 1)
    if !isPossible { #expect(code { _ = try environment.beginRead().get(table, key) } == .badValueSize) }
  }

  @Test("values have up to 16 MiB", arguments: [0, 1, 2022, 2023, 4080, 4081, 65_536, 16 << 20])
  func valueSizes(_ count: Int) throws {
    var value = [UInt8](repeating: 0xA7, count: count)
    for position in stride(from: 0, to: count, by: 509) { value[position] = UInt8(truncatingIfNeeded: position / 509) }
    try environment.write { try $0.put(table, KeyBytes(1), value) }
    let transaction = try environment.beginRead()
    #expect(try transaction.get(table, KeyBytes(1))?.bytes == value)
    let pages = try transaction.statistics(table).overflowPages
    #expect(pages == (count > SizeLimits.inline - 8 ? (count + 16 + 4095) / 4096 : 0))
  }

  @Test("a larger value is refused, and the transaction goes on")
  func valueLimit() throws {
    let bytes = [UInt8](repeating: 0, count: SizeLimits.value + 1)
    try environment.write { transaction in
      #expect(code { try transaction.put(table, KeyBytes(1), bytes) } == .badValueSize)
      #expect(code { try transaction.put(table, KeyBytes(1), count: bytes.count) { _ in } } == .badValueSize)
      try transaction.put(table, KeyBytes(2), [1])
    }
    #expect(try environment.beginRead().count == 1)
  }

  @Test("appending in the wrong order is an error that the transaction survives")
  func appendOrder() throws {
    try environment.write { transaction in
      for key in UInt64(10)...20 { try transaction.put(table, KeyBytes(key), [1], append: true) }
      #expect(code { try transaction.put(table, KeyBytes(20), [2], append: true) } == .keyExists)
      #expect(code { try transaction.put(table, KeyBytes(5), [2], append: true) } == .keyExists)
      try transaction.put(table, KeyBytes(5), [3])
    }
    let transaction = try environment.beginRead()
    #expect(try transaction.count == 12)
    #expect(try transaction.fill(of: 20) == 1)
    #expect(try transaction.fill(of: 5) == 3)
  }

  @Test("insert keeps what is there; clear empties a table and no other")
  func insertAndClear() throws {
    try environment.write { transaction in
      let first = try [UInt8(1)].withUnsafeBytes { try transaction.insert(table, KeyBytes(1), $0) }
      let second = try [UInt8(2)].withUnsafeBytes { try transaction.insert(table, KeyBytes(1), $0) }
      #expect(first && !second)
      #expect(try transaction.get(table, KeyBytes(1))?.bytes == [1])
      try transaction.put(environment.table("b"), KeyBytes(1), [1])
      try transaction.clear(table)
      #expect(try transaction.statistics(table).entries == 0)
      #expect(try transaction.statistics(environment.table("b")).entries == 1)
    }
  }

  @Test("reserved room holds no bytes of dropped data")
  func reserved() throws {
    try environment.store(1...50, size: 1500, fill: 0x5A)
    try environment.write { transaction in
      for key in UInt64(1)...50 { try transaction.delete(table, KeyBytes(key)) }
    }
    try environment.write { transaction in
      for key in UInt64(1)...50 {
        try transaction.put(table, KeyBytes(key), count: 1500) { $0[0] = 1 }
      }
    }
    let transaction = try environment.beginRead()
    for key in UInt64(1)...50 {
      let bytes = try #require(try transaction.get(table, KeyBytes(key))?.bytes)
      #expect(bytes.count == 1500 && bytes[0] == 1 && bytes.dropFirst().allSatisfy { $0 == 0 })
    }
  }

  @Test("keys and values in multiples of eight bytes stay aligned")
  func alignment() throws {
    var random = SeededRandom.forTest()
    for _ in 0..<20 {
      try environment.write { transaction in
        for _ in 0..<100 {
          let key = UInt64(random.int(0..<500))
          if random.oneIn(3) {
            try transaction.delete(table, KeyBytes(key))
          } else {
            try transaction.put(table, KeyBytes(key), random.bytes(count: random.int(0...400) * 8))
          }
        }
      }
    }
    let cursor = try environment.beginRead().cursor(table)
    while let entry = try cursor.next() {
      #expect(UInt(bitPattern: entry.key.base) % 8 == 0 && UInt(bitPattern: entry.value.base) % 8 == 0)
    }
  }

  // MARK: - Threads

  @Test("a second begin on the same thread is an error instead of waiting for ever")
  func nestedBegin() throws {
    let transaction = try environment.beginWrite()
    #expect(code { _ = try environment.beginWrite() } == .wrongThread)
    #expect(code { try environment.write { _ in } } == .wrongThread)
    try transaction.put(table, KeyBytes(1), [1])
    try transaction.commit()
    try environment.store([2])
  }

  @Test("a foreign thread can neither use nor commit a write transaction, and the owner goes on")
  func foreignThread() throws {
    let transaction = try environment.beginWrite()
    let cursor = try transaction.cursor(table)
    try transaction.put(table, KeyBytes(1), [1])
    let smuggled = Smuggled(value: (transaction, cursor))
    try onOtherThread { [table] in
      let (transaction, cursor) = smuggled.value
      #expect(code { try transaction.put(table, KeyBytes(2), [1]) } == .wrongThread)
      #expect(code { _ = try transaction.get(table, KeyBytes(1)) } == .wrongThread)
      #expect(code { _ = try cursor.first() } == .wrongThread)
      #expect(code { try transaction.commit() } == .wrongThread)
    }
    try transaction.commit()
    #expect(try environment.fill(of: 1) == 1)
  }

  @Test("a transaction dropped on a foreign thread gives an error to later writers instead of a hang")
  func droppedElsewhere() throws {
    try onOtherThread { [environment] in
      let slot = Smuggled(value: Slot(try environment.beginWrite()))
      try onOtherThread { slot.value.content = nil }
      #expect(code { _ = try environment.beginWrite() } == .wrongThread)
    }
    #expect(code { _ = try environment.beginWrite() } == .wrongThread)
  }

  #if os(Linux)
    @Test("a thread that ended in its transaction gives an error to waiting writers instead of a hang")
    func endedThread() throws {
      let slot = Smuggled(value: Slot(nil))
      try onOtherThread { [environment] in slot.value.content = try environment.beginWrite() }
      let refused = Collected<LMDBError.Code>()
      DispatchQueue.concurrentPerform(iterations: 3) { _ in
        if let code = code({ _ = try environment.beginWrite() }) { refused.append(code) }
      }
      #expect(refused.values == [.wrongThread, .wrongThread, .wrongThread])
      slot.value.content = nil
      #expect(code { _ = try environment.beginWrite() } == .wrongThread)
      #expect(try environment.beginRead().count == 0)
    }
  #endif

  @Test("writers of several threads take turns and lose nothing")
  func turns() throws {
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<50 {
        do {
          try environment.write { transaction in
            let old = try transaction.get(table, KeyBytes(0))?.load(0, as: UInt64.self) ?? 0
            try withUnsafeBytes(of: (old + 1).littleEndian) { try transaction.put(table, KeyBytes(0), $0) }
          }
        } catch {
          Issue.record(error)
        }
      }
    }
    #expect(try environment.beginRead().get(table, KeyBytes(0))?.load(0, as: UInt64.self) == 200)
  }
}

private final class Slot {
  var content: WriteTransaction?
  init(_ content: WriteTransaction?) { self.content = content }
}
