import Foundation
import LarderLMDB

extension Job {
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
