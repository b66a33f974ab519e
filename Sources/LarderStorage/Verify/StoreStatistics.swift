import Foundation
import LarderLMDB
import LarderLocks

/// The space that the parts of a store take at one version.
///
/// Bytes count entries with their keys and node headers, and values on pages of their own as whole pages; what stays free on shared pages is only in
/// the tables' pages. Made by reading every key once: O(entries), not O(bytes).
package struct StoreStatistics: Sendable {
  /// A number of entries and the bytes they take.
  package struct Space: Hashable, Sendable {
    package var entries = 0
    package var bytes = 0

    package init() {}

    package static func + (lhs: Space, rhs: Space) -> Space {
      var sum = lhs
      sum.entries += rhs.entries
      sum.bytes += rhs.bytes
      return sum
    }
  }

  /// The parts of one column.
  package struct ColumnSpace: Sendable {
    package var leaves = Space()
    package var large = Space()
    package var lists = Space()
    package var index = Space()
    /// Links that come from this column, kept with their targets.
    package var backlinks = Space()

    package init() {}

    package var total: Int { leaves.bytes + large.bytes + lists.bytes + index.bytes + backlinks.bytes }
  }

  /// A table of the file with its pages.
  package struct TableSpace: Sendable {
    package var name: String
    package var entries: Int
    package var bytes: Int
  }

  /// By class and column; column 0 is the presence bitmap.
  package private(set) var columns: [ClassID: [ColumnID: ColumnSpace]] = [:]
  package private(set) var tables: [TableSpace] = []
  package private(set) var log = Space()
  package private(set) var fileSize = 0
  /// Pages of the file that hold nothing at this version; a reader of an older one may still need some.
  package private(set) var freePages = 0
  package var freeBytes: Int { freePages * Self.pageSize }

  /// Reads the keys of all tables at the snapshot's version.
  ///
  /// - Throws: `StorageError` when the file cannot be read.
  package init(_ snapshot: Snapshot) throws {
    let store = snapshot.store
    let transaction = snapshot.transaction
    try storageErrors(store.path) {
      let sync = snapshot.schema.hasSync ? StoreTables.Sync(store.environment)?.all ?? [] : []
      for table in store.tables.all + sync {
        let pages = try transaction.statistics(table)
        tables.append(TableSpace(name: table.name, entries: pages.entries, bytes: pages.bytes))
      }
      freePages = try transaction.freePages()
      try read(store.tables, transaction, overhead: store.cipher?.overhead ?? 0)
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: store.path)
    fileSize = (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  /// - Parameter overhead: Bytes that a value takes in the file besides its own.
  private mutating func read(_ tables: StoreTables, _ transaction: ReadTransaction, overhead: Int) throws {
    try Self.forEach(tables.clusters, transaction, overhead) { word, size in
      note(word >> 48, word & 0xFFFF, \.leaves, size)
    }
    try readTails(tables, transaction, overhead)
    try Self.forEach(tables.large, transaction, overhead) { word, size in
      note(word >> 48, word >> 32 & 0xFFFF, \.large, size)
    }
    try Self.forEach(tables.collections, transaction, overhead) { word, size in
      note(word >> 48, word >> 32 & 0xFFFF, \.lists, size)
    }
    try Self.forEach(tables.indexes, transaction, overhead) { word, size in
      note(word >> 48, word >> 32 & 0xFFFF, \.index, size)
    }
    // Target class, then the origin's class and column: the space is the origin's, which makes the links.
    try Self.forEach(tables.backlinks, transaction, overhead) { word, size in
      note(word >> 32 & 0xFFFF, word >> 16 & 0xFFFF, \.backlinks, size)
    }
    try Self.forEach(tables.log, transaction, overhead) { _, size in
      log.entries += 1
      log.bytes += size
    }
  }

  /// The newest rows of classes, each column's part of them with its leaves; what frames them counts as presence.
  private mutating func readTails(
    _ tables: StoreTables, _ transaction: ReadTransaction, _ overhead: Int
  ) throws {
    let first = StoreLayout.tailKey(ClassID(rawValue: 0))
    let cursor = try transaction.cursor(tables.catalog, for: .examining)
    var entry = try cursor.seek(KeyBytes(first))
    while let found = entry, found.key.count == 8 {
      let word: UInt64 = found.key.loadBigEndian(0)
      guard word >> 32 == first >> 32 else { return }
      var frame = Self.size(of: found, overhead)
      // Of a damaged one the verifier tells.
      for (id, leaf) in (try? TailRecord(found.value, key: word))?.columns ?? [] {
        note(word >> 16, UInt64(id.rawValue), \.leaves, leaf.bytes.count)
        frame -= leaf.bytes.count
      }
      note(word >> 16, UInt64(ColumnID.presence.rawValue), \.leaves, frame)
      entry = try cursor.next()
    }
  }

  private mutating func note(
    _ classNumber: UInt64, _ columnNumber: UInt64, _ part: WritableKeyPath<ColumnSpace, Space>, _ size: Int
  ) {
    let classID = ClassID(rawValue: UInt16(truncatingIfNeeded: classNumber))
    let column = ColumnID(rawValue: UInt16(truncatingIfNeeded: columnNumber))
    columns[classID, default: [:]][column, default: ColumnSpace()][keyPath: part].entries += 1
    columns[classID, default: [:]][column, default: ColumnSpace()][keyPath: part].bytes += size
  }

  private static func forEach(
    _ table: Table, _ transaction: ReadTransaction, _ overhead: Int, _ body: (_ firstWord: UInt64, _ size: Int) -> Void
  ) throws {
    let cursor = try transaction.cursor(table, for: .examining)
    let interruption = Interruption.current
    var entry = try cursor.first()
    while let found = entry {
      try interruption?.check()
      let word = found.key.count >= 8 ? found.key.loadBigEndian(0, as: UInt64.self) : 0
      body(word, size(of: found, overhead))
      entry = try cursor.next()
    }
  }

  package static let pageSize = 4096
  private static let pageHeader = 16
  /// Larger nodes put their value on pages of its own.
  private static let largestNode = 2038
  private static let nodeHeader = 8
  private static let nodePointer = 2

  private static func size(of entry: Entry, _ overhead: Int) -> Int {
    let value = entry.value.count + overhead
    let node = Self.nodeHeader + entry.key.count + value
    guard node > Self.largestNode else { return (node + 1) / 2 * 2 + Self.nodePointer }
    let pages = (Self.pageHeader + value + Self.pageSize - 1) / Self.pageSize
    return pages * Self.pageSize + Self.nodeHeader + entry.key.count + 8 + Self.nodePointer
  }
}
