import Foundation
import LarderLMDB

extension Job {
  /// Commits until there is no room; checks that all of it is readable; deletes; writes again. Says what happened.
  func fill(_ environment: Environment) throws -> String {
    let table = environment.table("a")
    let value = [UInt8](repeating: 8, count: 3000)
    var stored: UInt64 = 0
    var failure: LMDBError?
    while failure == nil && stored < 100_000 {
      do {
        try environment.write { try $0.put(table, KeyBytes(stored), value) }
        stored += 1
      } catch let error as LMDBError {
        failure = error
      }
    }
    guard let failure else { return "never full" }
    if let fault = try fault(environment, stored, value) { return fault }
    try free(environment, stored)
    _ = try environment.checkPages()
    return "full \(failure.code.rawValue) \(failure.isOutOfSpace) \(stored)"
  }

  /// Returns what is wrong with the entries that were committed, or nil. A snapshot of its own: it would pin free pages.
  private func fault(_ environment: Environment, _ stored: UInt64, _ value: [UInt8]) throws -> String? {
    let table = environment.table("a")
    let reader = try environment.beginRead()
    for key in 0..<stored {
      guard try reader.get(table, KeyBytes(key))?.bytes == value else { return "lost entry \(key)" }
    }
    let count = try reader.statistics(table).entries
    return count == Int(stored) ? nil : "\(count) entries of \(stored) committed ones"
  }

  /// Deletes half in small steps, and puts some of it back.
  private func free(_ environment: Environment, _ stored: UInt64) throws {
    let table = environment.table("a")
    // Deleting needs new pages too: those that older commits freed.
    for key in stride(from: 0, to: stored, by: 2) {
      _ = try environment.write { try $0.delete(table, KeyBytes(key)) }
    }
    for key in stride(from: 0, to: stored / 4, by: 2) {
      try environment.write { try $0.put(table, KeyBytes(key), [UInt8](repeating: 9, count: 3000)) }
    }
  }
}
