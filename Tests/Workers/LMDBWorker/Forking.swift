import Foundation
import LarderLMDB

extension Job {
  /// Forks within a write transaction, with a savepoint and without; says what the child did not get refused.
  func forkWithinWrite() throws {
    let environment = try open()
    let (table, other) = (environment.table("a"), environment.table("b"))
    let transaction = try environment.beginWrite()
    try transaction.put(table, KeyBytes(1), [1])
    let cursor = try transaction.cursor(table)
    let read = try environment.beginRead()
    let reading = try read.cursor(table)
    let uses: [(String, () throws -> Void)] = [
      ("get", { _ = try transaction.get(table, KeyBytes(1)) }),
      ("put", { try transaction.put(table, KeyBytes(2), [2]) }),
      ("put in place", { try transaction.put(table, KeyBytes(2), count: 8) { _ in } }),
      (
        "insert",
        { _ = try [UInt8](repeating: 1, count: 8).withUnsafeBytes { try transaction.insert(table, KeyBytes(3), $0) } }
      ),
      ("delete", { try transaction.delete(table, KeyBytes(1)) }),
      ("clear", { try transaction.clear(other) }),
      ("statistics", { _ = try transaction.statistics(table) }),
      ("cursor", { _ = try cursor.first() }),
      ("new cursor", { _ = try transaction.cursor(table) }),
      ("savepoint", { try transaction.savepoint {} }),
      ("commit", { try transaction.commit() }),
      ("read get", { _ = try read.get(table, KeyBytes(1)) }),
      ("read cursor", { _ = try reading.first() }),
      ("new read cursor", { _ = try read.cursor(table) }),
      ("read statistics", { _ = try read.statistics(table) }),
    ]
    Self.inChild { for (name, use) in uses where !Self.isRefused(use) { say("not refused: \(name)") } }
    try transaction.savepoint {
      try transaction.put(table, KeyBytes(4), [4])
      Self.inChild {
        if !Self.isRefused({ try transaction.put(table, KeyBytes(5), [5]) }) { say("not refused in a savepoint") }
      }
    }
    try transaction.commit()
    let second = try environment.beginWrite()
    try second.put(table, KeyBytes(6), [6])
    Self.inChild { if !Self.isRefused({ try second.commit() }) { say("not refused: second commit") } }
    second.abort()
    let newest = try environment.beginRead()
    say("\(newest.transactionID - read.transactionID) \(try newest.statistics(table).entries)")
  }

  private static func inChild(_ body: () -> Void) {
    guard let symbol = dlsym(nil, "fork") else { exit(65) }
    let child = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
    if child == 0 {
      body()
      _exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    if status != 0 { say("a child ended with \(status)") }
  }

  private static func isRefused(_ use: () throws -> Void) -> Bool {
    do {
      try use()
      return false
    } catch {
      return (error as? LMDBError)?.code == .forked
    }
  }

  /// Forks with a live snapshot; the child tries to use what it inherited and drops it; the parent's stays whole.
  func useAfterFork() throws {
    let held = try Held(open())
    let before = try held.pinned?.statistics(held.table).entries ?? -1
    let fill = try held.pinned?.get(held.table, KeyBytes(1))?.bytes.first
    // The Swift overlay hides fork(2), which is sound in a process of one thread only. This one is.
    guard let symbol = dlsym(nil, "fork") else { exit(65) }
    let child = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
    if child == 0 { Self.child(held, path) }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    // Without the pin, these would reuse its pages.
    for round in 1...6 {
      try held.environment?.write { transaction in
        for key in UInt64(1)...200 {
          try transaction.put(held.table, KeyBytes(key), [UInt8](repeating: UInt8(100 + round), count: 1000))
        }
      }
    }
    var wrong = 0
    for key in UInt64(1)...200 where try held.pinned?.get(held.table, KeyBytes(key))?.bytes.first != fill { wrong += 1 }
    say("child \(status >> 8 & 0xFF) entries \(before) wrong \(wrong)")
  }

  /// Ends with 0 when every use was refused, else with the number of the first that was not.
  private static func child(_ held: Held, _ path: String) -> Never {
    let refusals: [() throws -> Void] = [
      { _ = try held.environment?.beginRead() },
      { _ = try held.environment?.beginWrite() },
      { _ = try Environment.open(path: path, options: held.options) },
      { try held.environment?.copy(to: path + ".copy") },
    ]
    for (number, use) in refusals.enumerated() {
      do {
        try use()
        _exit(Int32(number) + 1)
      } catch let error as LMDBError where error.code == .forked {
        continue
      } catch {
        _exit(Int32(number) + 101)
      }
    }
    // The last references go: this must end neither the parent's transaction nor its reader slot.
    held.pinned = nil
    held.environment = nil
    _exit(0)
  }
}

/// The only references to an environment and a snapshot of it.
private final class Held {
  var environment: Environment?
  var pinned: ReadTransaction?
  let table: Table
  let options: EnvironmentOptions

  init(_ environment: Environment) throws {
    self.environment = environment
    pinned = try environment.beginRead()
    table = environment.table("a")
    options = environment.options
  }
}
