import LarderCrypto
import LarderLMDB

/// Copies what the sound pages of a damaged file hold into a file that can be opened.
///
/// Pages are read one by one, and damaged ones left out with what only they led to. Leaf pages that nothing leads to any more are found by what they
/// hold, and a catalog that is lost by older copies of it. Entries are copied as they are, sealed ones too: what is in them is judged by what opens
/// the copy (`Store.repairedVersion`). Nothing may write the damaged file meanwhile.
package final class FileRepair {
  /// The path of the copy, as long as this object lives.
  package var scratch: String { file.path }
  private let file: UnfinishedFile
  private let path: String
  private var pages: PageRepair
  private var saved: [String: Int] = [:]
  private var notes: [String] = []
  /// The older data that replaces what is lost, with both versions and what it may have cost, each in a sentence.
  package private(set) var fallBacks: [String] = []

  /// Tables whose pages can be recognised by their entries, those with the surest proofs first.
  private static let provable = [
    StoreLayout.clusters, StoreLayout.collections, StoreLayout.indexes, StoreLayout.backlinks, StoreLayout.log,
    StoreLayout.large,
  ]
  /// Tables without which objects are not whole; the others can be made afresh.
  private static let essential = [
    StoreLayout.catalog, StoreLayout.clusters, StoreLayout.large, StoreLayout.collections,
  ]

  /// Copies what is sound.
  ///
  /// - Parameters:
  ///   - path: The damaged file, which is only read.
  ///   - target: Beside which the copy is made. It is not made durable.
  ///   - key: What the store is encrypted with. Without it only what trees lead to is found.
  ///   - error: What kept the store from being opened.
  /// - Throws: `error` when no page and no record of the catalog is damaged; `.corrupted` when no catalog is left; `.notADatabase`; what writing the copy throws.
  package init(of path: String, beside target: String, key: EncryptionKey?, after error: StorageError) throws {
    self.path = path
    pages = try storageErrors(path) { try PageRepair(path: path, tables: StoreLayout.tables, clock: StoreLayout.log) }
    file = try storageErrors(target) { try UnfinishedFile(for: target) }
    let scratch = file.path
    try storageErrors(scratch) {
      var options = StoreLayout.environmentOptions
      options.durability = .none
      let copy = RepairCopy(try Environment.open(path: scratch, options: options))
      try pages.readTrees { try copy.take($0, $1, $2) }
      try copy.flush()
      let catalog = try CatalogRepair(path: path, key: key).run(pages, copy)
      notes = catalog.notes
      guard pages.faultCount + notes.count > 0 else { throw error }
      let proof = EntryValidator(try copy.cipher(key, path: path), copy.environment)
      let count = try pages.readStrays(of: Self.provable, isProven: proof.isProven) { try copy.take($0, $1, $2) }
      if count > 0 { notes.append("\(count) pages to which nothing leads any more were found and read.") }
      try copy.flush()
      notes += try Self.readOrphans(&pages, copy, try copy.cipher(key, path: path), path)
      fallBacks = Self.fallBacks(pages, catalog, newest: try copy.newestLogged())
      fallBacks += try Self.readOlder(pages, copy, proof)
      saved = copy.saved
    }
  }

  /// Looks for leaves with pages of their own whose entries are lost.
  private static func readOrphans(
    _ pages: inout PageRepair, _ copy: RepairCopy, _ cipher: StoreCipher?, _ path: String
  ) throws -> [String] {
    guard pages.incompleteTables.contains(StoreLayout.clusters), let catalog = try copy.readCatalog(cipher, path: path)
    else { return [] }
    var leaves = try OrphanLeaves(copy, cipher, catalog) { pages.mayBeMissing(StoreLayout.clusters, $0.bytes) }
    try pages.readRuns { _, value in try leaves.recognize(value) }
    try copy.flush()
    var notes: [String] = []
    if leaves.count > 0 { notes.append("\(leaves.count) leaves to which no entry leads any more were found and read.") }
    if leaves.doubles > 0 {
      notes.append("Of \(leaves.doubles) of them there are two; that of more objects was taken for the newer one.")
    }
    if leaves.isIncomplete { notes.append("The search for such leaves took too long and was given up.") }
    return notes
  }

  /// Takes from pages of older versions what is found nowhere else.
  private static func readOlder(
    _ pages: borrowing PageRepair, _ copy: RepairCopy, _ proof: EntryValidator
  ) throws -> [String] {
    let before = copy.saved
    try pages.readOlder(of: essential.filter { $0 != StoreLayout.catalog }, isProven: proof.isProven) {
      try copy.take($0, $1, $2)
    }
    try copy.flush()
    let taken = essential.reduce(0) { $0 + (copy.saved[$1] ?? 0) - (before[$1] ?? 0) }
    guard taken > 0 else { return [] }
    return [
      "\(taken) records were taken from pages that may be of older versions, because those of the newest are lost: values "
        + "in them may have been changed since, and objects deleted."
    ]
  }

  private static func fallBacks(
    _ pages: borrowing PageRepair, _ catalog: CatalogRepair.Outcome, newest: UInt64?
  ) -> [String] {
    var result: [String] = []
    if pages.mayBeOlder {
      let taken = pages.version.map { "version \($0)" } ?? "an unknown version"
      let lost = pages.version.map { "version \($0 + 1)" } ?? "another version"
      result.append(
        "A first page of the file is damaged: if it was that of \(lost), then \(taken) was taken instead, and what was "
          + "committed since is lost.")
    }
    if let older = catalog.older {
      let since = newest.map { $0 > older.version ? "version \($0)" : "a later version" } ?? "a later version"
      result.append(
        "The catalog of version \(older.version) was taken for that of \(since): what was changed since in \(older.what) "
          + "is lost.")
    }
    return result
  }

  /// The faults of the pages, each in a sentence.
  package var problems: [String] { pages.faults.map(\.description) + notes }

  /// The number of faults of the pages.
  package var faultCount: Int { pages.faultCount }

  /// Tables that objects are made of and that lack records, with how many; nil where there is no telling.
  package var losses: [(table: String, count: Int?)] {
    Self.essential.filter(lacks).map { table in (table, pages.statedEntries(table).map { $0 - (saved[table] ?? 0) }) }
  }

  /// True if objects may be lost that no counter accounts for: leaves are missing, or the counters are of an older version.
  package var mayLackObjects: Bool { lacks(StoreLayout.clusters) || !fallBacks.isEmpty }

  /// Returns true if a leaf that is not in the copy may be in the damaged file.
  package func mayLack(_ classID: ClassID, _ column: ColumnID, cluster: Int) -> Bool {
    mayLack(StoreLayout.clusters, KeyBytes(StoreLayout.leafKey(classID, column, cluster: cluster)))
  }

  /// Returns true if a list, set or map that is empty in the copy may have elements in the damaged file.
  package func mayLack(_ classID: ClassID, _ column: ColumnID, _ object: ObjectKey) -> Bool {
    mayLack(StoreLayout.collections, KeyBytes(StoreLayout.columnWord(classID, column), object.rawValue, 0))
  }

  private func mayLack(_ table: String, _ key: KeyBytes) -> Bool {
    lacks(table) && pages.mayBeMissing(table, key.withBytes { Array($0) })
  }

  /// Returns true if a table lacks entries that it had.
  private func lacks(_ table: String) -> Bool {
    pages.statedEntries(table).map { $0 > saved[table] ?? 0 } ?? pages.incompleteTables.contains(table)
  }
}
