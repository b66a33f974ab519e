import Foundation

/// A database file read page by page with pread(2): no mapping, so no page of it can kill the process.
struct PageFile: ~Copyable {
  let descriptor: OwnedDescriptor

  init(path: String) throws {
    descriptor = try OwnedDescriptor(path: path, flags: O_RDONLY | O_NONBLOCK)
  }

  borrowing func size() throws -> UInt64 { UInt64(try descriptor.status().st_size) }

  #if os(Linux)
    /// `SEEK_DATA`, which the headers keep from programs that do not ask for it.
    private static let seekData: Int32 = 3
  #else
    private static let seekData = SEEK_DATA
  #endif

  /// Returns true if the file is anything but one hole.
  borrowing func holdsData() -> Bool { lseek(descriptor.number, 0, Self.seekData) >= 0 || errno != ENXIO }

  /// Both meta pages, each checked by itself.
  borrowing func metaPages() throws -> (MetaPage, MetaPage) {
    do {
      return try metaPair()
    } catch let error as LMDBError where error.code == .versionMismatch && hasSoundMetaPage() {
      // Another generation of LMDB would have marked both.
      throw LMDBError(.damaged, "preflight", detail: error.detail)
    }
  }

  private borrowing func hasSoundMetaPage() -> Bool {
    var ignored: [LMDBError] = []
    if sound(0, at: 0, &ignored) != nil { return true }
    for size in Self.usualPageSizes where sound(1, at: size, &ignored) != nil { return true }
    return false
  }

  private borrowing func metaPair() throws -> (MetaPage, MetaPage) {
    let first = try meta(0, at: 0)
    let second = try meta(1, at: first.pageSize)
    guard first.pageSize == second.pageSize else {
      throw LMDBError(.damaged, "preflight", detail: "the meta pages disagree about the page size")
    }
    return (first, second)
  }

  /// The meta pages as two commits in a row leave them, if the file is ever seen so; others may commit in between.
  borrowing func settledMetaPages() throws -> (MetaPage, MetaPage) {
    var metas = try metaPages()
    for _ in 0..<20 where MetaPage.isUnusual(metas) {
      sched_yield()
      metas = try metaPages()
    }
    return metas
  }

  /// The newest meta page that is sound, and what is wrong with the others; one without tables when none is.
  borrowing func readableMetaPage() throws -> (MetaPage, [LMDBError]) {
    var faults: [LMDBError] = []
    var found: [MetaPage] = []
    let first: MetaPage? = sound(0, at: 0, &faults)
    if let first { found.append(first) }
    for size in first.map({ [$0.pageSize] }) ?? Self.usualPageSizes {
      var ignored: [LMDBError] = []
      guard let second = sound(1, at: size, &ignored), second.pageSize == size else {
        if let fault = ignored.first, size == (first?.pageSize ?? Self.usualPageSizes[0]) { faults.append(fault) }
        continue
      }
      found.append(second)
    }
    if let newest = found.max(by: { $0.transactionID < $1.transactionID }) { return (newest, faults) }
    let (size, pageSize) = (try size(), Self.usualPageSizes[0])
    guard size >= UInt64(4 * pageSize) else {
      throw LMDBError(.notADatabase, "preflight", detail: "it has only \(size) bytes")
    }
    guard holdsData() else { throw LMDBError(.notADatabase, "preflight", detail: "it has no bytes but zeros") }
    return (MetaPage(pageSize: pageSize, lastPage: size / UInt64(pageSize) - 1), faults)
  }

  /// Page sizes of the systems there are, the most usual first.
  private static let usualPageSizes = [4_096, 16_384, 8_192, 32_768]

  borrowing func sound(_ index: Int, at offset: Int, _ faults: inout [LMDBError]) -> MetaPage? {
    do {
      let found = try meta(index, at: offset)
      try found.validate()
      return found
    } catch {
      if let error = error as? LMDBError {
        faults.append(LMDBError(.damaged, "page walk", detail: "page \(index): \(error.detail)"))
      }
      return nil
    }
  }

  private borrowing func meta(_ index: Int, at offset: Int) throws -> MetaPage {
    try descriptor.read(at: offset, count: MetaPage.size).withUnsafeBytes {
      guard let base = $0.baseAddress else {
        throw LMDBError(.notADatabase, "preflight", detail: "meta page \(index) is missing")
      }
      return try MetaPage(ByteView(base: base, count: $0.count), index: index)
    }
  }

  /// The bytes of `count` pages from `number` on; throws `truncated` at the end of the file.
  borrowing func pages(_ number: UInt64, count: Int = 1, size: Int) throws -> [UInt8] {
    let bytes = try descriptor.read(at: Int(number) * size, count: count * size)
    guard bytes.count == count * size else {
      throw LMDBError(.truncated, "preflight", detail: "page \(number) is after the end of the file")
    }
    return bytes
  }

  /// The first page from `number` on that is no hole in the file; nil when there is none.
  ///
  /// A hole reads as zeros, which are no page: a file of a few bytes may have holes that take days to read.
  borrowing func nextPage(from number: UInt64, size: Int) -> UInt64? {
    let start = off_t(number) * off_t(size)
    let found = lseek(descriptor.number, start, Self.seekData)
    if found >= 0 { return max(number, UInt64(found) / UInt64(size)) }
    return errno == ENXIO ? nil : number
  }

  /// The first bytes of a page; throws `truncated` at the end of the file.
  borrowing func start(of number: UInt64, count: Int, size: Int) throws -> [UInt8] {
    let bytes = try descriptor.read(at: Int(number) * size, count: count)
    guard bytes.count == count else {
      throw LMDBError(.truncated, "preflight", detail: "page \(number) is after the end of the file")
    }
    return bytes
  }
}
