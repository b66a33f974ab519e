/// The root record of one B+tree (`MDB_db`, 48 bytes): the free list, the main table, or a named table.
struct TreeRecord: Equatable {
  static let size = 48
  static let noRoot = UInt64.max

  let pageSizeOrPad: UInt32
  let flags: UInt16
  let depth: UInt16
  let branchPages: UInt64
  let leafPages: UInt64
  let overflowPages: UInt64
  let entries: UInt64
  let root: UInt64

  init(_ bytes: ByteView, at offset: Int) {
    pageSizeOrPad = bytes.load(offset)
    flags = bytes.load(offset + 4)
    depth = bytes.load(offset + 6)
    branchPages = bytes.load(offset + 8)
    leafPages = bytes.load(offset + 16)
    overflowPages = bytes.load(offset + 24)
    entries = bytes.load(offset + 32)
    root = bytes.load(offset + 40)
  }

  /// The record of a tree without any page.
  init() {
    (pageSizeOrPad, flags, depth) = (0, 0, 0)
    (branchPages, leafPages, overflowPages, entries, root) = (0, 0, 0, 0, Self.noRoot)
  }

  /// The record of a tree of one page.
  init(leaf root: UInt64, entries: Int) {
    (pageSizeOrPad, flags, depth) = (0, 0, 1)
    (branchPages, leafPages, overflowPages, self.entries, self.root) = (0, 1, 0, UInt64(entries), root)
  }

  /// Returns a description of what contradicts itself in this record, or nil.
  func fault(lastPage: UInt64) -> String? {
    if depth > 32 { return "its depth is \(depth)" }
    if root == Self.noRoot { return depth == 0 && entries == 0 ? nil : "it has entries but no root" }
    if root < 2 || root > lastPage { return "its root is page \(root) of \(lastPage + 1)" }
    return depth == 0 ? "it has a root but no depth" : nil
  }
}

/// One of the two pages at the start of the file that say what the last commits were.
struct MetaPage: Equatable {
  /// Bytes from the start of the page that matter.
  static let size = 152
  static let magic: UInt32 = 0xBEEF_C0DE
  static let version: UInt32 = 1

  let pageSize: Int
  let mapSize: UInt64
  var freeList: TreeRecord
  let main: TreeRecord
  let lastPage: UInt64
  let transactionID: UInt64

  /// Bytes that the file has when every page was written.
  var neededBytes: UInt64 { (lastPage + 1) * UInt64(pageSize) }

  /// Reads the meta page with the given index (0 or 1) and checks what LMDB checks of both, and the page size.
  ///
  /// The rest may be inconsistent in the older page: after a commit whose last write failed, LMDB leaves there the
  /// roots of that commit under the number of an old one. Throws `notADatabase` or `damaged`.
  init(_ bytes: ByteView, index: Int) throws {
    let name = "meta page \(index)"
    guard bytes.count >= Self.size else { throw Self.foreign("\(name) is missing") }
    try Self.checkHeader(bytes, name)
    freeList = TreeRecord(bytes, at: 40)
    main = TreeRecord(bytes, at: 88)
    pageSize = Int(freeList.pageSizeOrPad)
    mapSize = bytes.load(32)
    lastPage = bytes.load(136)
    transactionID = bytes.load(144)
    guard (512...32_768).contains(pageSize), pageSize & (pageSize - 1) == 0 else {
      throw Self.damaged("\(name) gives a page size of \(pageSize)")
    }
  }

  /// The substitute in a file in which both are damaged: without tables, and older than all.
  init(pageSize: Int, lastPage: UInt64) {
    (self.pageSize, self.lastPage) = (pageSize, lastPage)
    (mapSize, transactionID) = (0, 0)
    (freeList, main) = (TreeRecord(), TreeRecord())
  }

  /// The one of a pair that counts, as LMDB picks it.
  static func newest(_ pair: (MetaPage, MetaPage)) -> MetaPage {
    pair.0.transactionID < pair.1.transactionID ? pair.1 : pair.0
  }

  /// True when the pair is not what two commits in a row leave.
  static func isUnusual(_ pair: (MetaPage, MetaPage)) -> Bool {
    let (even, odd) = (pair.0.transactionID, pair.1.transactionID)
    if even == 0 && odd == 0 { return false }
    return even & 1 != 0 || odd & 1 != 1 || max(even, odd) - min(even, odd) != 1
  }

  /// Throws what contradicts itself in the page; for the newest one.
  func validate() throws { try checkRecords("the newest meta page") }

  private static func checkHeader(_ bytes: ByteView, _ name: String) throws {
    let kind: UInt16 = bytes.load(10)
    let magic: UInt32 = bytes.load(16)
    let version: UInt32 = bytes.load(20)
    if magic == Self.magic.byteSwapped { throw foreign("it was written on a machine of the other byte order") }
    guard magic == Self.magic else { throw foreign("\(name) does not begin as an LMDB file does") }
    guard kind & 0x08 != 0 else { throw foreign("\(name) is not marked as one") }
    guard version == Self.version else {
      throw LMDBError(.versionMismatch, "preflight", detail: "LMDB data version \(version), not \(Self.version)")
    }
  }

  private func checkRecords(_ name: String) throws {
    guard lastPage >= 1, lastPage < 1 << 42 / UInt64(pageSize) else {
      throw Self.damaged("\(name) says that the last page is \(lastPage)")
    }
    // Every commit adds one: no file comes near it, and LMDB's own sums would overflow.
    guard transactionID < 1 << 62 else { throw Self.damaged("\(name) is of the impossible version \(transactionID)") }
    // 0x08: integer keys, always set there; 0x4000: the file is not in a directory of its own.
    guard freeList.flags & 0x08 != 0, freeList.flags & ~0x4008 == 0 else {
      throw Self.damaged("\(name) gives the free list flags \(freeList.flags)")
    }
    guard main.flags == 0 else {
      throw Self.foreign("its main table has flags \(main.flags); this program only writes plain tables")
    }
    if let fault = freeList.fault(lastPage: lastPage) { throw Self.damaged("free list of \(name): \(fault)") }
    if let fault = main.fault(lastPage: lastPage) { throw Self.damaged("main table of \(name): \(fault)") }
  }

  private static func foreign(_ detail: String) -> LMDBError { LMDBError(.notADatabase, "preflight", detail: detail) }
  private static func damaged(_ detail: String) -> LMDBError { LMDBError(.damaged, "preflight", detail: detail) }
}
