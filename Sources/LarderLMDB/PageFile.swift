import Foundation

/// A database file read page by page with pread(2): no mapping, so no page of it can kill the process.
struct PageFile: ~Copyable {
  let descriptor: OwnedDescriptor

  init(path: String) throws {
    descriptor = try OwnedDescriptor(path: path, flags: O_RDONLY | O_NONBLOCK)
  }

  borrowing func size() throws -> UInt64 { UInt64(try descriptor.status().st_size) }

  /// Both meta pages, each checked by itself.
  borrowing func metaPages() throws -> (MetaPage, MetaPage) {
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
      throw LMDBError(.truncated, "preflight", detail: "page \(number) lies behind the end of the file")
    }
    return bytes
  }

  /// The first bytes of a page; throws `truncated` at the end of the file.
  borrowing func start(of number: UInt64, count: Int, size: Int) throws -> [UInt8] {
    let bytes = try descriptor.read(at: Int(number) * size, count: count)
    guard bytes.count == count else {
      throw LMDBError(.truncated, "preflight", detail: "page \(number) lies behind the end of the file")
    }
    return bytes
  }
}
