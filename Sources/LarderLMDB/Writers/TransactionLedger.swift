import CLMDB
import Foundation
import LarderLocks

/// A live read transaction of this process, as it pins a version.
package struct ReaderPin: Sendable {
  package let transactionID: UInt64
  /// Seconds since it was begun.
  package let age: Double
}

/// The users of the map in this process: counts transactions, keeps idle readers, and lets the map be exchanged only when none is in.
///
/// LMDB exchanges the map under readers without a warning, and the next read is a segmentation fault. So every transaction enters here first and
/// leaves last; `drain` stops new ones, waits for the others, and acts alone.
final class TransactionLedger: @unchecked Sendable {
  // Unchecked: everything mutable is guarded by `condition`.
  private struct Pin {
    let transactionID: UInt64
    let began: UInt64
  }

  private let condition = NSCondition()
  private var inside = 0
  private var isDraining = false
  private var pins: [OpaquePointer: Pin] = [:]
  private var idle: [OpaquePointer] = []
  private let idleLimit = 16
  /// Held while the map is exchanged and while shared words of it are read outside of any transaction.
  private let mapping = Lock(())

  /// Comes in, after a drain that runs; hands out an idle read transaction when one is wanted and there.
  func enter(reading: Bool) -> OpaquePointer? {
    condition.lock()
    defer { condition.unlock() }
    while isDraining { condition.wait() }
    inside += 1
    return reading ? idle.popLast() : nil
  }

  func leave() {
    condition.lock()
    inside -= 1
    if isDraining { condition.broadcast() }
    condition.unlock()
  }

  /// Records a begun read transaction, which is inside.
  func pin(_ handle: OpaquePointer) {
    let pin = Pin(transactionID: UInt64(mdb_txn_id(handle)), began: coarseNanoseconds())
    condition.lock()
    pins[handle] = pin
    condition.unlock()
  }

  /// Ends a read transaction: it is kept idle, or freed when enough are.
  func unpin(_ handle: OpaquePointer) {
    mdb_txn_reset(handle)
    condition.lock()
    pins[handle] = nil
    let isKept = idle.count < idleLimit
    if isKept { idle.append(handle) }
    inside -= 1
    if isDraining { condition.broadcast() }
    condition.unlock()
    if !isKept { mdb_txn_abort(handle) }
  }

  /// Frees the idle read transactions, and with them their reader slots.
  func dropIdle() {
    condition.lock()
    let dropped = idle
    idle = []
    condition.unlock()
    for handle in dropped { mdb_txn_abort(handle) }
  }

  /// The live read transactions, oldest version first.
  func livePins() -> [ReaderPin] {
    condition.lock()
    defer { condition.unlock() }
    // Looked at with the lock held, and even so clocks of two processors may differ: a pin may seem to begin later.
    let now = coarseNanoseconds()
    return pins.values
      .map { ReaderPin(transactionID: $0.transactionID, age: Double(now - min(now, $0.began)) / 1e9) }
      .sorted { ($0.transactionID, -$0.age) < ($1.transactionID, -$1.age) }
  }

  /// Reads shared words of the map, which cannot be exchanged meanwhile.
  @inline(__always)
  func withMap<R>(_ body: () -> R) -> R { mapping.withLock { _ in body() } }

  /// Waits until none is inside, then calls `body` alone. Throws `readersPinMap` after `patience` seconds.
  func drain(patience: Double, _ body: () throws -> Void) throws {
    let deadline = Date(timeIntervalSinceNow: patience)
    condition.lock()
    while isDraining { condition.wait() }
    isDraining = true
    while inside > 0 {
      if condition.wait(until: deadline) { continue }
      if inside == 0 { break }
      endDrain()
      throw pinnedError(patience)
    }
    condition.unlock()
    defer {
      condition.lock()
      endDrain()
    }
    try mapping.withLock { _ in try body() }
  }

  /// Lets waiting transactions in and releases the lock.
  private func endDrain() {
    isDraining = false
    condition.broadcast()
    condition.unlock()
  }

  private func pinnedError(_ patience: Double) -> LMDBError {
    let pins = livePins()
    let oldest = pins.map(\.age).max() ?? 0
    let others = pins.isEmpty ? "a write transaction is open" : "\(pins.count) read transactions are open"
    let age = pins.isEmpty ? "" : ", the oldest for \(String(format: "%.1f", oldest)) s"
    return LMDBError(
      .readersPinMap, "growing the map",
      detail: "\(others) in this process\(age); waited \(patience) s. Release old snapshots, then try again")
  }
}
