import CLMDB
import Foundation

/// A reader slot of the lock file, of whatever process.
package struct ReaderSlot: Sendable, Equatable {
  package let process: pid_t
  /// LMDB's name of the thread or transaction that took the slot.
  package let thread: UInt64
  /// The version it pins; nil for an idle slot.
  package let transactionID: UInt64?
}

extension Environment {
  /// The reader slots in use, in all processes. `mdb_reader_list`.
  package func readerTable() throws -> [ReaderSlot] {
    var text = ""
    let result = withUnsafeMutablePointer(to: &text) { pointer in
      mdb_reader_list(
        handle,
        { line, context in
          guard let line, let context else { return 0 }
          context.assumingMemoryBound(to: String.self).pointee += String(cString: line)
          return 0
        }, pointer)
    }
    if result < 0 { throw failure(result, "mdb_reader_list") }
    return text.split(separator: "\n").compactMap { ReaderSlot($0) }
  }

  /// True if another process has a reader slot, or may have one. A walk over the reader table, less than a microsecond for few slots.
  package var hasOtherReaders: Bool { readerUse?.hasOtherProcesses ?? true }

  /// The use of the file by other processes, as far as it is seen.
  package var foreignUse: ForeignUse {
    ForeignUse(hasReaders: hasOtherReaders, commit: isNewestOwn ? 0 : lastTransactionID)
  }

  /// The part of the reader table that commits need, found without keeping the table.
  private struct ReaderUse {
    let process = getpid()
    var hasOtherProcesses = false
    var oldest = UInt64.max

    /// Takes in a line "pid thread(hex) txnid", where the last is "-" for an idle slot; a heading begins with no number.
    mutating func add(_ line: UnsafePointer<CChar>) {
      var end: UnsafeMutablePointer<CChar>?
      let process = strtol(line, &end, 10)
      guard process != 0, let afterProcess = end else { return }
      if process != Int(self.process) { hasOtherProcesses = true }
      _ = strtoull(afterProcess, &end, 16)
      guard let afterThread = end else { return }
      let transaction = strtoull(afterThread, &end, 10)
      if end != afterThread { oldest = min(oldest, UInt64(transaction)) }
    }
  }

  private var readerUse: ReaderUse? {
    var use = ReaderUse()
    let result = mdb_reader_list(
      handle,
      { line, context in
        if let line { context?.assumingMemoryBound(to: ReaderUse.self).pointee.add(line) }
        return 0
      }, &use)
    return result < 0 ? nil : use
  }

  /// Frees the slots of processes that died, and with them the pages they pinned. `mdb_reader_check`.
  @discardableResult
  package func clearDeadReaders() throws -> Int {
    var dead: Int32 = 0
    let result = mdb_reader_check(handle, &dead)
    if result != 0 { throw failure(result, "mdb_reader_check") }
    return Int(dead)
  }

  /// Reader slots that the lock file has. `mdb_env_get_maxreaders`.
  package var readerSlots: Int {
    var slots: UInt32 = 0
    mdb_env_get_maxreaders(handle, &slots)
    return Int(slots)
  }

  /// The live read transactions of this environment in this process, oldest version first.
  package var liveReaders: [ReaderPin] { ledger.livePins() }

  /// LMDB's transaction id of the oldest version that any process reads; `UInt64.max` when none reads.
  ///
  /// Pages freed since then cannot be used again. Costs a walk over the reader table, less than a microsecond for few slots.
  package var oldestReader: UInt64 { readerUse?.oldest ?? .max }
}

extension ReaderSlot {
  /// Parses a line "pid thread(hex) txnid", where the last is "-" for an idle slot; nil for the heading.
  init?(_ line: Substring) {
    let words = line.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 3, let process = pid_t(words[0]), let thread = UInt64(words[1], radix: 16) else { return nil }
    self.init(process: process, thread: thread, transactionID: UInt64(words[2]))
  }
}
