/// Reads what neither a tree nor a stray page has: pages of older versions, and values whose entries are lost.
extension PageWalker {
  /// Pages of the longest value.
  private static let mostPages = UInt64(SizeLimits.value >> 12) + 1

  /// Calls `take` with the entries of pages that the free list names, those that were freed last first, and then of those that no one
  /// knows, from the end of the file on.
  ///
  /// Only where a table lacks entries and no stray page has that part of it; each entry is proven by itself, for its page may have been
  /// half written over.
  borrowing func readOlder(
    of tables: [String], _ isProven: PageRepair.Proof, _ take: (String, TreeKey, [UInt8]) throws -> Void
  ) throws {
    let tables = tables.filter { gaps[$0] != nil }
    guard !tables.isEmpty else { return }
    var unknown: [UInt64] = []
    try forEachLeaf(skipsUsed: true) { unknown.append($0.number) }
    let known = freed.sorted { $0.transaction > $1.transaction }.lazy.flatMap(\.pages)
    for numbers in [AnySequence(known), AnySequence(unknown.reversed())] {
      for number in numbers where number < filePages {
        guard let page = try? TreePage(try file.pages(number, size: meta.pageSize), number: number), page.isLeaf else {
          continue
        }
        for (key, value) in readableEntries(of: page) {
          let table = tables.first { table in
            lacks(key, table) && key.withView { key in value.withView { isProven(table, key, $0) } }
          }
          if let table { try take(table, key, value) }
        }
      }
    }
  }

  /// Returns true if an entry of a table may be missing, and with it the page that it was on.
  borrowing func lacks(_ key: TreeKey, _ table: String) -> Bool {
    guard gaps[table]?.contains(where: { $0.contains(key) }) ?? false else { return false }
    return !(covered[table]?.contains(key) ?? false)
  }

  /// Calls `recognize` with every value on pages of its own that no one uses, to the end of its last page; it gives back the size of the
  /// value when it is one that is missing.
  mutating func readRuns(_ recognize: (_ page: UInt64, [UInt8]) throws -> Int?) throws {
    var next: UInt64 = 2
    let end = min(filePages, meta.lastPage + 1)
    while next < end, let number = file.nextPage(from: next, size: meta.pageSize), number < end {
      next = number + 1
      guard !isSeen(number), let count = try? runLength(number), number + count <= end,
        !(number..<number + count).contains(where: { isSeen($0) }),
        let bytes = try? file.pages(number, count: Int(count), size: meta.pageSize)
      else { continue }
      guard let size = try recognize(number, Array(bytes[16...])) else { continue }
      let run = number..<number + UInt64(pages(of: size))
      do { try claim(run) } catch { try meet(error) }
      next = run.upperBound
    }
  }

  /// Returns the number of pages of the value that begins on a page; throws when none does.
  private borrowing func runLength(_ number: UInt64) throws -> UInt64 {
    let header = try file.start(of: number, count: 16, size: meta.pageSize).withUnsafeBytes { raw in
      let view = ByteView(base: raw.baseAddress!, count: raw.count)
      return (view.load(0, as: UInt64.self), view.load(10, as: UInt16.self), view.load(12, as: UInt32.self))
    }
    let count = UInt64(header.2)
    guard header.0 == number, header.1 == 0x04, (1...Self.mostPages).contains(count) else {
      throw pageFault(number, "no value begins on it")
    }
    return count
  }
}
