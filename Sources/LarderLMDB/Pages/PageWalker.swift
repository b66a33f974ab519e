import Foundation

/// The counts that a walk over the pages of one version found.
package struct PageCensus: Sendable, Equatable {
  /// Pages that the tables and the free list use, with the two meta pages.
  package internal(set) var usedPages = 0
  /// Pages that may be rewritten.
  package internal(set) var freePages = 0
  /// Pages that neither a table nor the free list knows: lost until the file is compacted, but harmless.
  package internal(set) var unreachablePages = 0
  /// Entries of all tables.
  package internal(set) var entries = 0
  package internal(set) var pageSize = 0
  package internal(set) var transactionID: UInt64 = 0
}

/// Reads every page that a version of the file reaches and checks what LMDB itself believes unseen.
///
/// Page numbers, kinds, bounds of every node, order of keys, overflow runs, the free list, counts, and that no page
/// is used twice. Reads each page of the trees, and of a value that has pages of its own the head. The first fault is thrown as `damaged`
/// or `truncated`, with the page; a walker that goes on (`init(file:meta:goingOn:)`) keeps them all, and leaves out what is below each.
struct PageWalker: ~Copyable {
  let file: PageFile
  let meta: MetaPage
  let filePages: UInt64
  /// The pages that someone uses.
  private var seen: PageSet
  private var freeBehindEnd: Set<UInt64> = []
  private var census = PageCensus()

  /// True if the walk reads the heads of values that have pages of their own; false if it takes them for right.
  private var readsRuns = true
  /// The tables that are there for certain; nil for a walk that ends at the first fault.
  private let expected: [String]?
  /// The faults that a walk which goes on has met, at most `mostFaults`.
  private(set) var faults: [LMDBError] = []
  private(set) var faultCount = 0
  /// By table: where entries are missing because the pages that held them, or led to them, are damaged.
  private(set) var gaps: [String: [KeyGap]] = [:]
  /// By table: the keys that stray pages were found for.
  var covered: [String: KeyCover] = [:]
  /// The pages that the free list names, by the transaction that freed them; of a walk that goes on.
  private(set) var freed: [(transaction: UInt64, pages: [UInt64])] = []
  /// By table: how many entries its record counts.
  private(set) var stated: [String: UInt64] = [:]

  private static let mostFaults = 1_000

  private var goesOn: Bool { expected != nil }

  private struct Tally: Equatable {
    var branches: UInt64 = 0
    var leaves: UInt64 = 0
    var overflows: UInt64 = 0
    var entries: UInt64 = 0
  }

  /// One tree on its way.
  private struct Tree {
    let name: String
    /// True if values are read, and not only the heads of their pages.
    let readsValues: Bool
    let hasNumbers: Bool
    var tally = Tally()
    var last: TreeKey?
  }

  private typealias Visit = (inout PageWalker, LeafEntry, [UInt8]) throws -> Void

  /// - Parameter goingOn: The tables that the file must have; with them the walk does not end at a fault.
  init(file: consuming PageFile, meta: MetaPage, goingOn: [String]? = nil) throws {
    filePages = try file.size() / UInt64(meta.pageSize)
    self.file = file
    self.meta = meta
    expected = goingOn
    seen = PageSet(count: min(filePages, meta.lastPage + 1))
  }

  /// Walks the free list only and checks that every page after the end of the file is free.
  mutating func checkLength() throws {
    try walkFreeList()
    try requireMissingPagesFree()
  }

  /// Throws `truncated` when a page after the end of the file was not found in the free list.
  private borrowing func requireMissingPagesFree() throws {
    guard filePages <= meta.lastPage else { return }
    let missing = meta.lastPage + 1 - filePages
    guard UInt64(freeBehindEnd.count) == missing else {
      let lost = missing - UInt64(freeBehindEnd.count)
      throw LMDBError(
        .truncated, "preflight",
        detail: "\(lost) pages in use are after its end; it has \(filePages) of \(meta.lastPage + 1) pages")
    }
  }

  /// Walks the trees alone, and believes what they say of values on pages of their own. Does nothing when the trees have more pages
  /// than `limit`.
  mutating func walkTrees(limit: UInt64) throws {
    readsRuns = false
    mark(0)
    mark(1)
    let records = try tableRecords()
    let all = records.map(\.record) + [meta.freeList]
    let pages = all.reduce(0) { sum, record in
      [record.branchPages, record.leafPages].reduce(sum) { $0 > limit || $1 > limit ? limit + 1 : $0 + $1 }
    }
    guard pages <= limit else { return }
    for (name, record) in records {
      try walkTable(record, "table \(name)", readsValues: false, gapsOf: name) { _, _, _ in }
    }
    try walkFreeList()
  }

  /// Walks everything.
  mutating func walk() throws -> PageCensus { try walk(readsValues: false) { _, _, _ in } }

  /// Walks everything, and gives each entry of the tables to `take`.
  mutating func walk(reading take: (_ table: String, TreeKey, [UInt8]) throws -> Void) throws {
    _ = try walk(readsValues: true, take)
  }

  private mutating func walk(
    readsValues: Bool, _ take: (_ table: String, TreeKey, [UInt8]) throws -> Void
  ) throws -> PageCensus {
    census = PageCensus()
    census.pageSize = meta.pageSize
    census.transactionID = meta.transactionID
    census.usedPages = 2
    mark(0)
    mark(1)
    for (name, record) in try tableRecords() {
      stated[name] = record.entries
      try walkTable(record, "table \(name)", readsValues: readsValues, gapsOf: name) { walker, entry, value in
        if entry.isTable { throw pageFault(entry.page, "a table inside of table \(name)") }
        try take(name, entry.key, value)
      }
    }
    // The tables come first: where a damaged free list names a page that is in use, the table keeps it.
    try walkFreeList()
    do { try requireMissingPagesFree() } catch { try meet(error) }
    census.unreachablePages = Int(meta.lastPage) + 1 - census.usedPages - census.freePages
    return census
  }

  // MARK: - Faults

  /// Keeps a fault when the walk goes on; throws it else, and whatever is no fault of the file.
  mutating func meet(_ error: any Error) throws {
    guard goesOn, let fault = error as? LMDBError, fault.isDamage else { throw error }
    faultCount += 1
    if faults.count < Self.mostFaults { faults.append(fault) }
  }

  private mutating func leave(_ gap: KeyGap, of table: String?) {
    if let table { gaps[table, default: []].append(gap) }
  }

  // MARK: - Trees

  /// The tables of the file by name. A walk that goes on leaves out those it cannot trust, and notes that all of them is missing.
  private mutating func tableRecords() throws -> [(name: String, record: TreeRecord)] {
    var records: [(name: String, record: TreeRecord)] = []
    try walkTable(meta.main, "main table", gapsOf: nil) { walker, entry, value in
      if let found = try walker.tableRecord(entry, value) { records.append(found) }
    }
    guard let expected else { return records }
    let missing = expected.filter { name in !records.contains { $0.name == name } }
    for name in missing { leave(.everything, of: name) }
    // With a table missing, one of an unknown name may be that, its name damaged: its pages must stay to be found.
    return missing.isEmpty ? records : records.filter { expected.contains($0.name) }
  }

  private borrowing func tableRecord(_ entry: LeafEntry, _ value: [UInt8]) throws -> (String, TreeRecord)? {
    guard entry.isTable else { return nil }
    guard value.count == TreeRecord.size else {
      throw pageFault(entry.page, "a table record has \(value.count) bytes")
    }
    let record = value.withUnsafeBytes { TreeRecord(ByteView(base: $0.baseAddress!, count: $0.count), at: 0) }
    let name = String(decoding: entry.key.bytes, as: UTF8.self)
    if let text = record.fault(lastPage: meta.lastPage) { throw pageFault(entry.page, "table \(name): \(text)") }
    guard record.flags & 0x74 == 0 else { throw pageFault(entry.page, "table \(name) keeps duplicates") }
    return (name, record)
  }

  private mutating func walkFreeList() throws {
    try walkTable(meta.freeList, "free list", gapsOf: nil) { walker, entry, value in
      try walker.visitFreed(entry, value)
    }
  }

  private mutating func visitFreed(_ entry: LeafEntry, _ value: [UInt8]) throws {
    guard entry.key.range.count == 8, value.count >= 8, value.count % 8 == 0 else {
      throw pageFault(entry.page, "a record of the free list has an impossible size")
    }
    let words = value.withUnsafeBytes { bytes in
      (0..<bytes.count / 8).map { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
    }
    guard words[0] <= UInt64(words.count - 1) else {
      throw pageFault(entry.page, "a record of the free list counts more pages than it holds")
    }
    let transaction = entry.key.bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    if goesOn { freed.append((transaction, Array(words.dropFirst().prefix(Int(words[0]))))) }
    var previous = UInt64.max
    for number in words.dropFirst().prefix(Int(words[0])) {
      guard number >= 2, number <= meta.lastPage, number < previous else {
        throw pageFault(entry.page, "the free list names page \(number) out of order or out of range")
      }
      previous = number
      census.freePages += 1
      do { try free(number) } catch { try meet(error) }
    }
  }

  private mutating func free(_ number: UInt64) throws {
    if number >= filePages {
      guard freeBehindEnd.insert(number).inserted else { throw pageFault(number, "it is free twice") }
    } else if !mark(number) {
      throw pageFault(number, "it is free and in use, or free twice")
    }
  }

  private mutating func walkTable(
    _ record: TreeRecord, _ name: String, readsValues: Bool = true, gapsOf table: String?, _ visit: Visit
  ) throws {
    guard record.root != TreeRecord.noRoot else { return }
    let before = faultCount
    var tree = Tree(name: name, readsValues: readsValues, hasNumbers: record.flags & 0x08 != 0)
    do {
      try walkPage(record.root, depth: Int(record.depth), within: .everything, gapsOf: table, &tree, visit)
    } catch {
      try meet(error)
      leave(.everything, of: table)
    }
    let stated = Tally(
      branches: record.branchPages, leaves: record.leafPages,
      overflows: readsRuns ? record.overflowPages : tree.tally.overflows, entries: record.entries)
    census.entries += Int(tree.tally.entries)
    guard tree.tally != stated, faultCount == before else { return }
    try meet(
      pageFault(record.root, "the \(name) has \(tree.tally.entries) entries, its record says \(stated.entries)"))
  }

  private mutating func walkPage(
    _ number: UInt64, depth: Int, within gap: KeyGap, gapsOf table: String?, _ tree: inout Tree, _ visit: Visit
  ) throws {
    guard depth > 0 else { throw pageFault(number, "it is deeper than its table says") }
    try requireInFile(number)
    let page = try TreePage(try file.pages(number, size: meta.pageSize), number: number)
    guard page.isLeaf == (depth == 1) else { throw pageFault(number, "it is on the wrong level") }
    if !page.isPacked { try meet(pageFault(number, "the sizes of its entries are not true")) }
    // A page of another tree is left for that one; a walk that ends here rather says that it is used twice.
    if !goesOn { try claim(number) }
    guard goesOn ? fits(page, gap, tree) : reaches(page, gap, tree) else {
      leave(gap, of: table)
      throw pageFault(number, "its keys are not those that the \(tree.name) has there")
    }
    if goesOn { try claim(number) }
    tree.tally.leaves += page.isLeaf ? 1 : 0
    tree.tally.branches += page.isLeaf ? 0 : 1
    if page.isLeaf {
      try walkLeaf(page, within: gap, &tree, visit)
    } else {
      try walkBranch(page, depth: depth, within: gap, gapsOf: table, &tree, visit)
    }
  }

  private mutating func walkLeaf(_ page: TreePage, within gap: KeyGap, _ tree: inout Tree, _ visit: Visit) throws {
    let inOrder = goesOn ? page.keysInOrder(within: gap, areNumbers: tree.hasNumbers) : []
    for index in 0..<page.count {
      do {
        let entry = try page.leaf(index)
        let isOrdered = goesOn ? inOrder[index] : tree.last?.precedes(entry.key, isNumber: tree.hasNumbers) ?? true
        guard isOrdered else { throw pageFault(page.number, "keys of the \(tree.name) are out of order") }
        tree.last = entry.key
        let value = try value(of: entry, in: page, &tree)
        tree.tally.entries += 1
        try visit(&self, entry, value)
      } catch {
        try meet(error)
      }
    }
  }

  private mutating func walkBranch(
    _ page: TreePage, depth: Int, within gap: KeyGap, gapsOf table: String?, _ tree: inout Tree, _ visit: Visit
  ) throws {
    let inOrder = goesOn ? page.keysInOrder(within: gap, areNumbers: tree.hasNumbers) : []
    var previous: TreeKey?
    for index in 0..<page.count {
      do {
        let (key, child) = try page.branch(index)
        if index > 1, let previous, previous == key { throw pageFault(page.number, "two branches have the same key") }
        if goesOn, index > 0, !inOrder[index] {
          try meet(pageFault(page.number, "keys of the \(tree.name) are out of order"))
        }
        previous = key
        let range = goesOn ? page.range(of: index, within: gap, inOrder) : page.range(of: index, within: gap)
        try walkPage(child, depth: depth - 1, within: range, gapsOf: table, &tree, visit)
      } catch {
        try meet(error)
        leave(page.range(of: index, within: gap, inOrder), of: table)
      }
    }
  }

  /// Returns true if a search for the first and the last key of a leaf page would come to it: those between are in order, or found not to be.
  private borrowing func reaches(_ page: TreePage, _ gap: KeyGap, _ tree: Tree) -> Bool {
    guard page.isLeaf else { return true }
    return [0, page.count - 1].allSatisfy { index in
      page.readableKey(index).map { gap.contains($0, isNumber: tree.hasNumbers) } ?? true
    }
  }

  /// Returns true if more of a page's keys are in a range than out of it.
  private borrowing func fits(_ page: TreePage, _ gap: KeyGap, _ tree: Tree) -> Bool {
    var balance = 0
    for index in (page.isLeaf ? 0 : 1)..<page.count {
      guard let key = page.readableKey(index) else { continue }
      balance += gap.contains(key, isNumber: tree.hasNumbers) ? 1 : -1
    }
    return balance >= 0
  }

  // MARK: - Values

  private mutating func value(of entry: LeafEntry, in page: TreePage, _ tree: inout Tree) throws -> [UInt8] {
    guard let first = entry.run else { return tree.readsValues ? page.value(of: entry) : [] }
    let run =
      try readsRuns || tree.readsValues
      ? overflowRun(first, size: entry.size, from: entry.page) : neededRun(first, size: entry.size, from: entry.page)
    // A damaged head may name too many: the pages that are read are all that a walk that goes on needs. Of two entries that have one
    // value either may be damaged; its reader knows.
    do { try claim(goesOn ? run.prefix(pages(of: entry.size)) : run) } catch { try meet(error) }
    tree.tally.overflows += UInt64(run.count)
    return tree.readsValues ? try value(at: first, size: entry.size) : []
  }

  /// The value that begins on a page of its own, its head checked before by `overflowRun`.
  borrowing func value(at first: UInt64, size: Int) throws -> [UInt8] {
    let bytes = try file.pages(first, count: pages(of: size), size: meta.pageSize)
    return Array(bytes[16..<16 + size])
  }

  /// Returns the number of pages that a value of that size needs.
  borrowing func pages(of size: Int) -> Int { (size + 15) / meta.pageSize + 1 }

  /// The pages of a value that begins on a page of its own.
  borrowing func overflowRun(_ first: UInt64, size: Int, from origin: UInt64) throws -> Range<UInt64> {
    let needed = UInt64(try neededRun(first, size: size, from: origin).count)
    let header = try file.start(of: first, count: 16, size: meta.pageSize).withUnsafeBytes { raw in
      let view = ByteView(base: raw.baseAddress!, count: raw.count)
      return (view.load(0, as: UInt64.self), view.load(10, as: UInt16.self), view.load(12, as: UInt32.self))
    }
    // A shorter value may have been written over a longer one: the run keeps its length.
    let run = UInt64(header.2)
    guard header.0 == first, header.1 == 0x04, run >= needed, first + run <= meta.lastPage + 1 else {
      throw pageFault(first, "it is not the head of an overflow run of \(needed) pages")
    }
    return first..<first + run
  }

  /// The pages of it that its size needs; it may have more.
  private borrowing func neededRun(_ first: UInt64, size: Int, from origin: UInt64) throws -> Range<UInt64> {
    let needed = UInt64(pages(of: size))
    guard first >= 2, first <= meta.lastPage, first + needed <= meta.lastPage + 1 else {
      throw pageFault(origin, "an overflow run at page \(first) leaves the file")
    }
    try requireInFile(first)
    return first..<first + needed
  }

  // MARK: - Bookkeeping

  private borrowing func requireInFile(_ number: UInt64) throws {
    guard number >= 2, number <= meta.lastPage else { throw pageFault(number, "no such page") }
    guard number < filePages else {
      throw LMDBError(.truncated, "page walk", detail: "page \(number) is after the end of the file")
    }
  }

  mutating func claim(_ number: UInt64) throws {
    try requireInFile(number)
    guard mark(number) else { throw pageFault(number, "it is used twice") }
    census.usedPages += 1
  }

  /// Claims all pages of a run, or none.
  mutating func claim(_ run: Range<UInt64>) throws {
    if goesOn, let taken = run.first(where: { isSeen($0) }) { throw pageFault(taken, "it is used twice") }
    for number in run { try claim(number) }
  }

  func isSeen(_ number: UInt64) -> Bool { seen.contains(number) }

  /// Marks a page as used; false when it was.
  @discardableResult
  private mutating func mark(_ number: UInt64) -> Bool { seen.insert(number) }
}
