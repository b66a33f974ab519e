import Foundation

/// What a walk over the pages of one version found.
package struct PageCensus: Sendable, Equatable {
  /// Pages that the tables and the free list use, with the two meta pages.
  package internal(set) var usedPages = 0
  /// Pages that may be written anew.
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
/// is used twice. Throws `damaged` or `truncated` with the page and the fault. Reads each page of the trees, and of a value that has
/// pages of its own the head.
struct PageWalker: ~Copyable {
  private let file: PageFile
  private let meta: MetaPage
  private let pageSize: Int
  /// One bit for each page of the file: set once somebody uses it.
  private var seen: [UInt64]
  private var freeBehindEnd: Set<UInt64> = []
  private let filePages: UInt64
  private var census = PageCensus()

  private struct Tally: Equatable {
    var branches: UInt64 = 0
    var leaves: UInt64 = 0
    var overflows: UInt64 = 0
    var entries: UInt64 = 0
  }

  init(file: consuming PageFile, meta: MetaPage) throws {
    filePages = try file.size() / UInt64(meta.pageSize)
    self.file = file
    self.meta = meta
    pageSize = meta.pageSize
    seen = [UInt64](repeating: 0, count: Int(min(filePages, meta.lastPage + 1) / 64) + 1)
  }

  /// Walks the free list only and checks that every page behind the end of the file is free.
  mutating func checkLength() throws {
    try walkFreeList()
    try requireMissingPagesFree()
  }

  /// Throws `truncated` when a page behind the end of the file was not found in the free list.
  private borrowing func requireMissingPagesFree() throws {
    guard filePages <= meta.lastPage else { return }
    let missing = meta.lastPage + 1 - filePages
    guard UInt64(freeBehindEnd.count) == missing else {
      let lost = missing - UInt64(freeBehindEnd.count)
      throw LMDBError(
        .truncated, "preflight",
        detail: "\(lost) pages in use lie behind its end; it has \(filePages) of \(meta.lastPage + 1) pages")
    }
  }

  /// Walks everything.
  mutating func walk() throws -> PageCensus {
    census = PageCensus()
    census.pageSize = pageSize
    census.transactionID = meta.transactionID
    census.usedPages = 2
    mark(0)
    mark(1)
    try walkFreeList()
    try walkTable(meta.main, name: "main table") { walker, node in
      try walker.visitNamedTable(node)
    }
    try requireMissingPagesFree()
    census.unreachablePages = Int(meta.lastPage) + 1 - census.usedPages - census.freePages
    return census
  }

  // MARK: - Trees

  private mutating func visitNamedTable(_ node: Node) throws {
    guard node.flags & Node.subTable != 0 else { return }
    guard node.value.count == TreeRecord.size else {
      throw fault(node.page, "a table record has \(node.value.count) bytes")
    }
    let record = node.value.withUnsafeBytes { TreeRecord(ByteView(base: $0.baseAddress!, count: $0.count), at: 0) }
    let name = String(decoding: node.key.bytes, as: UTF8.self)
    if let text = record.fault(lastPage: meta.lastPage) { throw fault(node.page, "table \(name): \(text)") }
    guard record.flags & 0x74 == 0 else { throw fault(node.page, "table \(name) keeps duplicates") }
    try walkTable(record, name: "table \(name)", readsValues: false) { walker, node in
      if node.flags & Node.subTable != 0 { throw walker.fault(node.page, "a table inside of table \(name)") }
    }
  }

  private mutating func walkFreeList() throws {
    try walkTable(meta.freeList, name: "free list") { walker, node in try walker.visitFreed(node) }
  }

  private mutating func visitFreed(_ node: Node) throws {
    guard node.key.range.count == 8, node.value.count >= 8, node.value.count % 8 == 0 else {
      throw fault(node.page, "a record of the free list has an impossible size")
    }
    let words = node.value.withUnsafeBytes { bytes in
      (0..<bytes.count / 8).map { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
    }
    guard words[0] <= UInt64(words.count - 1) else {
      throw fault(node.page, "a record of the free list counts more pages than it holds")
    }
    var previous = UInt64.max
    for number in words.dropFirst().prefix(Int(words[0])) {
      guard number >= 2, number <= meta.lastPage, number < previous else {
        throw fault(node.page, "the free list names page \(number) out of order or out of range")
      }
      previous = number
      census.freePages += 1
      if number >= filePages {
        guard freeBehindEnd.insert(number).inserted else { throw fault(number, "it is free twice") }
      } else if !mark(number) {
        throw fault(number, "it is free and in use, or free twice")
      }
    }
  }

  private mutating func walkTable(
    _ record: TreeRecord, name: String, readsValues: Bool = true, _ visit: (inout PageWalker, Node) throws -> Void
  ) throws {
    guard record.root != TreeRecord.noRoot else { return }
    var tally = Tally()
    var last: Key?
    let integerKeys = record.flags & 0x08 != 0
    try walkPage(record.root, depth: Int(record.depth), readsValues: readsValues, &tally) { walker, node in
      if let last, !last.precedes(node.key, isNumber: integerKeys) {
        throw walker.fault(node.page, "keys of the \(name) are out of order")
      }
      last = node.key
      try visit(&walker, node)
    }
    let stated = Tally(
      branches: record.branchPages, leaves: record.leafPages, overflows: record.overflowPages,
      entries: record.entries)
    guard tally == stated else {
      throw fault(record.root, "the \(name) has \(tally.entries) entries, its record says \(stated.entries)")
    }
    census.entries += Int(tally.entries)
  }

  private mutating func walkPage(
    _ number: UInt64, depth: Int, readsValues: Bool, _ tally: inout Tally,
    _ visit: (inout PageWalker, Node) throws -> Void
  ) throws {
    guard depth > 0 else { throw fault(number, "it lies deeper than its table says") }
    let page = try load(number)
    let isLeaf = page.flags & Page.leaf != 0
    guard isLeaf == (depth == 1) else { throw fault(number, "it is on the wrong level") }
    tally.leaves += isLeaf ? 1 : 0
    tally.branches += isLeaf ? 0 : 1
    var previous: Key?
    for index in 0..<page.nodeCount {
      if isLeaf {
        let node = try leafNode(page, index, readsValues, &tally)
        tally.entries += 1
        try visit(&self, node)
      } else {
        let (key, child) = try branchNode(page, index)
        // The first key of a branch page is not used and may be empty.
        if index > 1, let previous, previous == key { throw fault(number, "two branches have the same key") }
        previous = key
        try walkPage(child, depth: depth - 1, readsValues: readsValues, &tally, visit)
      }
    }
  }

  // MARK: - Pages and nodes

  private struct Page {
    static let branch: UInt16 = 0x01
    static let leaf: UInt16 = 0x02
    static let overflow: UInt16 = 0x04

    let number: UInt64
    let flags: UInt16
    let lower: Int
    let upper: Int
    let bytes: [UInt8]

    var nodeCount: Int { (lower - 16) / 2 }

    func word(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
  }

  private struct Node {
    static let bigData = 0x01
    static let subTable = 0x02
    static let duplicates = 0x04

    let page: UInt64
    let flags: Int
    let key: Key
    /// Empty when it was not asked for.
    let value: [UInt8]
  }

  /// A key where it lies in its page.
  private struct Key: Equatable {
    let page: [UInt8]
    let range: Range<Int>

    var bytes: ArraySlice<UInt8> { page[range] }

    static func == (lhs: Key, rhs: Key) -> Bool { lhs.compare(rhs) == 0 }

    func precedes(_ other: Key, isNumber: Bool) -> Bool {
      guard isNumber else { return compare(other) < 0 }
      return bytes.reversed().lexicographicallyPrecedes(other.bytes.reversed())
    }

    private func compare(_ other: Key) -> Int {
      let order = page.withUnsafeBytes { left in
        other.page.withUnsafeBytes { right in
          memcmp(
            left.baseAddress! + range.lowerBound, right.baseAddress! + other.range.lowerBound,
            min(range.count, other.range.count))
        }
      }
      return order == 0 ? range.count - other.range.count : Int(order)
    }
  }

  private mutating func load(_ number: UInt64) throws -> Page {
    try claim(number)
    let bytes = try file.pages(number, size: pageSize)
    let page = bytes.withUnsafeBytes { raw in
      let view = ByteView(base: raw.baseAddress!, count: raw.count)
      return Page(
        number: view.load(0), flags: view.load(10), lower: Int(view.load(12, as: UInt16.self)),
        upper: Int(view.load(14, as: UInt16.self)), bytes: bytes)
    }
    guard page.number == number else { throw fault(number, "it says that it is page \(page.number)") }
    guard page.flags == Page.branch || page.flags == Page.leaf else {
      throw fault(number, "its kind \(page.flags) is not that of a tree page")
    }
    guard page.lower >= 16, page.lower % 2 == 0, page.lower <= page.upper, page.upper <= pageSize else {
      throw fault(number, "its bounds \(page.lower) and \(page.upper) are impossible")
    }
    let least = page.flags == Page.branch ? 2 : 1
    guard page.nodeCount >= least else { throw fault(number, "it has \(page.nodeCount) entries") }
    return page
  }

  /// Checks that a node's header and key lie in the page; gives its offset and key.
  private borrowing func nodeKey(_ page: Page, _ index: Int) throws -> (offset: Int, key: Key) {
    let offset = page.word(16 + index * 2)
    guard offset >= page.upper, offset % 2 == 0, offset + 8 <= pageSize else {
      throw fault(page.number, "entry \(index) points out of the page")
    }
    let keySize = page.word(offset + 6)
    guard keySize <= 511, offset + 8 + keySize <= pageSize else {
      throw fault(page.number, "the key of entry \(index) has \(keySize) bytes")
    }
    return (offset, Key(page: page.bytes, range: offset + 8..<offset + 8 + keySize))
  }

  private borrowing func branchNode(_ page: Page, _ index: Int) throws -> (key: Key, child: UInt64) {
    let (offset, key) = try nodeKey(page, index)
    let child = UInt64(page.word(offset)) | UInt64(page.word(offset + 2)) << 16 | UInt64(page.word(offset + 4)) << 32
    guard index == 0 || !key.range.isEmpty else { throw fault(page.number, "entry \(index) has no key") }
    return (key, child)
  }

  private mutating func leafNode(
    _ page: Page, _ index: Int, _ readsValue: Bool, _ tally: inout Tally
  ) throws -> Node {
    let (offset, key) = try nodeKey(page, index)
    let size = page.word(offset) | page.word(offset + 2) << 16
    let flags = page.word(offset + 4)
    guard !key.range.isEmpty else { throw fault(page.number, "entry \(index) has no key") }
    guard flags & ~0x03 == 0 else { throw fault(page.number, "entry \(index) has the flags \(flags)") }
    let start = offset + 8 + key.range.count
    guard flags & Node.bigData != 0 else {
      guard start + size <= pageSize else { throw fault(page.number, "the value of entry \(index) leaves the page") }
      return Node(
        page: page.number, flags: flags, key: key, value: readsValue ? Array(page.bytes[start..<start + size]) : [])
    }
    guard start + 8 <= pageSize else { throw fault(page.number, "the value of entry \(index) leaves the page") }
    let run = (0..<8).reduce(UInt64(0)) { $0 | UInt64(page.bytes[start + $1]) << (UInt64($1) * 8) }
    let value = try overflowRun(run, size: size, from: page.number, readsValue, &tally)
    return Node(page: page.number, flags: flags, key: key, value: value)
  }

  private mutating func overflowRun(
    _ first: UInt64, size: Int, from origin: UInt64, _ readsValue: Bool, _ tally: inout Tally
  ) throws -> [UInt8] {
    let needed = (size + 15) / pageSize + 1
    guard first >= 2, first + UInt64(needed) <= meta.lastPage + 1 else {
      throw fault(origin, "an overflow run at page \(first) leaves the file")
    }
    try claim(first)
    let bytes =
      readsValue
      ? try file.pages(first, count: needed, size: pageSize) : try file.start(of: first, count: 16, size: pageSize)
    let header = bytes.withUnsafeBytes { raw in
      let view = ByteView(base: raw.baseAddress!, count: raw.count)
      return (view.load(0, as: UInt64.self), view.load(10, as: UInt16.self), view.load(12, as: UInt32.self))
    }
    // A shorter value may have been written over a longer one: the run keeps its length.
    let run = UInt64(header.2)
    guard header.0 == first, header.1 == Page.overflow, run >= needed, first + run <= meta.lastPage + 1 else {
      throw fault(first, "it is not the head of an overflow run of \(needed) pages")
    }
    for number in first + 1..<first + run { try claim(number) }
    tally.overflows += run
    return readsValue ? Array(bytes[16..<16 + size]) : []
  }

  // MARK: - Bookkeeping

  private mutating func claim(_ number: UInt64) throws {
    guard number >= 2, number <= meta.lastPage else { throw fault(number, "no such page") }
    guard number < filePages else {
      throw LMDBError(.truncated, "page walk", detail: "page \(number) lies behind the end of the file")
    }
    guard mark(number) else { throw fault(number, "it is used twice") }
    census.usedPages += 1
  }

  /// Marks a page as used; false when it was.
  @discardableResult
  private mutating func mark(_ number: UInt64) -> Bool {
    let word = Int(number / 64)
    let bit = UInt64(1) << (number % 64)
    guard word < seen.count, seen[word] & bit == 0 else { return false }
    seen[word] |= bit
    return true
  }

  private borrowing func fault(_ page: UInt64, _ text: String) -> LMDBError {
    LMDBError(.damaged, "page walk", detail: "page \(page): \(text)")
  }
}
