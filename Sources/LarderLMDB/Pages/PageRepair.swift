import Foundation

/// Reads what is sound of a file whose pages are damaged or cut off: entry by entry, with pread(2) only.
///
/// First `readTrees`, then as often as wanted the others. Nothing may write the file meanwhile: its pages would change under way.
package struct PageRepair: ~Copyable {
  /// Is given an entry: its table, key and value as they are in the file. The views are valid within the call.
  package typealias Take = (_ table: String, _ key: ByteView, _ value: ByteView) throws -> Void
  /// Says whether a value is one that was written under a key of a table.
  package typealias Proof = (_ table: String, _ key: ByteView, _ value: ByteView) -> Bool

  var walker: PageWalker
  private let tables: [String]
  private var faultsOfStart: [LMDBError] = []
  /// The version that the roots lead to, by the greatest key of the table that tells; nil where that cannot be read.
  package let version: UInt64?
  /// True if the first page that is damaged may have been that of a newer version, of which no roots were found.
  package let mayBeOlder: Bool

  /// - Parameters:
  ///   - tables: The tables that the file must have.
  ///   - clock: The one of them whose keys are the numbers of versions: its greatest key tells the newest roots.
  /// - Throws: what reading throws; `notADatabase` for a file without a page that could be one of a database.
  package init(path: String, tables: [String], clock: String) throws {
    let path = canonicalPath(path)
    let found = try RootSearch.run(path: path, tables: tables, clock: clock)
    let file = try PageFile(path: path)
    walker = try PageWalker(file: file, meta: found.meta, goingOn: tables)
    self.tables = tables
    faultsOfStart = found.faults
    version = found.version
    mayBeOlder = found.mayBeOlder
  }

  /// Reads an older version of a sound file, of which all pages must still be there; nil where its roots are not found.
  ///
  /// Others may write the file meanwhile, as long as a reader keeps them from using those pages again.
  ///
  /// - Parameter scans: Whether the roots are looked for on all pages, or only where the last two commits recorded them.
  package init?(path: String, tables: [String], clock: String, version: UInt64, scans: Bool) throws {
    let path = canonicalPath(path)
    guard let meta = try RootSearch.roots(of: version, path: path, tables: tables, clock: clock, scans: scans)
    else { return nil }
    walker = try PageWalker(file: try PageFile(path: path), meta: meta, goingOn: tables)
    self.tables = tables
    (self.version, mayBeOlder) = (version, false)
  }

  /// True if the file says where its trees begin.
  package var hasRoots: Bool { walker.meta.mapSize > 0 }

  /// The faults of the pages that have been found so far.
  package var faults: [LMDBError] { faultsOfStart + walker.faults }

  /// The number of faults, with those that are no longer listed.
  package var faultCount: Int { faultsOfStart.count + walker.faultCount }

  /// Reads every tree as far as its pages are sound.
  package mutating func readTrees(_ take: Take) throws {
    try walker.walk { table, key, value in try Self.give(table, key, value, take) }
  }

  /// Walks every tree for its faults alone.
  package mutating func findFaults() throws { _ = try walker.walk() }

  /// Tables of which pages are missing.
  package var incompleteTables: [String] { tables.filter { walker.gaps[$0] != nil } }

  /// Returns true if an entry may be one that a damaged page led to.
  package func mayBeMissing(_ table: String, _ key: [UInt8]) -> Bool {
    let key = TreeKey(page: key, range: key.indices)
    return walker.gaps[table]?.contains { $0.contains(key) } ?? false
  }

  /// Returns the number of entries that the file says a table has; nil when that cannot be read.
  package func statedEntries(_ table: String) -> Int? { walker.stated[table].map { Int(clamping: $0) } }

  /// Looks for leaf pages that no tree leads to any more, and reads those that surely belong to a table that lacks some.
  ///
  /// Their keys must be where entries are missing, and one of their values must be proven. Pages that the free list names are of older
  /// versions and left alone. Where that cannot be read, an older page may be taken for one that is lost; of several with the same keys
  /// the one with most entries is taken.
  /// - Parameter isProven: Whether a value is one that was written under a key of a table, as its checksum tells.
  /// - Returns: How many pages were found.
  package mutating func readStrays(
    of candidates: [String], isProven: Proof, _ take: Take
  ) throws -> Int {
    let strays = try walker.strays(of: candidates.filter { walker.gaps[$0] != nil }, isProven)
    for stray in strays {
      try walker.read(stray) { key, value in try Self.give(stray.table, key, value, take) }
    }
    return strays.count
  }

  /// Reads entries that tables lack from pages of older versions: those that the free list names, the newest first, and those that
  /// no one knows. Of several entries with one key the first counts. After `readStrays`.
  ///
  /// - Parameter isProven: Whether a value is one that was written under a key of a table; asked for each entry.
  package func readOlder(of candidates: [String], isProven: Proof, _ take: Take) throws {
    try walker.readOlder(of: candidates, isProven) { table, key, value in try Self.give(table, key, value, take) }
  }

  /// Gives the values that have pages of their own and to which no entry leads any more. After `readStrays`.
  ///
  /// - Parameter recognize: Gets a value with what follows it on its last page; gives back its size when it is one that is missing.
  package mutating func readRuns(_ recognize: (_ page: UInt64, ByteView) throws -> Int?) throws {
    try walker.readRuns { page, bytes in try bytes.withView { try recognize(page, $0) } }
  }

  /// Reads the entries of every leaf page of the file, of whatever table and version, whose first key `isWanted`.
  package func readEveryLeaf(
    where isWanted: (ByteView) -> Bool, _ take: (_ page: UInt64, _ key: ByteView, _ value: ByteView) throws -> Void
  ) throws {
    try walker.forEachLeaf(skipsUsed: false) { page in
      guard let first = page.readableKey(0), first.withView(isWanted) else { return }
      for (key, value) in walker.readableEntries(of: page) {
        try Self.give("", key, value) { _, key, value in try take(page.number, key, value) }
      }
    }
  }

  static func give(_ table: String, _ key: TreeKey, _ value: [UInt8], _ take: Take) throws {
    try key.withView { key in try value.withView { try take(table, key, $0) } }
  }
}

extension TreeKey {
  /// Calls `body` with the bytes, valid within the call.
  func withView<R>(_ body: (ByteView) throws -> R) rethrows -> R {
    try page.withView { try body($0.slice(range.lowerBound, range.count)) }
  }
}

extension [UInt8] {
  /// Calls `body` with the bytes, valid within the call.
  package func withView<R>(_ body: (ByteView) throws -> R) rethrows -> R {
    try withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else {
        return try Swift.withUnsafeBytes(of: UInt64(0)) { try body(ByteView(base: $0.baseAddress!, count: 0)) }
      }
      return try body(ByteView(base: base, count: bytes.count))
    }
  }
}
