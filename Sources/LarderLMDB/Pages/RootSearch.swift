import Foundation

/// Finds the roots of the newest version in a file whose first pages, or the page of its tables, are damaged.
///
/// A version is recognised by the greatest key of one table, which must be a number that rises with each commit.
struct RootSearch: ~Copyable {
  /// The result of a search.
  struct Result {
    /// The roots to go by.
    let meta: MetaPage
    /// The version that they lead to; nil where that cannot be read.
    let version: UInt64?
    /// True if a newer version may have been on a page that is damaged, and was not found.
    let mayBeOlder: Bool
    let faults: [LMDBError]
  }

  private let file: PageFile
  private let filePages: UInt64
  private let tables: [String]
  private let clock: String
  private let pageSize: Int

  /// - Parameter clock: The table whose greatest key is the number of a version.
  static func run(path: String, tables: [String], clock: String) throws -> Result {
    let file = try PageFile(path: path)
    let (sound, faults) = try file.readableMetaPage()
    let other = try file.otherMetaPage(beside: sound)
    let filePages = try file.size() / UInt64(sound.pageSize)
    let search = RootSearch(
      file: file, filePages: filePages, tables: tables, clock: clock, pageSize: sound.pageSize)
    return search.choose(sound, other, faults)
  }

  private init(file: consuming PageFile, filePages: UInt64, tables: [String], clock: String, pageSize: Int) {
    self.file = file
    (self.filePages, self.tables, self.clock, self.pageSize) = (filePages, tables, clock, pageSize)
  }

  /// The roots of one version in a sound file; nil where they are not found, or several pages claim to be them.
  ///
  /// - Parameter scans: Whether they are looked for on all pages, or only where the last two commits recorded them.
  static func roots(
    of version: UInt64, path: String, tables: [String], clock: String, scans: Bool
  ) throws -> MetaPage? {
    let file = try PageFile(path: path)
    let pair = try file.settledMetaPages()
    let newest = MetaPage.newest(pair)
    let filePages = try file.size() / UInt64(newest.pageSize)
    let search = RootSearch(
      file: file, filePages: filePages, tables: tables, clock: clock, pageSize: newest.pageSize)
    var found = [pair.0, pair.1].map(\.main).filter { search.version($0) == version }
    if found.isEmpty, scans { found = search.scan().filter { $0.version == version }.map(\.main) }
    return found.count == 1 ? MetaPage(newest, main: found[0], lastPage: filePages - 1) : nil
  }

  private borrowing func choose(_ sound: MetaPage, _ other: DamagedMeta, _ faults: [LMDBError]) -> Result {
    let version = version(sound.main)
    // Beside a sound pair of pages no roots are newer. Where the page of tables is lost older roots would hide what the other pages of
    // the newest version hold.
    if other == .none || other == .older {
      return Result(meta: sound, version: version, mayBeOlder: false, faults: faults)
    }
    var candidates: [(meta: MetaPage, version: UInt64)] = []
    if case .readable(let meta) = other, let found = self.version(meta.main) { candidates.append((meta, found)) }
    candidates += scan().map { (MetaPage(sound, main: $0.main, lastPage: filePages - 1), $0.version) }
    let newest = candidates.filter { $0.version > version ?? 0 }.max { $0.version < $1.version }
    if let newest {
      return Result(meta: newest.meta, version: newest.version, mayBeOlder: false, faults: faults)
    }
    return Result(meta: sound, version: version, mayBeOlder: true, faults: faults)
  }

  /// The version that a main table leads to; nil unless it has all tables and that one can be read.
  private borrowing func version(_ main: TreeRecord) -> UInt64? {
    guard main.depth == 1, let page = page(main.root) else { return nil }
    return version(page)
  }

  private borrowing func version(_ page: TreePage) -> UInt64? {
    guard let records = records(page), let log = records[clock] else { return nil }
    guard log.root != TreeRecord.noRoot else { return 0 }
    var number = log.root
    for _ in 0..<log.depth {
      guard let page = self.page(number) else { return nil }
      if page.isLeaf {
        guard let key = page.readableKey(page.count - 1), key.range.count == 8 else { return nil }
        return key.bytes.reduce(0) { $0 << 8 | UInt64($1) }
      }
      guard let child = try? page.branch(page.count - 1).child else { return nil }
      number = child
    }
    return nil
  }

  /// The records of the tables on a page of the main table; nil unless all are there.
  private borrowing func records(_ page: TreePage) -> [String: TreeRecord]? {
    guard page.isLeaf, page.count >= tables.count else { return nil }
    var records: [String: TreeRecord] = [:]
    for index in 0..<page.count {
      guard let entry = try? page.leaf(index), entry.isTable else { return nil }
      let value = page.value(of: entry)
      guard entry.run == nil, value.count == TreeRecord.size else { return nil }
      let record = value.withUnsafeBytes { TreeRecord(ByteView(base: $0.baseAddress!, count: $0.count), at: 0) }
      guard record.fault(lastPage: max(filePages, 2) - 1) == nil else { return nil }
      records[String(decoding: entry.key.bytes, as: UTF8.self)] = record
    }
    return tables.allSatisfy { records[$0] != nil } ? records : nil
  }

  private borrowing func page(_ number: UInt64) -> TreePage? {
    guard number >= 2, number < filePages else { return nil }
    return try? TreePage(try file.pages(number, size: pageSize), number: number)
  }

  /// The pages of the file that were the main table of some version, each with that.
  private borrowing func scan() -> [(main: TreeRecord, version: UInt64)] {
    var result: [(main: TreeRecord, version: UInt64)] = []
    var next: UInt64 = 2
    while let number = file.nextPage(from: next, size: pageSize), number < filePages {
      next = number + 1
      guard let page = page(number), let version = version(page) else { continue }
      result.append((TreeRecord(leaf: number, entries: page.count), version))
    }
    return result
  }
}

/// The other of the two first pages, beside one that is sound.
enum DamagedMeta: Equatable {
  /// It is sound, too, or no first page is.
  case none
  /// It says, truly or not, that it is of the version before.
  case older
  /// Of the newer version, and its roots may be.
  case readable(MetaPage)
  case unreadable
}

extension PageFile {
  /// Returns what is left of the first page that is not sound.
  borrowing func otherMetaPage(beside sound: MetaPage) throws -> DamagedMeta {
    guard sound.mapSize > 0 || sound.transactionID > 0 else { return .unreadable }
    let index = isSound(0, at: 0) ? 1 : 0
    guard index == 0 || !isSound(1, at: sound.pageSize) else { return .none }
    let bytes = try descriptor.read(at: index * sound.pageSize, count: MetaPage.size)
    guard bytes.count == MetaPage.size else { return .unreadable }
    return bytes.withUnsafeBytes { raw in
      let view = ByteView(base: raw.baseAddress!, count: raw.count)
      if sound.transactionID > 0, view.load(144, as: UInt64.self) == sound.transactionID - 1 { return .older }
      return MetaPage(damaged: view, beside: sound).map { .readable($0) } ?? .unreadable
    }
  }

  private borrowing func isSound(_ index: Int, at offset: Int) -> Bool {
    var ignored: [LMDBError] = []
    return sound(index, at: offset, &ignored) != nil
  }
}

extension MetaPage {
  /// Reads what a page whose head is damaged still says of the version after that of a sound one; nil when its main table is impossible.
  init?(damaged bytes: ByteView, beside sound: MetaPage) {
    let main = TreeRecord(bytes, at: 88)
    let stated: UInt64 = bytes.load(136)
    let lastPage = stated >= 1 && stated < 1 << 42 / UInt64(sound.pageSize) ? stated : sound.lastPage
    guard main.flags == 0, main.root != TreeRecord.noRoot, main.fault(lastPage: lastPage) == nil else { return nil }
    self.init(sound, main: main, lastPage: max(lastPage, sound.lastPage))
    let list = TreeRecord(bytes, at: 40)
    if list.flags & 0x08 != 0, list.fault(lastPage: lastPage) == nil { freeList = list }
  }

  /// Other roots of the same file, one version on, without a free list.
  init(_ sound: MetaPage, main: TreeRecord, lastPage: UInt64) {
    (pageSize, mapSize, transactionID) = (sound.pageSize, max(sound.mapSize, 1), sound.transactionID &+ 1)
    (freeList, self.main, self.lastPage) = (TreeRecord(), main, max(lastPage, 1))
  }
}
